import { IconCheck } from '@tabler/icons-react'
import { type CheckboxGroupProps, chosen } from './CheckboxGroup.tsx'
import { FieldSet } from './FieldFrame.tsx'

/** Several ticks under one question, as chips. The same props as `CheckboxGroup`, and the same in a plain form. */
export function ChipGroup({ name, options, value, onChange, ref, ...texts }: CheckboxGroupProps) {
  return (
    <FieldSet {...texts}>
      {({ 'aria-describedby': describedBy }) => (
        <ul className="flex flex-wrap gap-2">
          {options.map((option, at) => (
            <li key={option.value}>
              <label className="group relative tappable gap-1.5 rounded-full border border-edge bg-surface px-4 py-1.5 text-sm transition-colors hover:border-ink has-checked:border-action has-checked:bg-action-soft has-checked:text-on-action-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:opacity-50 has-checked:chosen-outline">
                <input
                  type="checkbox"
                  name={name}
                  value={option.value}
                  disabled={option.isDisabled}
                  className="sr-only"
                  {...(at === 0 && { ref, 'aria-describedby': describedBy })}
                  {...chosen(option.value, value, onChange)}
                />
                <IconCheck aria-hidden size={16} stroke={2.5} className="hidden group-has-checked:block" />
                {option.label}
                {option.count !== undefined && (
                  <span className="text-faint tabular-nums">{option.count}</span>
                )}
              </label>
            </li>
          ))}
        </ul>
      )}
    </FieldSet>
  )
}
