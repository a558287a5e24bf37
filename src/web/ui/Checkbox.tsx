import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import { FieldError } from './FieldFrame.tsx'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'style' | 'children'> & {
  children: ReactNode
  description?: ReactNode
  error?: string
  /** How many results it would leave: at the end of the line, and read as its description. */
  count?: string | undefined
  /** It would leave none, and `count` says why. */
  isEmpty?: boolean
  /** Layout only. */
  className?: string
}

/** One tick. A native input, so it is sent with a plain form and takes react-hook-form's `register('name')`. */
export function Checkbox({
  children,
  description,
  error,
  count,
  isEmpty,
  className,
  ...input
}: CheckboxProps) {
  const id = useId()
  const describedBy =
    [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div data-invalid={error ? '' : undefined} className={classes('flex flex-col gap-1', className)}>
      <label className="choice">
        <input
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- global in WAI-ARIA 1.3
          aria-description={count}
          {...input}
          type="checkbox"
          className="tick"
        />
        <span>
          {children}
          {description && (
            <span id={`${id}-hint`} className="block text-sm text-soft">
              {description}
            </span>
          )}
        </span>
        {isEmpty && <small aria-hidden>{count}</small>}
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
