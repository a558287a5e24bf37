import type { ReactNode } from 'react'
import { type PressProps, pressed } from './Button.tsx'
import { classes } from './classes.ts'

type Props = Omit<PressProps, 'aria-label' | 'type'> & {
  /** Its name: an icon alone says nothing to a screen reader. */
  label: string
  children: ReactNode
  /** Layout only. */
  className?: string
}

/** The look of a round 44px button with an icon. */
export const iconButtonLook =
  'target inline-grid place-items-center rounded-full border border-transparent text-soft transition-colors hover:bg-sunken hover:text-ink disabled:opacity-45 aria-disabled:cursor-default aria-disabled:opacity-45'

/** A round 44px button with an icon. */
export function IconButton({ label, children, className, isDisabled, onPress, ...props }: Props) {
  return (
    <button
      {...props}
      type="button"
      aria-disabled={isDisabled || props['aria-disabled']}
      onClick={isDisabled ? undefined : pressed(onPress)}
      aria-label={label}
      className={classes(iconButtonLook, className)}
    >
      {children}
    </button>
  )
}
