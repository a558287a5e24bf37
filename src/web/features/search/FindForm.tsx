import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type Filter,
  filterOrder,
  filtersOfKind,
  filterTable,
  isOfKind,
  parametersOf,
} from '#contract/search-filters.ts'
import { useEarlyForm } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import { PlaceField, RadiusSelect } from '#web/ui/PlaceField.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { choices, type FilterOptions } from './active-filters.ts'
import { ChipsField } from './ChipsField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { filterPairs, type IdListName, queryOf, resultsPath, type SearchFilters } from './filters.ts'
import { filtersOfForm } from './filters-of-form.ts'

export type FindFormProps = {
  options: FilterOptions
  /** What is filled in already. */
  initial: SearchFilters
}

/** Everything one can look for, on one page. A plain form to the results; alive, it stays filled in on the way back. */
export function FindForm({ options, initial }: FindFormProps) {
  const navigate = useNavigate()
  const [lists, setLists] = useState(() => listsOf(initial))
  const form = useEarlyForm((touched) => setLists(listsOf(filtersOfForm(touched))))
  const field = (name: (typeof filterOrder.form)[number]): ReactNode => {
    const { label, form: texts }: Filter = filterTable[name]
    const { placeholder, ...shown } = { label, ...texts }
    if (isOfKind(name, 'ids')) {
      const list = {
        ...shown,
        name,
        options: options[name],
        value: lists[name],
        onChange: (value: string[]) => setLists((known) => ({ ...known, [name]: value })),
      }
      return placeholder ? (
        <ChipsField {...list} placeholder={placeholder} />
      ) : (
        <CheckboxGroup {...list} className="sm:[&_ul]:grid sm:[&_ul]:grid-cols-2 sm:[&_ul]:gap-x-6" />
      )
    }
    if (isOfKind(name, 'words')) {
      return (
        <TextField
          {...shown}
          name={name}
          type="search"
          autoComplete="off"
          maxLength={filterTable[name].maxLength}
          defaultValue={initial[name]}
        />
      )
    }
    if (isOfKind(name, 'place')) {
      const { place, within, maxLength } = filterTable[name]
      return (
        <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-end gap-3">
          <PlaceField {...shown} name={place} maxLength={maxLength} value={initial[place]} />
          <RadiusSelect name={within} value={initial[within]} />
        </div>
      )
    }
    return (
      <ChoiceField
        {...shown}
        name={name}
        options={choices(name, options)}
        none={filterTable[name].none}
        defaultValue={initial[name] ?? ''}
      />
    )
  }
  const search = async (sent: HTMLFormElement) => {
    const filters = filtersOfForm(sent)
    // Going back from the results finds the form as it was left.
    await navigate(`/find-therapist${queryOf(filters)}`, { replace: true, preventScrollReset: true })
    await navigate(resultsPath(filters))
  }
  // A place goes with sessions face to face by itself, and without it they are not asked for.
  const own = initial.near === undefined ? initial : { ...initial, session_type: undefined }
  const kept = filterPairs(own).filter(([name]) => !asked.has(name))
  return (
    <form
      ref={form}
      action="/found-therapists"
      method="get"
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        void search(event.currentTarget)
      }}
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {filterOrder.form.map((name) => (
        <Fragment key={name}>{field(name)}</Fragment>
      ))}
      <div className="flex flex-col items-start gap-3">
        <Button type="submit">Find my Therapist</Button>
        <p className="text-sm text-soft">
          Looking is free and needs no account. You can change all of this later.
        </p>
      </div>
    </form>
  )
}

/** Parameters that have a field here; others in the address, such as `session_type`, go along to the results. */
const asked = new Set<string>(['page', ...filterOrder.form.flatMap(parametersOf)])

function listsOf(filters: SearchFilters): Record<IdListName, string[]> {
  const lists = filtersOfKind('ids').map((name) => [name, filters[name].map(String)])
  return Object.fromEntries(lists) as Record<IdListName, string[]>
}
