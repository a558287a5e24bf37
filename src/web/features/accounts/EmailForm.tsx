import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { ForgottenPassword } from './ForgottenPassword.tsx'
import { ownAccountQuery, pendingEmailQuery } from './own-profile.ts'
import { PendingEmail } from './PendingEmail.tsx'
import { unclearOutcome } from './unclear-outcome.tsx'
import { UnconfirmedEmail } from './UnconfirmedEmail.tsx'

type Values = { email: string; current_password: string }

/** Asks for another address. It changes once the link mailed there is opened; whether it is taken, only its mailbox learns. */
export function EmailForm() {
  const role = useAccountRole()
  const form = useForm<Values>()
  const { data } = useQuery(ownAccountQuery(role))
  const person = personOf(useSession())
  const present = data?.email ?? person?.email
  const [asked, setAsked] = useState<string>()

  const ask = useAction(`POST /${role}/change-email`, {
    invalidates: [pendingEmailQuery().queryKey],
    onDone: (_, { body }) => setAsked(body.email.trim()),
  })

  if (asked !== undefined) {
    return (
      <div className="flex flex-col gap-6">
        <Alert tone="success" live="polite" title={`We sent an email to ${asked}`}>
          Open the link in it within 24 hours, here or on another device where you log in, and your email
          changes. Until then it stays {present}. If nothing arrives, check your spam folder, or check the
          address.
        </Alert>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={accountPath(role, 'account')} variant="secondary">
            Back to your account
          </ButtonLink>
        </div>
      </div>
    )
  }
  return (
    <Form
      form={form}
      onSubmit={(body) => ask.send({ body })}
      failureTitle="Your email was not changed"
      renderFailure={unclearOutcome(
        'We cannot tell whether the link was sent',
        'Look for it in the mailbox of the new address. If you ask for it again, only the newest link works.',
      )}
    >
      <PendingEmail />
      <UnconfirmedEmail />
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={present ?? ''} readOnly hidden />
      <EmailField
        label="New email"
        autoComplete="email"
        {...fieldOf(form, 'email', { required: 'Enter the new email.' })}
      />
      <PasswordField
        label="Your password"
        description="To make sure it is you."
        autoComplete="current-password"
        {...fieldOf(form, 'current_password', limitsOf('POST /client/change-email', 'current_password'))}
      />
      <ForgottenPassword />
      <div className="flex flex-wrap gap-3">
        <SubmitButton pendingLabel="Sending">Send me the link</SubmitButton>
        <ButtonLink to={accountPath(role, 'account')} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
