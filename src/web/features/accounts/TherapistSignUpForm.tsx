import { fieldOf, useForm } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { AcceptTerms } from './AcceptTerms.tsx'
import { enterAsTherapist } from './fresh-sign-in.ts'
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

  const signUp = useAction('POST /therapist/register', { onDone: enterAsTherapist })

  return (
    <Form
      form={form}
      onSubmit={async ({ accept_terms, ...values }) => {
        if (!accept_terms) return
        await signUp.send({ body: { ...values, accept_terms } })
        onSignedUp()
      }}
    >
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          {...fieldOf(form, 'name', { required: 'Enter your first name.' })}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          {...fieldOf(form, 'last_name', { required: 'Enter your last name.' })}
        />
      </div>
      <EmailField
        description="Clients never see it."
        {...fieldOf(form, 'email', { required: 'Enter your email.' })}
      />
      <NewPasswordField {...fieldOf(form, 'password', newPasswordRules)} />
      <AcceptTerms {...fieldOf(form, 'accept_terms', limitsOf('POST /therapist/register', 'accept_terms'))} />
      <SubmitButton pendingLabel="Creating your account" fullWidth>
        Create an account
      </SubmitButton>
    </Form>
  )
}
