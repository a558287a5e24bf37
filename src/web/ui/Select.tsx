import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { FieldFrame, type FieldTexts } from './FieldFrame.tsx'

export type SelectProps = FieldTexts &
  Omit<ComponentProps<'select'>, 'className' | 'style'> & {
    /** In place of `children`. */
    options?: readonly { value: string; label: string; isDisabled?: boolean }[]
  }

/** One choice out of a list: the browser's own, which every phone and screen reader knows, and a plain form sends. */
export function Select({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  id,
  options,
  children,
  ...select
}: SelectProps) {
  return (
    <FieldFrame {...{ label, description, error, isOptional, isLabelHidden, className, id }}>
      {(attributes) => (
        <div className="relative">
          <select {...select} {...attributes} className="field appearance-none pr-10">
            {options?.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled}>
                {option.label}
              </option>
            )) ?? children}
          </select>
          <IconChevronDown
            aria-hidden
            size={20}
            className="pointer-events-none absolute inset-y-0 right-3 my-auto text-soft"
          />
        </div>
      )}
    </FieldFrame>
  )
}
