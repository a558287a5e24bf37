import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { startTherapistSession } from '#web/lib/session.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { accountPath } from './account-paths.ts'

type Values = { email: string; password: string }

/** Signs a therapist in. What the server says stands under its field, or above the form in the server's words. */
export function TherapistSignInForm({ onSignedIn }: { onSignedIn(): void }) {
  const form = useForm<Values>()
  const { errors, isSubmitting } = form.formState

  const signIn = form.handleSubmit(async (values) => {
    try {
      startTherapistSession(await callApi('POST /therapist/login', { body: values }))
      onSignedIn()
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void signIn(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Notice tone="danger" live="assertive">
          {errors.root.server.message}
        </Notice>
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
        to={accountPath('therapist', 'forgot-password')}
        className="inline-flex min-h-11 items-center self-center"
      >
        Forgot password?
      </TextLink>
    </form>
  )
}
