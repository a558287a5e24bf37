import { IconSend2 } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classes } from '#web/ui/classes.ts'
import { keepDraft, readDraft } from './kept-texts.ts'
import { charactersLeft, maxMessageLength, textToSend } from './message-text.ts'

type Props = {
  ownId: string
  dialogId: string
  partnerName: string
  /** Why the chat takes no more messages. */
  closed?: string | undefined
  field: RefObject<HTMLTextAreaElement | null>
  onSend(text: string): void
  onTyping(): void
}

/**
 * Where a message is written. What is not sent yet is kept for this dialog, in this tab. If the chat is closed meanwhile,
 * the field keeps its text and the focus, and takes no more.
 */
export function Composer({ ownId, dialogId, partnerName, closed, field, onSend, onTyping }: Props) {
  const [text, setText] = useState(() => readDraft(ownId, dialogId))
  const [refusal, setRefusal] = useState('')
  const [hasFocus, setFocus] = useState(false)
  const hintId = useId()
  const left = charactersLeft(text)
  const isTooLong = left !== undefined && left < 0
  useGrowing(field)

  function write(next: string): void {
    setText(next)
    setRefusal('')
    keepDraft(ownId, dialogId, next)
    if (next.trim() !== '') onTyping()
  }

  function send(): void {
    const toSend = textToSend(text)
    if (closed !== undefined) {
      setRefusal('This chat is closed.')
    } else if (toSend === undefined) {
      setRefusal(isTooLong ? 'This message is too long to send.' : 'Write a message first.')
    } else {
      write('')
      onSend(toSend)
    }
    field.current?.focus()
  }

  const closedNote = closed !== undefined && <p className="px-3 py-2 text-center text-soft">{closed}</p>
  if (closedNote && text === '' && !hasFocus) return closedNote
  return (
    <form
      data-composer=""
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {closedNote}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          value={text}
          readOnly={closed !== undefined}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          rows={1}
          dir="auto"
          aria-label={`Message to ${partnerName}`}
          placeholder="Enter your message"
          aria-describedby={left === undefined && refusal === '' ? undefined : hintId}
          aria-invalid={isTooLong || refusal !== '' || undefined}
          enterKeyHint={hasKeyboard() ? 'send' : 'enter'}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || isOfComposition(event)) return
            if (!hasKeyboard()) return
            event.preventDefault()
            send()
          }}
          className="field max-h-[min(14rem,35dvh)] min-h-12 resize-none overflow-y-auto !rounded-3xl !px-4 !py-2.5"
        />
        <button
          type="submit"
          aria-label="Send"
          aria-disabled={closed !== undefined || textToSend(text) === undefined || undefined}
          className="grid size-12 shrink-0 place-items-center rounded-full border border-transparent bg-action text-on-action transition-colors hover:bg-action-strong aria-disabled:opacity-55"
        >
          <IconSend2 aria-hidden size={22} />
        </button>
      </div>
      <div id={hintId} className="px-4 text-sm">
        {left !== undefined && (
          <p className={classes('tabular-nums', isTooLong ? 'font-semibold text-danger' : 'text-soft')}>
            {isTooLong
              ? `${charactersLabel(-left)} too many. A message can have up to ${maxMessageLength.toLocaleString('en-GB')}; please send it in parts.`
              : `${charactersLabel(left)} left`}
          </p>
        )}
        <p
          role="alert"
          className={classes('font-semibold text-danger empty:sr-only', isTooLong && 'sr-only')}
        >
          {refusal}
        </p>
      </div>
    </form>
  )
}

const charactersLabel = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`

/**
 * While a word is being put together, as in Japanese, Enter belongs to that. Safari has ended it before it sends the key,
 * which has this code then: https://bugs.webkit.org/show_bug.cgi?id=165004
 */
const isOfComposition = ({ nativeEvent, keyCode }: KeyboardEvent) =>
  nativeEvent.isComposing || keyCode === 229

/** Where fingers type, Enter makes a line, as people there are used to; the button sends. */
function hasKeyboard(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(hover: hover) and (pointer: fine)').matches
}

/** As high as what is written, up to its limit. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>): void {
  const width = useRef(0)
  useLayoutEffect(() => {
    if (field.current) fit(field.current)
  })
  useEffect(() => {
    const area = field.current
    if (!area) return undefined
    const observer = new ResizeObserver(() => {
      if (area.offsetWidth === width.current) return
      width.current = area.offsetWidth
      fit(area)
    })
    observer.observe(area)
    return () => observer.disconnect()
  }, [field])
}

function fit(area: HTMLTextAreaElement): void {
  const around = area.parentElement
  // While it is measured, what is around it keeps its height: the messages above would take the room, and lose their place.
  if (around) around.style.height = `${around.offsetHeight}px`
  area.style.height = 'auto'
  const borders = area.offsetHeight - area.clientHeight
  area.style.height = `${area.scrollHeight + borders}px`
  if (around) around.style.height = ''
}
