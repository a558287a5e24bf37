import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { classes } from './classes.ts'

export type IconButtonProps = Omit<AriaButtonProps, 'className' | 'children' | 'style' | 'aria-label'> & {
  /** Its name: an icon alone says nothing to a screen reader. */
  label: string
  children: ReactNode
  /** Layout only. */
  className?: string
}

/** A round 44px button with an icon. */
export function IconButton({ label, children, className, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      className={classes(
        'target inline-grid place-items-center rounded-full border border-transparent text-soft transition-colors hover:bg-sunken hover:text-ink disabled:opacity-45',
        className,
      )}
    >
      {children}
    </AriaButton>
  )
}
