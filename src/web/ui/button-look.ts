import { classes } from './classes.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonLook = {
  /** One primary per screen on a phone. */
  variant?: ButtonVariant
  /** `small` is 36px high, for dense lists beside a larger target; else 48px. */
  size?: 'medium' | 'small'
  fullWidth?: boolean
}

/** Written out: the style sheet holds the classes that are found in the sources. */
const looks: Record<ButtonVariant, string> = {
  primary: 'button button-primary',
  secondary: 'button button-secondary',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
}

/** The classes that make a button, for buttons and for links that look like one. */
export function buttonLook({ variant = 'primary', size = 'medium', fullWidth }: ButtonLook): string {
  return classes(looks[variant], size === 'small' && 'button-small', fullWidth && 'w-full')
}
