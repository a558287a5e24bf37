import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { showApiError } from '#web/lib/form.ts'
import { startAdminSession } from '#web/lib/session.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

type Values = { email: string; password: string; totp: string }

/** Signs an admin in: email and password first, then a code where the account has a second factor. */
export function AdminSignInForm({ onSignedIn }: { onSignedIn(): void }) {
  const form = useForm<Values>({ defaultValues: { email: '', password: '', totp: '' } })
  const [asksForCode, setAsksForCode] = useState(false)
  const { errors, isSubmitting } = form.formState

  useEffect(() => {
    if (asksForCode) form.setFocus('totp')
  }, [asksForCode, form])

  const signIn = form.handleSubmit(async ({ email, password, totp }) => {
    try {
      const body = { email, password, ...(asksForCode && { totp }) }
      startAdminSession(await callApi('POST /admin/login', { body }))
      onSignedIn()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'totp_required') {
        setAsksForCode(true)
        return
      }
      if (error instanceof ApiError && error.code === 'invalid_credentials') setAsksForCode(false)
      if (error instanceof ApiError && error.code === 'wrong_code') form.resetField('totp')
      showApiError(form, error)
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
      {asksForCode && (
        <TextField
          label="Code"
          description="The six digits that your authenticator app shows now. If you do not have it with you, one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.totp?.message}
          {...form.register('totp', { required: 'Enter the code.' })}
        />
      )}
      <SubmitButton isPending={isSubmitting} pendingLabel="Logging in" fullWidth>
        Log in
      </SubmitButton>
    </form>
  )
}
