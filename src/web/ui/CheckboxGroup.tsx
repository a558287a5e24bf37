import type { ReactNode, Ref } from 'react'
import { FieldSet, type FieldTexts } from './FieldFrame.tsx'

export type CheckboxOption = {
  value: string
  label: ReactNode
  description?: ReactNode
  /** How many results it would leave: at the end of the line, and read as the description of the tick. */
  count?: string
  /** It would leave none, and `count` says why. */
  isEmpty?: boolean
  isDisabled?: boolean
}

export type CheckboxGroupProps = FieldTexts & {
  name: string
  options: readonly CheckboxOption[]
  /** Controlled by the caller when given. */
  value?: readonly string[]
  onChange?(value: string[]): void
  /** The first tick, which takes the focus when something is wrong. */
  ref?: Ref<HTMLInputElement>
}

/** Several ticks under one question, as a list. Sent with a plain form as one parameter per tick. */
export function CheckboxGroup({ name, options, value, onChange, ref, ...texts }: CheckboxGroupProps) {
  return (
    <FieldSet {...texts}>
      {({ 'aria-describedby': describedBy }) => (
        <ul className="choices">
          {options.map((option, at) => (
            <li key={option.value}>
              <label>
                <input
                  type="checkbox"
                  name={name}
                  value={option.value}
                  disabled={option.isDisabled}
                  // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- global in WAI-ARIA 1.3
                  aria-description={option.count}
                  {...(at === 0 && { ref, 'aria-describedby': describedBy })}
                  {...chosen(option.value, value, onChange)}
                />
                {wordsOf(option)}
                {option.isEmpty && <small aria-hidden>{option.count}</small>}
              </label>
            </li>
          ))}
        </ul>
      )}
    </FieldSet>
  )
}

/** A text that stands alone needs no element: some lists have a hundred options. */
function wordsOf({ label, description }: CheckboxOption): ReactNode {
  if (typeof label === 'string' && !description) return label
  return (
    <span className="grow">
      {label}
      {description && <span className="block text-sm text-soft">{description}</span>}
    </span>
  )
}

/** The attributes of one tick in a group, controlled or not. */
export function chosen(
  own: string,
  value: readonly string[] | undefined,
  onChange: ((value: string[]) => void) | undefined,
) {
  if (!value) return {}
  return {
    checked: value.includes(own),
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      onChange?.(event.currentTarget.checked ? [...value, own] : value.filter((other) => other !== own)),
  }
}
