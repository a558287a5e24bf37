import type { ComponentProps } from 'react'
import { limitsOf } from '#web/lib/limits.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'

/** What a new password has to be, the same for every account; `register('password', newPasswordRules)`. */
export const newPasswordRules = {
  required: 'Choose a password.',
  ...limitsOf('POST /client/register', 'password'),
}

/** A new password, with what makes a good one. */
export function NewPasswordField({
  label = 'Password',
  ...props
}: Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'> & { label?: string }) {
  return (
    <PasswordField
      label={label}
      description="8 characters or more. Three unrelated words make a good one."
      autoComplete="new-password"
      {...props}
    />
  )
}

/** The same again, so that a slip of the finger is seen. */
export function NewPasswordAgainField(
  props: Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'>,
) {
  return <PasswordField label="New password again" autoComplete="new-password" {...props} />
}

/** The rule for that field. */
export const sameAgain = {
  validate: (again: string, { password }: { password: string }) =>
    again === password || 'Passwords do not match.',
}
