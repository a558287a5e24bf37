import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { buttonLook, type ButtonLook } from './button-look.ts'
import { classes } from './classes.ts'
import { Spinner } from './Spinner.tsx'

export type ButtonProps = ButtonLook &
  Omit<AriaButtonProps, 'className' | 'children' | 'style'> & {
    children: ReactNode
    /** Layout only. */
    className?: string
    /** What a screen reader hears while pending. */
    pendingLabel?: string
  }

/** Does something here. For going somewhere there is `ButtonLink`. While pending it keeps its width and its focus, and cannot be pressed twice. */
export function Button({
  variant,
  size,
  fullWidth,
  className,
  children,
  pendingLabel = 'Please wait',
  ...props
}: ButtonProps) {
  return (
    <AriaButton {...props} className={classes(buttonLook({ variant, size, fullWidth }), className)}>
      {({ isPending }) => (
        <>
          <span className={classes('inline-flex items-center gap-2', isPending && 'invisible')}>
            {children}
          </span>
          {isPending && (
            <span className="absolute inset-0 grid place-items-center">
              <Spinner label={pendingLabel} />
            </span>
          )}
        </>
      )}
    </AriaButton>
  )
}
