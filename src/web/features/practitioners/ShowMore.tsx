import { type ReactNode, useRef, useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { usePlainDisclosure } from '#web/lib/plain-disclosure.ts'

export type ShowMoreProps = {
  /** What is there from the start; with `isPreview`, in the place of the rest. */
  first: ReactNode
  rest: ReactNode
  /** `first` is the beginning of `rest`. */
  isPreview?: boolean
  moreLabel: string
  lessLabel: string
}

const look =
  'inline-flex min-h-11 cursor-pointer list-none items-center text-action underline underline-offset-[0.2em] hover:text-action-strong hover:decoration-2'

/** It was on the disclosure in the place of which the button is. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
}

/** Shows the rest on demand. Until the page is alive, and without JavaScript, the browser's own disclosure does it. */
export function ShowMore({ first, rest, isPreview, moreLabel, lessLabel }: ShowMoreProps) {
  const isHydrated = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const [hadFocus, setHadFocus] = useState(false)
  const disclosure = useRef<HTMLDetailsElement>(null)
  usePlainDisclosure(disclosure, (found) => {
    setOpen(found.isOpen)
    setHadFocus(found.hasFocus)
  })
  if (!isHydrated) {
    return (
      <div className="group">
        <div className={isPreview ? 'group-has-[details[open]]:hidden' : undefined}>{first}</div>
        <details ref={disclosure} className="group/rest">
          <summary className={look}>
            <span className="group-open/rest:hidden">{moreLabel}</span>
            <span className="hidden group-open/rest:inline">{lessLabel}</span>
          </summary>
          {rest}
        </details>
      </div>
    )
  }
  return (
    <div>
      {(!isOpen || !isPreview) && first}
      {isOpen && rest}
      <button
        ref={hadFocus ? takeFocus : undefined}
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={look}
      >
        {isOpen ? lessLabel : moreLabel}
      </button>
    </div>
  )
}
