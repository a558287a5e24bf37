import { useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { Option } from './active-filters.ts'

export type OptionListProps = {
  label: string
  name: string
  /** With the number of results that each would leave, where it is known. */
  options: readonly (Option & { count?: string; isEmpty?: boolean })[]
  value: readonly string[]
  onChange(value: string[]): void
  /** The page is sent with a part of a long list: how many there are, where all are, and what reads them. */
  more?: { total: number; path: string; onWanted(): void } | undefined
}

/** From so many options on, they can be searched. */
const searchedFrom = 12

/** A question of the filter panel with many answers: opens and closes, and a long list can be searched by typing. */
export function OptionList({ label, name, options, value, onChange, more }: OptionListProps) {
  const isHydrated = useHydrated()
  const [isOpenAtFirst] = useState(value.length > 0)
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const shown = options.filter((option) => option.label.toLowerCase().includes(wanted))
  const total = Math.max(options.length, more?.total ?? 0)
  const isPart = options.length < total
  return (
    <Disclosure
      defaultOpen={isOpenAtFirst}
      onOpen={isPart ? more?.onWanted : undefined}
      title={
        <>
          {label}
          {value.length > 0 && (
            <span className="ml-2 rounded-full bg-action-soft px-2 py-0.5 text-xs text-on-action-soft tabular-nums">
              {value.length}
              <span className="sr-only"> chosen</span>
            </span>
          )}
        </>
      }
    >
      {isHydrated && total >= searchedFrom && (
        <TextField
          label={`Search in: ${label}`}
          isLabelHidden
          type="search"
          placeholder="Search this list"
          autoComplete="off"
          value={typed}
          onFocus={isPart ? more?.onWanted : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The list is being searched, not the form sent.
            if (event.key === 'Enter') event.preventDefault()
          }}
          className="mb-2"
        />
      )}
      <div className="option-list">
        <CheckboxGroup
          label={label}
          isLabelHidden
          name={name}
          options={shown}
          value={value}
          onChange={onChange}
        />
      </div>
      <output className="block text-sm">
        {wanted !== '' && !isPart && shown.length === 0 && 'Nothing in the list matches that.'}
      </output>
      {isPart && more && (
        <TextLink to={more.path} className="tappable text-sm">
          {`See all ${total}`}
          <span className="sr-only">{`: ${label}`}</span>
        </TextLink>
      )}
    </Disclosure>
  )
}
