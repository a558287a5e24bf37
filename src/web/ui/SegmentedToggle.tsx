import { FieldSet } from './FieldFrame.tsx'
import { radioState, type RadioGroupProps } from './RadioGroup.tsx'

/** A choice between two or three words, side by side. A radio group underneath. */
export function SegmentedToggle({
  options,
  name,
  value,
  defaultValue,
  onChange,
  inputProps,
  ...texts
}: Omit<RadioGroupProps, 'look'>) {
  return (
    <FieldSet {...texts}>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-full border border-edge bg-sunken p-1">
        {options.map((option) => (
          <label key={option.value} className="segment">
            <input
              {...inputProps}
              {...radioState(option.value, value, defaultValue, onChange, inputProps?.onChange)}
              type="radio"
              name={name ?? inputProps?.name}
              value={option.value}
              disabled={option.isDisabled}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </FieldSet>
  )
}
