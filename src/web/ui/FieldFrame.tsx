import { IconAlertCircle } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** What every field of a form has. */
export type FieldTexts = {
  label: ReactNode
  /** A hint below the label: what it is for, its format. */
  description?: ReactNode
  /** What is wrong and how to put it right. */
  error?: string
  /** Marked in words; what is not marked is required. */
  isOptional?: boolean
  /** For screen readers alone, where the place says it already. */
  isLabelHidden?: boolean
  /** Layout only. */
  className?: string
}

/** Ties the control to its texts. */
export type FieldAttributes = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Props = FieldTexts & { id?: string; children: (attributes: FieldAttributes) => ReactNode }

/** Divides the props of a field into those of its frame and those of its control. */
export function framed<Field extends FieldTexts & { id?: string | undefined }>({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  id,
  ...control
}: Field) {
  return [{ label, description, error, isOptional, isLabelHidden, className, id }, control] as const
}

/** A label, a hint, the control and its error, in this order, tied together by ids. */
export function FieldFrame({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  id: given,
  children,
}: Props) {
  const made = useId()
  const id = given ?? made
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [description && hintId, error && errorId].filter(Boolean).join(' ') || undefined
  return (
    <div data-invalid={error ? '' : undefined} className={classes('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={classes('font-semibold', isLabelHidden && 'sr-only')}>
        {label}
        {isOptional && <span className="font-normal text-soft"> (optional)</span>}
      </label>
      {description && (
        <div id={hintId} className="text-sm text-soft">
          {description}
        </div>
      )}
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

/** The words under a field that need attention. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-sm font-semibold text-danger">
      <IconAlertCircle aria-hidden size={18} className="mt-0.5 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

/** Ties a control of several to the texts of their question. */
export type PartAttributes = Omit<FieldAttributes, 'id'>

/**
 * The same around several controls that answer one question. The error stands before them, since a list of many options
 * would end below the screen. The controls get it as well: a group's description is not read everywhere.
 */
export function FieldSet({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  children,
}: FieldTexts & { children: ReactNode | ((attributes: PartAttributes) => ReactNode) }) {
  const id = useId()
  const describedBy =
    [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    // Safari counts the legend of a fieldset twice where that is itself an item of a column.
    <div className={classes('min-w-0', className)}>
      <fieldset
        aria-describedby={describedBy}
        data-invalid={error ? '' : undefined}
        className="flex min-w-0 flex-col"
      >
        <legend className={classes('mb-1.5 font-semibold', isLabelHidden && 'sr-only')}>
          {label}
          {isOptional && <span className="font-normal text-soft"> (optional)</span>}
        </legend>
        {description && (
          <div id={`${id}-hint`} className="mb-2 text-sm text-soft">
            {description}
          </div>
        )}
        {error && (
          <div className="mb-2">
            <FieldError id={`${id}-error`}>{error}</FieldError>
          </div>
        )}
        {typeof children === 'function'
          ? children({
              'aria-describedby': error ? `${id}-error` : undefined,
              'aria-invalid': error ? true : undefined,
            })
          : children}
      </fieldset>
    </div>
  )
}
