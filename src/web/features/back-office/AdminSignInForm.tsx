import { useEffect, useState } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { startAdminSession } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Form } from '#web/ui/Form.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

type Values = { email: string; password: string; totp: string }

/** Signs an admin in: email and password first, then a code where the account has a second factor. */
export function AdminSignInForm({ onSignedIn }: { onSignedIn(): void }) {
  const form = useForm<Values>({ defaultValues: { email: '', password: '', totp: '' } })
  const [asksForCode, setAsksForCode] = useState(false)

  useEffect(() => {
    if (asksForCode) form.setFocus('totp')
  }, [asksForCode, form])

  const signIn = useAction('POST /admin/login', { onDone: startAdminSession })

  function askForCode(error: unknown): boolean {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'totp_required') setAsksForCode(true)
    if (code === 'invalid_credentials') setAsksForCode(false)
    if (code === 'wrong_code') form.resetField('totp')
    return code === 'totp_required'
  }

  return (
    <Form
      form={form}
      onSubmit={async ({ email, password, totp }) => {
        await signIn.send({ body: { email, password, ...(asksForCode && { totp }) } })
        onSignedIn()
      }}
      onFailure={askForCode}
    >
      <EmailField {...fieldOf(form, 'email', { required: 'Enter your email.' })} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        {...fieldOf(form, 'password', { required: 'Enter your password.' })}
      />
      {asksForCode && (
        <TextField
          label="Code"
          description="The six digits your authenticator app shows now. If you do not have it with you, use one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          {...fieldOf(form, 'totp', { required: 'Enter the code.' })}
        />
      )}
      <SubmitButton pendingLabel="Logging in" fullWidth>
        Log in
      </SubmitButton>
    </Form>
  )
}
