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
  isPending,
  pendingLabel = 'Please wait',
  type,
  onPress,
  ...props
}: ButtonProps) {
  return (
    <>
      {/* Pending is ours: React Aria's announces by pointing at the button, and goes on pointing when that has left. */}
      <AriaButton
        {...props}
        type={isPending && type === 'submit' ? 'button' : type}
        onPress={isPending ? undefined : onPress}
        aria-disabled={isPending || undefined}
        className={classes(buttonLook({ variant, size, fullWidth }), className)}
      >
        <span className={classes('inline-flex items-center gap-2', isPending && 'invisible')}>
          {children}
        </span>
        {isPending && (
          <span className="absolute inset-0 grid place-items-center">
            <Spinner label={pendingLabel} />
          </span>
        )}
      </AriaButton>
      <span aria-live="polite" className="sr-only">
        {isPending && pendingLabel}
      </span>
    </>
  )
}
