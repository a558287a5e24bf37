import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { accountPath, type EntranceRole } from './account-paths.ts'

type Values = { email: string }

/** Asks for a mail with a link. The answer is the same whether or not there is an account. */
export function ForgotPasswordForm({ role }: { role: EntranceRole }) {
  const form = useForm<Values>()
  const [isSent, setSent] = useState(false)
  const { errors, isSubmitting } = form.formState

  const send = form.handleSubmit(async (body) => {
    try {
      await callApi(`POST /${role}/forgot-password`, { body })
      setSent(true)
    } catch (error) {
      showApiError(form, error)
    }
  })

  if (isSent) {
    return (
      <div className="flex flex-col gap-5">
        <Alert tone="success" live="polite" title="We sent you a message with a new password.">
          Open the link in it within one hour to choose your password. If nothing arrives, look in the folder
          for unwanted mail.
        </Alert>
        <ButtonLink to={accountPath(role, 'sign-in')} variant="secondary">
          Back to log in
        </ButtonLink>
      </div>
    )
  }
  return (
    <form method="post" noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
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
      <SubmitButton isPending={isSubmitting} pendingLabel="Sending" fullWidth>
        Send me a link
      </SubmitButton>
    </form>
  )
}
