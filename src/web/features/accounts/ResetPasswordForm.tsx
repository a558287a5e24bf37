import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { accountPath, type EntranceRole } from './account-paths.ts'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'

type Values = { password: string; password_confirmation: string; totp: string }

type Props = {
  role: EntranceRole
  /** From the link in the mail. */
  token: string
  email: string
  onReset(): void
}

/** Sets a new password by the link from the mail; an admin gives a code of the second factor as well. */
export function ResetPasswordForm({ role, token, email, onReset }: Props) {
  const form = useForm<Values>({ defaultValues: { password: '', password_confirmation: '', totp: '' } })
  const { errors, isSubmitting } = form.formState

  const reset = form.handleSubmit(async ({ totp, ...values }) => {
    try {
      const answer =
        role === 'admin'
          ? await callApi('POST /admin/password/reset', { body: { ...values, token, ...(totp && { totp }) } })
          : await callApi(`POST /${role}/password/reset`, { body: { ...values, token, email } })
      if (answer.success) return onReset()
      form.setError('root.server', { message: 'Please try again.' })
    } catch (error) {
      const isAboutField =
        error instanceof ApiError &&
        ['password', 'password_confirmation', 'totp'].some((field) => field in error.errors)
      if (isAboutField) showApiError(form, error)
      else form.setError('root.server', { message: messageOf(error) })
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void reset(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Alert tone="danger" live="assertive" title="Something went wrong">
          {errors.root.server.message} A link works once and for one hour;{' '}
          <TextLink to={accountPath(role, 'forgot-password')}>ask for a new one</TextLink>.
        </Alert>
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
      {role === 'admin' && (
        <TextField
          label="Code"
          description="The six digits that your authenticator app shows now, or one of your recovery codes. Leave it empty if you have not set up an app yet."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.totp?.message}
          {...form.register('totp')}
        />
      )}
      <SubmitButton isPending={isSubmitting} pendingLabel="Saving" fullWidth>
        Save new password
      </SubmitButton>
    </form>
  )
}
