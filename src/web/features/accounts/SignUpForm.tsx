import { healthConsent } from '#contract/accounts/health-consent.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { AcceptTerms } from './AcceptTerms.tsx'
import { enterAsClient } from './fresh-sign-in.ts'
import { HealthConsent, healthConsentRules } from './HealthConsent.tsx'
import { NewPasswordField, newPasswordRules } from './NewPasswordField.tsx'

type Values = {
  name: string
  email: string
  password: string
  is_adult: boolean
  accept_terms: boolean
  health_consent: boolean
}

/** Opens a client's account and signs them in. */
export function SignUpForm({ onSignedUp }: { onSignedUp(): void }) {
  const form = useForm<Values>()

  const signUp = useAction('POST /client/register', { onDone: enterAsClient })

  return (
    <Form
      form={form}
      onSubmit={async ({ is_adult, accept_terms, health_consent, ...values }) => {
        if (!is_adult || !accept_terms || !health_consent) return
        await signUp.send({
          body: { ...values, is_adult, accept_terms, health_consent: healthConsent.version },
        })
        onSignedUp()
      }}
    >
      <TextField
        label="Name"
        description="What your practitioner will call you. It does not have to be your full name."
        autoComplete="name"
        {...fieldOf(form, 'name', limitsOf('POST /client/register', 'name'))}
      />
      <EmailField {...fieldOf(form, 'email', { required: 'Enter your email.' })} />
      <NewPasswordField {...fieldOf(form, 'password', newPasswordRules)} />
      <div>
        <Checkbox {...fieldOf(form, 'is_adult', limitsOf('POST /client/register', 'is_adult'))}>
          I am 18 or over
        </Checkbox>
        <AcceptTerms {...fieldOf(form, 'accept_terms', limitsOf('POST /client/register', 'accept_terms'))} />
        <HealthConsent {...fieldOf(form, 'health_consent', healthConsentRules)} />
      </div>
      <SubmitButton pendingLabel="Creating your account" fullWidth>
        Create an account
      </SubmitButton>
    </Form>
  )
}
