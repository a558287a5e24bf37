import { type ComponentProps, type ReactNode, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { showApiError } from '../lib/form.ts'
import { Alert } from './Alert.tsx'
import { Submitting } from './SubmitButton.tsx'

export type FormProps<Values extends FieldValues> = Pick<
  ComponentProps<'form'>,
  'id' | 'aria-label' | 'className'
> & {
  form: UseFormReturn<Values>
  /** Sends it. What it throws is shown in the form, with what was typed. */
  onSubmit(values: Values): Promise<unknown>
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
 * A form that is checked, sent, and says why it failed: a 422 under its fields, anything else above them. The focus goes
 * to the first field that is wrong.
 */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  onFailure,
  failureTitle,
  renderFailure,
  wireNames,
  className = 'flex flex-col gap-5',
  children,
  ...props
}: FormProps<Values>) {
  const { errors, isSubmitting } = form.formState
  const [failure, setFailure] = useState<unknown>()
  const message = errors.root?.server?.message
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values)
    } catch (error) {
      setFailure(error)
      if (!onFailure?.(error)) showApiError(form, error, wireNames)
    }
  })
  return (
    <Submitting value={isSubmitting}>
      <form
        {...props}
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className={className}
      >
        {message !== undefined &&
          (renderFailure?.(message, failure) || (
            <Alert tone="danger" live="assertive" title={failureTitle}>
              {message}
            </Alert>
          ))}
        {children}
      </form>
    </Submitting>
  )
}
