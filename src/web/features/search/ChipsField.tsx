import { IconChevronDown } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import type { ChipsFieldProps } from './ChipsPicker.tsx'

const ChipsPicker = lazyPart(() => import('./ChipsPicker.tsx'))

/** Some out of a long list. Alive it is searched by typing; without JavaScript the list opens, with a tick for each. */
export function ChipsField(props: ChipsFieldProps) {
  const isHydrated = useHydrated()
  const plain = <PlainList {...props} />
  if (!isHydrated) return plain
  return (
    <Suspense fallback={plain}>
      <ChipsPicker {...props} />
    </Suspense>
  )
}

function PlainList({ label, description, name, options, value, onChange, placeholder }: ChipsFieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-semibold">{label}</span>
      {description && <span className="text-sm text-soft">{description}</span>}
      <details>
        <summary className="field flex list-none items-center justify-between gap-3 text-faint">
          <span>
            <span className="sr-only">{label}: </span>
            {placeholder}
          </span>
          <IconChevronDown aria-hidden size={20} className="text-soft" />
        </summary>
        <div className="max-h-80 overflow-y-auto rounded-md px-3 py-2">
          <CheckboxGroup
            label={label}
            isLabelHidden
            name={name}
            options={options}
            value={value}
            onChange={onChange}
          />
        </div>
      </details>
    </div>
  )
}
