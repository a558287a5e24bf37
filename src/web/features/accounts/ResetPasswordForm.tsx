import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { type AccountRole, accountPath } from './account-paths.ts'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'

type Values = { password: string; password_confirmation: string }

type Props = {
  role: AccountRole
  /** From the link in the mail. */
  token: string
  email: string
  onReset(): void
}

/** Sets a new password by the link from the mail. */
export function ResetPasswordForm({ role, token, email, onReset }: Props) {
  const form = useForm<Values>()
  const { errors, isSubmitting } = form.formState

  const reset = form.handleSubmit(async (values) => {
    try {
      const input = { body: { ...values, token, email } }
      const answer =
        role === 'client'
          ? await callApi('POST /client/password/reset', input)
          : await callApi('POST /therapist/password/reset', input)
      if (answer.success) return onReset()
      form.setError('root.server', { message: 'Please try again.' })
    } catch (error) {
      const isAboutPassword =
        error instanceof ApiError && ('password' in error.errors || 'password_confirmation' in error.errors)
      if (isAboutPassword) showApiError(form, error)
      else form.setError('root.server', { message: messageOf(error) })
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void reset(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Notice tone="danger" live="assertive" title="Something went wrong">
          {errors.root.server.message} A link works once and for one hour;{' '}
          <TextLink to={accountPath(role, 'forgot-password')}>ask for a new one</TextLink>.
        </Notice>
      )}
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField
        label="New password"
        error={errors.password?.message}
        {...form.register('password', newPasswordRules)}
      />
      <NewPasswordAgainField
        error={errors.password_confirmation?.message}
        {...form.register('password_confirmation', sameAgain)}
      />
      <SubmitButton isPending={isSubmitting} pendingLabel="Saving" fullWidth>
        Save new password
      </SubmitButton>
    </form>
  )
}
