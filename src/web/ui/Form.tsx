import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { focusFirstInvalid, messagesOf, showApiError } from '../lib/form.ts'
import { useFormMethod } from '../lib/hydrated.ts'
import { Alert } from './Alert.tsx'
import { InputLock } from './InputLock.tsx'

export type FormProps<Values extends FieldValues> = Pick<
  ComponentProps<'form'>,
  'id' | 'aria-label' | 'className'
> & {
  form: UseFormReturn<Values>
  /** Sends it. What it throws is shown in the form, with what was typed. */
  onSubmit(values: Values): Promise<unknown>
  /** Checks what is no field of the form, such as a file, together with the fields. False where it shows that something is missing. */
  check?: (() => boolean) | undefined
  /** Shows a failure in another way than the form would. Returns whether it did. */
  onFailure?(error: unknown): boolean
  /** What has not happened when it fails: 'Your name is not saved'. */
  failureTitle?: string | undefined
  /** In the place of the message for a failure that is not about a field, where it returns something. */
  renderFailure?(message: string, error: unknown): ReactNode
  /** What a field is called on the wire where the form calls it otherwise. */
  wireNames?: Partial<Record<string, Path<Values>>> | undefined
  /** The fields, and a `SubmitButton`, which is pending while the form is sent. */
  children: ReactNode
}

/**
 * A form that is checked, sent, and says why it failed: a 422 under its fields, anything else above them. All that is wrong
 * is marked at once, and the focus goes to the first wrong field on the screen. Pending and locked only while something
 * is sent.
 */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  check,
  onFailure,
  failureTitle,
  renderFailure,
  wireNames,
  className = 'flex flex-col gap-5',
  children,
  ...props
}: FormProps<Values>) {
  const { errors } = form.formState
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const isBusy = useRef(false)
  const message = errors.root?.server?.message
  const { element, wrongCount, showFailed, forgetFailed } = useFailedSubmit(form)

  async function submit(event: FormEvent): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    forgetRefusals(form)
    let isWrong = false
    await form.handleSubmit(
      async (values) => {
        isWrong = check?.() === false || !(await isSent(values))
      },
      () => {
        check?.()
        isWrong = true
      },
    )(event)
    isBusy.current = false
    if (isWrong) showFailed()
  }

  async function isSent(values: Values): Promise<boolean> {
    setSending(true)
    forgetFailed()
    try {
      await onSubmit(values)
      return true
    } catch (error) {
      setFailure(error)
      if (!onFailure?.(error)) showApiError(form, error, wireNames)
      return false
    } finally {
      setSending(false)
    }
  }

  return (
    <InputLock isLocked={isSending}>
      <form
        {...props}
        ref={element}
        method={useFormMethod()}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event)
        }}
        className={className}
      >
        {message !== undefined &&
          (renderFailure?.(message, failure) || (
            <Alert tone="danger" live="assertive" title={failureTitle}>
              {message}
            </Alert>
          ))}
        {children}
        <p role="status" className="sr-only">
          {wrongCount > 1 && `${wrongCount} fields need another look.`}
        </p>
      </form>
    </InputLock>
  )
}

/** Clears what the server has refused: of a list, which is no field by itself, it would stay and hold back another try. */
function forgetRefusals<Values extends FieldValues>(form: UseFormReturn<Values>): void {
  for (const [name, fault] of Object.entries(form.formState.errors)) {
    if (fault?.type === 'server') form.clearErrors(name as Path<Values>)
  }
}

/** After a submit that failed: the focus, how many fields are wrong, and messages that no field on the page shows. */
function useFailedSubmit<Values extends FieldValues>(form: UseFormReturn<Values>) {
  const element = useRef<HTMLFormElement>(null)
  const [failed, setFailed] = useState(0)
  const [wrongCount, setWrongCount] = useState(0)

  const show = useEffectEvent((shown: HTMLFormElement) => {
    const count = focusFirstInvalid(shown)
    setWrongCount(count)
    if (count > 0) return
    const { errors } = form.formState
    const messages = [...new Set(messagesOf(errors))]
    if (messages.length > 0 && !errors.root) {
      form.setError('root.server', { type: 'server', message: messages.join(' ') })
    }
    shown.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  })
  // With the messages: later, it would take the focus from a person who has gone on.
  useLayoutEffect(() => {
    if (failed > 0 && element.current) show(element.current)
  }, [failed])

  return {
    element,
    wrongCount,
    showFailed: () => setFailed((before) => before + 1),
    forgetFailed: () => setWrongCount(0),
  }
}
