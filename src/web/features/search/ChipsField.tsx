import { IconChevronDown } from '@tabler/icons-react'
import { useDeferredValue, useRef, useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { usePlainDisclosure } from '#web/lib/plain-disclosure.ts'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import type { ChipsFieldProps } from './ChipsPicker.tsx'

const ChipsPicker = lazyPart(() => import('./ChipsPicker.tsx'))

/**
 * Some out of a long list. Alive it is searched by typing; without JavaScript the list opens, with a tick for each. One
 * that is in use while the page comes alive stays as it is until it is closed and left.
 */
export function ChipsField(props: ChipsFieldProps) {
  const isHydrated = useHydrated()
  const [isInUse, setInUse] = useState(false)
  // Deferred, the list stands until the picker has loaded.
  const isSearched = useDeferredValue(isHydrated && !isInUse, false)
  return isSearched ? <ChipsPicker {...props} /> : <PlainList {...props} onUse={setInUse} />
}

type PlainListProps = ChipsFieldProps & { onUse(isInUse: boolean): void }

function PlainList({
  label,
  description,
  name,
  options,
  value,
  onChange,
  placeholder,
  onUse,
}: PlainListProps) {
  const list = useRef<HTMLDetailsElement>(null)
  usePlainDisclosure(list, ({ isOpen, hasFocus }) => onUse(isOpen || hasFocus))
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-semibold">{label}</span>
      {description && <span className="text-sm text-soft">{description}</span>}
      <details ref={list}>
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
