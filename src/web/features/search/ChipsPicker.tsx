import { useRef } from 'react'
import { ComboBox } from '#web/ui/ComboBox.tsx'
import { TagGroup } from '#web/ui/TagGroup.tsx'
import type { Option } from './active-filters.ts'

export type ChipsFieldProps = {
  label: string
  description?: string
  name: string
  options: readonly Option[]
  value: readonly string[]
  onChange(value: string[]): void
  placeholder: string
}

/** Chosen words as removable tags, and a searched list of the others: nothing can be added twice. */
export default function ChipsPicker({
  label,
  description,
  name,
  options,
  value,
  onChange,
  placeholder,
}: ChipsFieldProps) {
  const field = useRef<HTMLDivElement>(null)
  const chosen = options.filter((option) => value.includes(option.value))
  const remove = (id: string) => {
    onChange(value.filter((other) => other !== id))
    // With the last tag the list of tags goes, and the focus would go with it.
    if (value.length === 1) field.current?.querySelector('input')?.focus()
  }
  return (
    <div className="flex flex-col gap-1.5">
      {/* The field is named by its own label; here it stands above the tags, which an open list would cover below. */}
      <span aria-hidden className="font-semibold">
        {label}
      </span>
      {chosen.length > 0 && (
        <TagGroup
          label={`Chosen: ${label}`}
          isLabelHidden
          className="pb-1"
          tags={chosen.map((option) => ({ id: option.value, label: option.label }))}
          onRemove={remove}
        />
      )}
      <div ref={field}>
        <ComboBox
          label={label}
          isLabelHidden
          description={description}
          placeholder={placeholder}
          isAdding
          options={options.filter((option) => !value.includes(option.value))}
          value={null}
          onChange={(added) => {
            if (added !== null && !value.includes(added)) onChange([...value, added])
          }}
        />
      </div>
      {value.map((id) => (
        <input key={id} type="hidden" name={name} value={id} />
      ))}
    </div>
  )
}
