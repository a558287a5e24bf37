import { useForm } from 'react-hook-form'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'
import { NewPasswordAgainField, NewPasswordField, newPasswordRules, sameAgain } from './NewPasswordField.tsx'

type Values = { current_password: string; password: string; password_confirmation: string }

/** Sets a new password, by the present one. */
export function PasswordForm({ onChanged }: { onChanged(): void }) {
  const role = useAccountRole()
  const form = useForm<Values>()
  const person = personOf(useSession())
  const { errors, isSubmitting } = form.formState

  const change = form.handleSubmit(async (body) => {
    try {
      await callApi(`POST /${role}/change-password`, { body })
      onChanged()
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void change(event)} className="flex flex-col gap-5">
      {errors.root?.server && (
        <Alert tone="danger" live="assertive" title="Your password is not changed">
          {errors.root.server.message}
        </Alert>
      )}
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
      <PasswordField
        label="Present password"
        autoComplete="current-password"
        error={errors.current_password?.message}
        {...form.register('current_password', { required: 'Enter your present password.' })}
      />
      <p className="-mt-2 text-sm text-soft">
        Forgotten? <TextLink to={accountPath(role, 'forgot-password')}>We can send you a link</TextLink>{' '}
        instead.
      </p>
      <NewPasswordField
        label="New password"
        error={errors.password?.message}
        {...form.register('password', newPasswordRules)}
      />
      <NewPasswordAgainField
        error={errors.password_confirmation?.message}
        {...form.register('password_confirmation', sameAgain)}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton isPending={isSubmitting} pendingLabel="Saving">
          Save new password
        </SubmitButton>
        <ButtonLink to={accountPath(role, 'account')} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </form>
  )
}
