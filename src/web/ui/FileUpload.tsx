import { IconCircleCheck, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../lib/api-error.ts'
import { Button } from './Button.tsx'
import { buttonLook } from './button-look.ts'
import { FieldError } from './FieldFrame.tsx'
import { ProgressBar } from './ProgressBar.tsx'

const megabyte = 1024 * 1024
/** As the server takes them; it looks at the bytes, here only the name is known. */
const kinds = {
  image: {
    accept: '.jpg,.jpeg,.png,.webp,image/jpeg,image/png,image/webp',
    max: 10,
    spoken: 'JPEG, PNG or WebP',
  },
  document: {
    accept: '.pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png',
    max: 20,
    spoken: 'PDF, JPEG or PNG',
  },
  video: { accept: '.mp4,.webm,video/mp4,video/webm', max: 200, spoken: 'MP4 or WebM' },
  captions: { accept: '.vtt,text/vtt', max: 1, spoken: 'WebVTT (.vtt)' },
} as const

export type FileUploadProps = {
  /** What it is, such as 'Identity document'. */
  label: string
  kind: keyof typeof kinds
  /** Sends the file. What it throws is shown; a text that it returns was found before sending, and is shown as well. */
  send(
    file: File,
    options: { onProgress(part: number): void; signal: AbortSignal },
  ): Promise<string | undefined>
  /** Shown in the place of the message for a failure that choosing another file does not mend. */
  renderFailure?(error: unknown): ReactNode
  /** What is there already. */
  present?: ReactNode
  /** Words under the field that come from elsewhere. */
  error?: string | undefined
}

type State =
  | { at: 'idle' }
  | { at: 'sending'; name: string; part: number; controller: AbortController }
  | { at: 'failed'; file: File; message: string; canRetry: boolean; instead: ReactNode }
  | { at: 'done'; name: string }

/**
 * Sends a file as soon as it is chosen and shows the progress. The upload can be retried, and stopped until all of it has
 * arrived: from then on it is kept also if the page goes away.
 */
export function FileUpload({ label, kind, send, renderFailure, present, error }: FileUploadProps) {
  const id = useId()
  const [state, setState] = useState<State>({ at: 'idle' })
  const { accept, max, spoken } = kinds[kind]
  const isSending = state.at === 'sending'
  const stopUnseen = useRef<AbortController>(undefined)
  // Where it is not shown any more, nothing could stop it.
  useEffect(() => () => stopUnseen.current?.abort(), [])
  useWarningBeforeLeaving(isSending)
  const hasArrived = isSending && state.part >= 1
  const focus = useFocusThroughSending(isSending, hasArrived)

  const sendNow = async (file: File) => {
    const fail = (message: string, canRetry: boolean, instead: ReactNode = null) =>
      setState({ at: 'failed', file, message, canRetry, instead })
    if (file.size > max * megabyte) {
      fail(`This file is too large: up to ${max} MB, please.`, false)
      return
    }
    const controller = new AbortController()
    const onProgress = (part: number) => {
      stopUnseen.current = part < 1 ? controller : undefined
      setState({ at: 'sending', name: file.name, part, controller })
    }
    onProgress(0)
    try {
      const problem = await send(file, { onProgress, signal: controller.signal })
      if (problem === undefined) setState({ at: 'done', name: file.name })
      else fail(problem, true)
    } catch (failure) {
      if (controller.signal.aborted) {
        setState({ at: 'idle' })
        return
      }
      fail(
        failure instanceof ApiError ? firstMessage(failure) : messageOf(failure),
        !(failure instanceof ApiError && [413, 415].includes(failure.status)),
        renderFailure?.(failure),
      )
    } finally {
      stopUnseen.current = undefined
    }
  }

  const shownError = state.at === 'failed' && !state.instead ? state.message : error
  const describedBy = [`${id}-hint`, shownError && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div data-invalid={shownError ? '' : undefined} className="flex flex-col gap-3">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="-mt-2 text-sm text-soft">
        {spoken}, up to {max} MB.
      </p>
      {present}
      <div {...focus}>
        {state.at === 'sending' ? (
          <div tabIndex={-1} className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
            <ProgressBar
              label={hasArrived ? `Looking at ${state.name}` : `Sending ${state.name}`}
              value={state.part * 100}
            />
            {!hasArrived && (
              <Button
                variant="secondary"
                size="small"
                className="self-start"
                onPress={() => state.controller.abort()}
              >
                Stop
              </Button>
            )}
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-3">
            <span
              className={`${buttonLook({ variant: 'secondary' })} relative has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus`}
            >
              <IconUpload aria-hidden size={20} className="mr-2" />
              <span aria-hidden>
                {present || state.at === 'done' ? 'Choose another file' : 'Choose a file'}
              </span>
              <input
                id={id}
                type="file"
                accept={accept}
                aria-describedby={describedBy}
                aria-invalid={shownError ? true : undefined}
                className="absolute inset-0 cursor-pointer opacity-0"
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? []
                  // The same file can be chosen again.
                  event.currentTarget.value = ''
                  if (file) void sendNow(file)
                }}
              />
            </span>
            {state.at === 'failed' && state.canRetry && !state.instead && (
              <Button variant="quiet" onPress={() => void sendNow(state.file)}>
                Try again
              </Button>
            )}
          </div>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {state.at === 'sending' && 'The file is being sent.'}
      </p>
      <output className="block">
        {state.at === 'done' && (
          <span className="flex items-center gap-2 text-sm">
            <IconCircleCheck aria-hidden size={20} className="shrink-0 text-action" />
            <span className="min-w-0 break-words">{state.name} has arrived.</span>
          </span>
        )}
      </output>
      {state.at === 'failed' && state.instead}
      {shownError && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{shownError}</FieldError>
        </div>
      )}
    </div>
  )
}

function firstMessage(error: ApiError): string {
  return Object.values(error.errors).flat()[0] ?? error.message
}

/** A tab that is closed while a file is on its way would lose it. */
function useWarningBeforeLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOn])
}

/** Keeps the focus within an element in which something else can be pressed as the sending begins and ends. */
function useFocusThroughSending(isSending: boolean, hasArrived: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    const next = !isSending ? 'input' : hasArrived ? '[tabindex]' : 'button'
    if (hasFocus.current) ref.current?.querySelector<HTMLElement>(next)?.focus()
  }, [isSending, hasArrived])
  return {
    ref,
    onFocus: () => {
      hasFocus.current = true
    },
    // The browser's own choice of files has the focus for a while, and gives it back.
    onBlur: () => {
      if (document.hasFocus()) hasFocus.current = false
    },
  }
}
