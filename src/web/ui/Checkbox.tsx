import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import { FieldError } from './FieldFrame.tsx'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'style' | 'children'> & {
  children: ReactNode
  description?: ReactNode
  error?: string
  /** Layout only. */
  className?: string
}

/** One tick. A native input, so it is sent with a plain form and takes react-hook-form's `register('name')`. */
export function Checkbox({ children, description, error, className, ...input }: CheckboxProps) {
  const id = useId()
  const describedBy =
    [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div data-invalid={error ? '' : undefined} className={classes('flex flex-col gap-1', className)}>
      <label className="flex min-h-11 items-start gap-3 py-2">
        <input
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
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
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
