import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { buttonLook, type ButtonLook } from './button-look.ts'
import { classes } from './classes.ts'
import { Spinner } from './Spinner.tsx'

/** What a button of ours takes. The browser's own underneath: it needs no script of the kit to be pressed. */
export type PressProps = Pick<
  ComponentProps<'button'>,
  | 'id'
  | 'type'
  | 'form'
  | 'name'
  | 'value'
  | 'ref'
  | 'role'
  | 'tabIndex'
  | 'autoFocus'
  | (`aria-${string}` & keyof ComponentProps<'button'>)
> & {
  onPress?(): void
  isDisabled?: boolean
}

export type ButtonProps = ButtonLook &
  PressProps & {
    children: ReactNode
    /** Layout only. */
    className?: string
    isPending?: boolean
    /** What a screen reader hears while pending. */
    pendingLabel?: string
  }

/**
 * Safari does not focus a button that is clicked, and what it opens could not give the focus back. Enter in a field clicks
 * the button of its form too, without a pointer: then the focus stays in the field.
 */
export function pressed(
  onPress: PressProps['onPress'],
  type?: PressProps['type'],
): (event: MouseEvent<HTMLElement>) => void {
  return ({ currentTarget, detail }) => {
    if (type !== 'submit' || detail > 0) currentTarget.focus()
    onPress?.()
  }
}

/**
 * Does something here. For going somewhere there is `ButtonLink`. A disabled or pending button keeps its place in the tab
 * order and its focus, and does nothing.
 */
export function Button({
  variant,
  size,
  fullWidth,
  className,
  children,
  isPending,
  isDisabled,
  pendingLabel = 'Please wait',
  type = 'button',
  onPress,
  ...props
}: ButtonProps) {
  const isOff = isPending || isDisabled || props['aria-disabled']
  return (
    <>
      <button
        {...props}
        type={isOff && type === 'submit' ? 'button' : type}
        onClick={isOff ? undefined : pressed(onPress, type)}
        aria-disabled={isOff || undefined}
        className={classes(
          buttonLook({ variant, size, fullWidth }),
          isDisabled && 'cursor-default opacity-55',
          className,
        )}
      >
        <span className={classes('inline-flex items-center gap-2', isPending && 'invisible')}>
          {children}
        </span>
        {isPending && (
          <span className="absolute inset-0 grid place-items-center">
            <Spinner label={pendingLabel} />
          </span>
        )}
      </button>
      <span aria-live="polite" className="sr-only">
        {isPending && pendingLabel}
      </span>
    </>
  )
}
