import { classes } from './classes.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonLook = {
  /** One primary per screen on a phone. */
  variant?: ButtonVariant
  /** `small` is 36px high, for dense lists beside a larger target; else 48px. */
  size?: 'medium' | 'small'
  fullWidth?: boolean
}

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-action text-on-action hover:bg-action-strong active:bg-action-strong',
  secondary: 'border-edge bg-surface text-ink hover:border-ink hover:bg-raised active:bg-sunken',
  quiet:
    'border-transparent bg-transparent text-action underline-offset-4 hover:bg-action-soft hover:text-on-action-soft',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong active:bg-danger-strong',
}

/** The classes that make a button, for buttons and for links that look like one. */
export function buttonLook({ variant = 'primary', size = 'medium', fullWidth }: ButtonLook): string {
  return classes(
    'relative inline-flex items-center justify-center gap-2 rounded-full border text-center font-semibold no-underline',
    'transition-colors disabled:cursor-default disabled:opacity-55',
    size === 'small' ? 'min-h-9 px-4 py-1 text-sm' : 'min-h-12 px-6 py-2 text-base leading-tight',
    fullWidth && 'w-full',
    variants[variant],
    'print:hidden',
  )
}
