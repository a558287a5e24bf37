import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { FieldSet, type FieldTexts } from './FieldFrame.tsx'

export type RadioOption = {
  value: string
  label: ReactNode
  description?: ReactNode
  icon?: ReactNode
  isDisabled?: boolean
  /** How many results it would leave: at the end of a plain line, and read as the description of the radio button. */
  count?: string
  /** It would leave none, and `count` says why. */
  isEmpty?: boolean
}

export type RadioGroupProps = FieldTexts & {
  options: readonly RadioOption[]
  /** Given here or by `inputProps`. */
  name?: string
  /** Controlled by the caller when given. */
  value?: string
  defaultValue?: string
  onChange?(value: string): void
  /** `card`: large, for one question on a screen. `plain`: a list of lines. */
  look?: 'plain' | 'card'
  /** The result of react-hook-form's `register('name')`. */
  inputProps?: Omit<ComponentProps<'input'>, 'type' | 'className' | 'style' | 'value'>
}

/** One choice out of a few. Native inputs: arrows move, a plain form sends it. */
export function RadioGroup({
  options,
  name,
  value,
  defaultValue,
  onChange,
  look = 'plain',
  inputProps,
  ...texts
}: RadioGroupProps) {
  return (
    <FieldSet {...texts}>
      {({ 'aria-describedby': describedBy }) => (
        <div className={look === 'card' ? 'grid gap-3' : 'flex flex-col'}>
          {options.map((option) => (
            <label
              key={option.value}
              className={classes(
                look === 'plain' && 'choice',
                look === 'card' &&
                  'group flex min-h-16 items-center gap-3 rounded-lg border border-edge bg-surface px-4 py-3.5 shadow-low transition-colors hover:border-ink has-checked:border-action has-checked:bg-action-soft has-checked:text-on-action-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-checked:chosen-outline',
              )}
            >
              <input
                {...inputProps}
                {...radioState(option.value, value, defaultValue, onChange, inputProps?.onChange)}
                type="radio"
                name={name ?? inputProps?.name}
                aria-describedby={describedBy}
                value={option.value}
                disabled={option.isDisabled}
                // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- global in WAI-ARIA 1.3
                aria-description={option.count}
                className={classes('dot', look === 'card' && 'outline-none')}
              />
              {option.icon}
              <span>
                <span className={look === 'card' ? 'font-semibold' : undefined}>{option.label}</span>
                {option.description && <span className="block text-sm text-soft">{option.description}</span>}
              </span>
              {option.isEmpty && <small aria-hidden>{option.count}</small>}
            </label>
          ))}
        </div>
      )}
    </FieldSet>
  )
}

/** The attributes of one radio, controlled or not. */
export function radioState(
  own: string,
  value: string | undefined,
  defaultValue: string | undefined,
  onChange: ((value: string) => void) | undefined,
  alsoOnChange?: ComponentProps<'input'>['onChange'],
): Pick<ComponentProps<'input'>, 'checked' | 'defaultChecked' | 'onChange'> {
  return {
    ...(value === undefined
      ? { defaultChecked: defaultValue === undefined ? undefined : defaultValue === own }
      : { checked: value === own }),
    onChange: (event) => {
      alsoOnChange?.(event)
      onChange?.(own)
    },
  }
}
