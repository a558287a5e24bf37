import { IconCircleCheck, IconFileText, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { TherapistProfile } from '#contract/practice.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { uploadFile, type UploadKey } from '#web/lib/upload.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { ChangedElsewhere, isChangedElsewhere, useStepPlace } from './StepForm.tsx'
import { useKeepProfile } from './therapist-profile.ts'

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
} as const

/** Endpoints that answer the practitioner's own profile. */
type ProfileUpload = Extract<UploadKey, `POST /therapist/${string}`>

export type UploadFieldProps = {
  /** What it is, such as 'Identity document'. */
  label: string
  kind: keyof typeof kinds
  endpoint: ProfileUpload
  /** Name of the form's field on the wire. */
  field: string
  /** Looked at right before sending; a text stops it and is shown. */
  fields?: () => Record<string, string> | string
  /** What is there already. */
  present?: ReactNode
  /** Words under the field that come from elsewhere. */
  error?: string | undefined
  onDone?(): void
}

type State =
  | { at: 'idle' }
  | { at: 'sending'; name: string; part: number; controller: AbortController }
  | { at: 'failed'; file: File; message: string; isOvertaken: boolean; canRetry: boolean }
  | { at: 'done'; name: string }

/** Sends a file as soon as it is chosen, says how far it has come, and can be stopped and tried again. */
export function UploadField({
  label,
  kind,
  endpoint,
  field,
  fields,
  present,
  error,
  onDone,
}: UploadFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>({ at: 'idle' })
  const { ifMatch } = useStepPlace()
  const keep = useKeepProfile()
  const { accept, max, spoken } = kinds[kind]
  const isSending = state.at === 'sending'
  useWarningBeforeLeaving(isSending)

  const send = async (file: File) => {
    const also = fields?.() ?? {}
    if (typeof also === 'string') {
      setState({ at: 'failed', file, message: also, isOvertaken: false, canRetry: true })
      return
    }
    if (file.size > max * megabyte) {
      const message = `This file is too large: up to ${max} MB, please.`
      setState({ at: 'failed', file, message, isOvertaken: false, canRetry: false })
      return
    }
    const controller = new AbortController()
    setState({ at: 'sending', name: file.name, part: 0, controller })
    try {
      const onProgress = (part: number) => setState({ at: 'sending', name: file.name, part, controller })
      const profile: TherapistProfile = await uploadFile(endpoint, {
        field,
        file,
        fields: also,
        ifMatch,
        onProgress,
        signal: controller.signal,
      })
      setState({ at: 'done', name: file.name })
      keep(profile)
      onDone?.()
    } catch (failure) {
      if (controller.signal.aborted) {
        setState({ at: 'idle' })
        return
      }
      setState({
        at: 'failed',
        file,
        message: failure instanceof ApiError ? firstWords(failure) : messageOf(failure),
        isOvertaken: isChangedElsewhere(failure),
        canRetry: !(failure instanceof ApiError && [413, 415].includes(failure.status)),
      })
    }
  }

  const shownError = state.at === 'failed' && !state.isOvertaken ? state.message : error
  const describedBy = [`${id}-hint`, shownError && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="-mt-2 text-sm text-soft">
        {spoken}, up to {max} MB.
      </p>
      {present}
      {state.at === 'sending' ? (
        <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
          <ProgressBar
            label={state.part < 1 ? `Sending ${state.name}` : `Looking at ${state.name}`}
            value={state.part * 100}
          />
          <Button
            variant="secondary"
            size="small"
            className="self-start"
            onPress={() => state.controller.abort()}
          >
            Stop
          </Button>
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
              ref={input}
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
                if (file) void send(file)
              }}
            />
          </span>
          {state.at === 'failed' && state.canRetry && !state.isOvertaken && (
            <Button variant="quiet" onPress={() => void send(state.file)}>
              Try again
            </Button>
          )}
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {state.at === 'sending' && 'The file is being sent.'}
      </p>
      <output className="block">
        {state.at === 'done' && (
          <span className="flex items-center gap-2 text-sm">
            <IconCircleCheck aria-hidden size={20} className="shrink-0 text-action" />
            {state.name} has arrived.
          </span>
        )}
      </output>
      {state.at === 'failed' && state.isOvertaken && <ChangedElsewhere />}
      {shownError && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{shownError}</FieldError>
        </div>
      )}
    </div>
  )
}

/** What is there already, in a line with an icon. */
export function PresentFile({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-lg border border-line bg-surface p-4">
      <IconFileText aria-hidden size={24} className="shrink-0 text-action" />
      <div>
        <p className="font-semibold">{title}</p>
        {children && <div className="text-sm text-soft">{children}</div>}
      </div>
    </div>
  )
}

function firstWords(error: ApiError): string {
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
