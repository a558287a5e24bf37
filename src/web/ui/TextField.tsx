import { type ComponentProps, type ReactNode, use } from 'react'
import { classes } from './classes.ts'
import { framed, FieldFrame, type FieldTexts } from './FieldFrame.tsx'
import { Submitting } from './submitting.ts'

export type TextFieldProps = FieldTexts &
  Omit<ComponentProps<'input'>, 'className' | 'style'> & {
    /** Stands before the text inside the box, such as a pound sign. */
    prefix?: ReactNode
  }

/** One line of text. Takes the whole of react-hook-form's `register('name')`. */
export function TextField({ prefix, ...props }: TextFieldProps) {
  const [frame, input] = framed(props)
  const isSending = use(Submitting)
  return (
    <FieldFrame {...frame}>
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
            readOnly={isSending}
            {...input}
            {...attributes}
            className={classes('field', prefix ? 'pl-8' : undefined)}
          />
        </div>
      )}
    </FieldFrame>
  )
}
