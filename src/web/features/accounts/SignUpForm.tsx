import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { startClientSession } from '#web/lib/session.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { AcceptTerms } from './AcceptTerms.tsx'
import { NewPasswordField, newPasswordRules } from './NewPasswordField.tsx'

type Values = {
  name: string
  email: string
  password: string
  is_adult: boolean
  accept_terms: boolean
}

/** Opens a client's account and signs them in. */
export function SignUpForm({ onSignedUp }: { onSignedUp(): void }) {
  const form = useForm<Values>()
  const { errors, isSubmitting } = form.formState

  const signUp = form.handleSubmit(async ({ is_adult, accept_terms, ...values }) => {
    if (!is_adult || !accept_terms) return
    try {
      const body = {
        ...values,
        is_adult: true,
        accept_terms: true,
      } as const
      startClientSession(await callApi('POST /client/register', { body }))
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
      <TextField
        label="Name"
        description="What your practitioner will call you. It need not be your full name."
        autoComplete="name"
        error={errors.name?.message}
        {...form.register('name', { required: 'Enter a name.' })}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        error={errors.email?.message}
        {...form.register('email', { required: 'Enter your email.' })}
      />
      <NewPasswordField error={errors.password?.message} {...form.register('password', newPasswordRules)} />
      <div>
        <Checkbox
          error={errors.is_adult?.message}
          {...form.register('is_adult', { required: 'You need to be 18 or over to use Hearth.' })}
        >
          I am 18 or over
        </Checkbox>
        <AcceptTerms
          error={errors.accept_terms?.message}
          {...form.register('accept_terms', { required: 'Please accept the terms to create an account.' })}
        />
      </div>
      <SubmitButton isPending={isSubmitting} pendingLabel="Creating your account" fullWidth>
        Create an account
      </SubmitButton>
    </form>
  )
}
