import { useRef } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { ForgottenPassword } from './ForgottenPassword.tsx'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'
import { unclearOutcome } from './unclear-outcome.tsx'

type Values = { current_password: string; password: string; password_confirmation: string }

/** Sets a new password, by the present one. */
export function PasswordForm({ onChanged }: { onChanged(): void | Promise<void> }) {
  const role = useAccountRole()
  const form = useForm<Values>()
  const person = personOf(useSession())

  const change = useAction(`POST /${role}/change-password`, { onDone: onChanged })

  /** An earlier try may have changed it: the current password that is typed is then the former one. */
  const mayBeChanged = useRef(false)
  function showUsed(error: unknown): boolean {
    if (!isDefinite(error)) mayBeChanged.current = true
    const isUsed = mayBeChanged.current && error instanceof ApiError && error.code === 'wrong_password'
    if (isUsed) {
      const message = 'This is not your current password. Your new password may be in use already.'
      form.setError('current_password', { message })
    }
    return isUsed
  }

  return (
    <Form
      form={form}
      onSubmit={(body) => change.send({ body })}
      onFailure={showUsed}
      failureTitle="Your password was not changed"
      renderFailure={unclearOutcome(
        'We cannot tell whether your password was changed',
        'If it was changed, we have sent you an email that says so, and the new password is your current one.',
      )}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...fieldOf(form, 'current_password', { required: 'Enter your current password.' })}
      />
      <ForgottenPassword />
      <NewPasswordField label="New password" {...fieldOf(form, 'password', newPasswordRules)} />
      <NewPasswordAgainField {...fieldOf(form, 'password_confirmation', sameAgain)} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton pendingLabel="Saving">Save new password</SubmitButton>
        <ButtonLink to={accountPath(role, 'account')} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
