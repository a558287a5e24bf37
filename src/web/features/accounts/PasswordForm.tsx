import { fieldOf, useForm } from '#web/lib/form.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { ForgottenPassword } from './ForgottenPassword.tsx'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'

type Values = { current_password: string; password: string; password_confirmation: string }

/** Sets a new password, by the present one. */
export function PasswordForm({ onChanged }: { onChanged(): void }) {
  const role = useAccountRole()
  const form = useForm<Values>()
  const person = personOf(useSession())

  const change = useAction(`POST /${role}/change-password`, { onDone: onChanged })

  return (
    <Form form={form} onSubmit={(body) => change.send({ body })} failureTitle="Your password was not changed">
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
