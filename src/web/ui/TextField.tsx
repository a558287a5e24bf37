import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { FieldFrame, type FieldTexts } from './FieldFrame.tsx'

export type TextFieldProps = FieldTexts &
  Omit<ComponentProps<'input'>, 'className' | 'style'> & {
    /** Stands before the text inside the box, such as a pound sign. */
    prefix?: ReactNode
  }

/** One line of text. Takes the whole of react-hook-form's `register('name')`. */
export function TextField({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  id,
  prefix,
  ...input
}: TextFieldProps) {
  return (
    <FieldFrame {...{ label, description, error, isOptional, isLabelHidden, className, id }}>
      {(attributes) => (
        <div className="relative">
          {prefix && (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-soft"
            >
              {prefix}
            </span>
          )}
          <input
            type="text"
            {...input}
            {...attributes}
            className={classes('field', prefix ? 'pl-8' : undefined)}
          />
        </div>
      )}
    </FieldFrame>
  )
}
