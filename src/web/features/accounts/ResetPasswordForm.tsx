import { useRef } from 'react'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { Form } from '#web/ui/Form.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { accountPath, type EntranceRole } from './account-paths.ts'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'

type Values = { password: string; password_confirmation: string; totp: string }

const isUnusable = (error: unknown) => error instanceof ApiError && error.code === 'invalid_token'

/** The way to another link stands beside it, so an unusable one is not told to be asked for anew twice. */
const failureText = (error: unknown): string =>
  isUnusable(error) ? 'This link has expired or has already been used.' : messageOf(error)

type Props = {
  role: EntranceRole
  /** From the link in the mail. */
  token: string
  email: string
  onReset(): void
}

/** Sets a new password by the link from the mail; an admin gives a code of the second factor as well. */
export function ResetPasswordForm({ role, token, email, onReset }: Props) {
  const form = useForm<Values>({ defaultValues: { password: '', password_confirmation: '', totp: '' } })

  /** An earlier try, whose answer was lost, may have used the link. */
  const mayBeUsed = useRef(false)

  const resetAdmin = useAction('POST /admin/password/reset')
  const resetOther = useAction(`POST /${role === 'admin' ? 'client' : role}/password/reset`)

  async function reset({ totp, ...values }: Values): Promise<void> {
    const { success } = await (role === 'admin'
      ? resetAdmin.send({ body: { ...values, token, ...(totp && { totp }) } })
      : resetOther.send({ body: { ...values, token, email } }))
    if (success) onReset()
    else form.setError('root.server', { message: 'Please try again.' })
  }

  /** A failure that is not about a field here is most likely about the link. */
  function showOthers(error: unknown): boolean {
    if (!isDefinite(error)) mayBeUsed.current = true
    const isAboutField =
      error instanceof ApiError &&
      ['password', 'password_confirmation', 'totp'].some((field) => field in error.errors)
    if (!isAboutField) form.setError('root.server', { message: failureText(error) })
    return !isAboutField
  }

  return (
    <Form
      form={form}
      onSubmit={reset}
      onFailure={showOthers}
      renderFailure={(message, error) =>
        isUnusable(error) && mayBeUsed.current ? (
          <Alert tone="warning" live="assertive" title="Your password is most likely changed">
            The link no longer works, and the answer to your first try was lost.{' '}
            <TextLink to={accountPath(role, 'sign-in')}>Log in</TextLink> with the password you chose then. If
            it does not work,{' '}
            <TextLink to={accountPath(role, 'forgot-password')}>ask for a new link</TextLink>.
          </Alert>
        ) : (
          <Alert tone="danger" live="assertive" title="Something went wrong">
            {message} {!isDefinite(error) && 'We cannot tell whether your password was changed. '}A link works
            once, for one hour;{' '}
            <TextLink to={accountPath(role, 'forgot-password')}>ask for a new one</TextLink>.
          </Alert>
        )
      }
    >
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" {...fieldOf(form, 'password', newPasswordRules)} />
      <NewPasswordAgainField {...fieldOf(form, 'password_confirmation', sameAgain)} />
      {role === 'admin' && (
        <TextField
          label="Code"
          description="The six digits your authenticator app shows now, or one of your recovery codes. Leave it empty if you have not set up an app yet."
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          {...fieldOf(form, 'totp')}
        />
      )}
      <SubmitButton pendingLabel="Saving" fullWidth>
        Save new password
      </SubmitButton>
    </Form>
  )
}
