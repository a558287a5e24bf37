import { TextField, type TextFieldProps } from './TextField.tsx'

/** An email address: the own account's, unless `autoComplete` says otherwise. */
export function EmailField({ label = 'Email', ...props }: Partial<TextFieldProps>) {
  return <TextField label={label} type="email" autoComplete="username" inputMode="email" {...props} />
}
