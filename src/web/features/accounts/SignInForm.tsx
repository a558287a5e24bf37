import { type UseFormReturn, useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { startClientSession, startTherapistSession } from '#web/lib/session.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { type AccountRole, accountPath } from './account-paths.ts'

type Values = { email: string; password: string }

/** The sign-in form. A refusal never names the wrong field, because that would reveal whether the account exists. */
export function SignInForm({
  accountRole: role,
  onSignedIn,
}: {
  accountRole: AccountRole
  onSignedIn(): void
}) {
  const form = useForm<Values>()
  const { errors, isSubmitting } = form.formState

  const signIn = form.handleSubmit(async (body) => {
    try {
      if (role === 'client') startClientSession(await callApi('POST /client/login', { body }))
      else startTherapistSession(await callApi('POST /therapist/login', { body }))
      onSignedIn()
    } catch (error) {
      if (role === 'client' && isRefused(error)) showRefusal(form)
      else showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void signIn(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Alert tone="danger" live="assertive">
          {errors.root.server.message}
        </Alert>
      )}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...form.register('email', { required: 'Enter your email.' })}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password', { required: 'Enter your password.' })}
      />
      <SubmitButton isPending={isSubmitting} pendingLabel="Logging in" fullWidth>
        Log in
      </SubmitButton>
      <TextLink
        to={accountPath(role, 'forgot-password')}
        className="inline-flex min-h-11 items-center self-center"
      >
        Forgot password?
      </TextLink>
    </form>
  )
}

/** Shows a client the same two messages for a wrong email and a wrong password. A practitioner gets the server's message. */
function showRefusal(form: UseFormReturn<Values>): void {
  form.setError('password', { message: 'Check your password and try again.' })
  form.setError('email', { message: 'Check your email and try again.' }, { shouldFocus: true })
}

/** What was typed is wrong, as opposed to a limit or a network that fails. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 422 || error.status === 400)
}
