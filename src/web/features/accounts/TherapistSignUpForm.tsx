import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { startTherapistSession } from '#web/lib/session.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { AcceptTerms } from './AcceptTerms.tsx'
import { NewPasswordField, newPasswordRules } from './NewPasswordField.tsx'

type Values = {
  name: string
  last_name: string
  email: string
  password: string
  accept_terms: boolean
}

/** Opens a practitioner's account and signs them in. */
export function TherapistSignUpForm({ onSignedUp }: { onSignedUp(): void }) {
  const form = useForm<Values>()
  const { errors, isSubmitting } = form.formState

  const signUp = form.handleSubmit(async ({ accept_terms, ...values }) => {
    if (!accept_terms) return
    try {
      const body = { ...values, accept_terms: true } as const
      startTherapistSession(await callApi('POST /therapist/register', { body }))
      onSignedUp()
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void signUp(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Alert tone="danger" live="assertive">
          {errors.root.server.message}
        </Alert>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          error={errors.name?.message}
          {...form.register('name', { required: 'Enter your first name.' })}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          error={errors.last_name?.message}
          {...form.register('last_name', { required: 'Enter your last name.' })}
        />
      </div>
      <TextField
        label="Email"
        description="Clients never see it."
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...form.register('email', { required: 'Enter your email.' })}
      />
      <NewPasswordField error={errors.password?.message} {...form.register('password', newPasswordRules)} />
      <AcceptTerms
        error={errors.accept_terms?.message}
        {...form.register('accept_terms', { required: 'Please accept the terms to create an account.' })}
      />
      <SubmitButton isPending={isSubmitting} pendingLabel="Creating your account" fullWidth>
        Create an account
      </SubmitButton>
    </form>
  )
}
