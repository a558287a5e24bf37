import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { ownAccountQuery } from './own-profile.ts'
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
  const { errors, isSubmitting } = form.formState

  const ask = form.handleSubmit(async (body) => {
    try {
      await callApi(`POST /${role}/change-email`, { body })
      setAsked(body.email.trim())
    } catch (error) {
      showApiError(form, error)
    }
  })

  if (asked !== undefined) {
    return (
      <div className="flex flex-col gap-6">
        <Alert tone="success" live="polite" title={`We sent a mail to ${asked}`}>
          Open the link in it within 24 hours, here or on another device where you log in, and that address is
          yours. Until then your email stays {present}. If nothing arrives, look in the folder for unwanted
          mail, or check the address.
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
    <form method="post" noValidate onSubmit={(event) => void ask(event)} className="flex flex-col gap-5">
      <UnconfirmedEmail />
      {errors.root?.server && (
        <Alert tone="danger" live="assertive" title="Your email is not changed">
          {errors.root.server.message}
        </Alert>
      )}
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={present ?? ''} readOnly hidden />
      <TextField
        label="New email"
        type="email"
        autoComplete="email"
        inputMode="email"
        error={errors.email?.message}
        {...form.register('email', { required: 'Enter the new email.' })}
      />
      <PasswordField
        label="Your password"
        description="So that nobody else can do this."
        autoComplete="current-password"
        error={errors.current_password?.message}
        {...form.register('current_password', { required: 'Enter your password.' })}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton isPending={isSubmitting} pendingLabel="Sending">
          Send me the link
        </SubmitButton>
        <ButtonLink to={accountPath(role, 'account')} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </form>
  )
}
