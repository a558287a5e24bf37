import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { Option } from './active-filters.ts'

type ChoiceFieldProps = {
  label: string
  name: string
  /** With the number of results that each would leave, where it is known. */
  options: readonly (Option & { count?: string; isEmpty?: boolean })[]
  /** Label of the choice of none. */
  none: string
  /** Controlled by the caller when given. */
  value?: string
  defaultValue?: string
  onChange?(value: string): void
}

/** The most choices that are shown at once. */
const shownAtOnce = 4

/** One choice or none: a few of them are shown at once, more in a list that opens. */
export function ChoiceField({ options, none, onChange, ...field }: ChoiceFieldProps) {
  const unchosen: Option = { value: '', label: none }
  if (options.length <= shownAtOnce) {
    return <RadioGroup {...field} options={[...options, unchosen]} onChange={onChange} />
  }
  return (
    <Select
      {...field}
      options={[
        unchosen,
        ...options.map(({ value, label, count }) => ({
          value,
          label: count ? `${label} (${count})` : label,
        })),
      ]}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  )
}
