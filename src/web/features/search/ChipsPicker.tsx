import { ComboBox } from '#web/ui/ComboBox.tsx'
import { TagGroup } from '#web/ui/TagGroup.tsx'
import type { ChipsFieldProps } from './ChipsField.tsx'

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
  const chosen = options.filter((option) => value.includes(option.value))
  return (
    <div className="flex flex-col gap-2.5">
      <ComboBox
        label={label}
        description={description}
        placeholder={placeholder}
        options={options.filter((option) => !value.includes(option.value))}
        isAdding
        value={null}
        onChange={(added) => {
          if (added !== null && !value.includes(added)) onChange([...value, added])
        }}
      />
      {chosen.length > 0 && (
        <TagGroup
          label={`Chosen: ${label}`}
          isLabelHidden
          tags={chosen.map((option) => ({ id: option.value, label: option.label }))}
          onRemove={(id) => onChange(value.filter((other) => other !== id))}
        />
      )}
      {value.map((id) => (
        <input key={id} type="hidden" name={name} value={id} />
      ))}
    </div>
  )
}
