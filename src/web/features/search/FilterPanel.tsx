import { Fragment, type ReactNode } from 'react'
import {
  type FilterName,
  type FilterOfKind,
  filterOrder,
  filterTable,
  isOfKind,
} from '#contract/search-filters.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useEarlyForm } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FieldSet } from '#web/ui/FieldFrame.tsx'
import { PlaceField, RadiusSelect } from '#web/ui/PlaceField.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { choices, type FilterOptions, type OptionTotals } from './active-filters.ts'
import { ChoiceField } from './ChoiceField.tsx'
import {
  allFiltersPath,
  firstFreeTime,
  lastDayFrom,
  type SearchFilters,
  switchedOff,
  withFilters,
} from './filters.ts'
import { filtersOfForm } from './filters-of-form.ts'
import { OptionList } from './OptionList.tsx'
import type { FilterDraft } from './use-filter-draft.ts'
import { countText, type ValueCounts, withCounts } from './value-counts.ts'

export type FilterPanelProps = {
  options: FilterOptions
  /** Pounds; the whole range until the server's own is known. */
  bounds: { min: number; max: number }
  /** `YYYY-MM-DD`: the first day to be chosen. */
  today: string
  filters: FilterDraft
  /** The numbers beside the values; absent while they are not known. */
  counts?: ValueCounts | undefined
  /** Lets controls outside the form belong to it. */
  id?: string
  /** Where `options` are a part: the number of all, and what reads them. */
  more?: { totals: OptionTotals; onWanted(): void }
  /** Of the button below the fields. Without one, each change is searched for at once. */
  submitLabel?: string
}

/** Runs of filters that are lists stand together, below a line. */
const groups = filterOrder.panel.reduce<FilterName[][]>((all, name) => {
  const last = all.at(-1)
  const isList = (each: FilterName | undefined) => each !== undefined && isOfKind(each, 'ids')
  if (last && isList(name) && isList(last[0])) last.push(name)
  else all.push([name])
  return all
}, [])

/** All filters as one form. Each change is searched for at once; a button sends it where one is asked for or without JavaScript. */
export function FilterPanel({
  options,
  bounds,
  today,
  filters: { draft, change, type, submit },
  counts,
  id,
  more,
  submitLabel,
}: FilterPanelProps) {
  const form = useEarlyForm((touched) => change(filtersOfForm(touched)))
  const set = (values: Partial<SearchFilters>) => change(withFilters(draft, values))
  const allPath = more && allFiltersPath(draft)
  const field = (name: FilterName): ReactNode => {
    const { label } = filterTable[name]
    if (isOfKind(name, 'ids')) {
      return (
        <OptionList
          label={label}
          name={name}
          options={withCounts(options[name], name, counts)}
          value={draft[name].map(String)}
          onChange={(values) => set({ [name]: values.map(Number).sort((a, b) => a - b) })}
          more={
            more && allPath ? { total: more.totals[name], path: allPath, onWanted: more.onWanted } : undefined
          }
        />
      )
    }
    if (isOfKind(name, 'days')) {
      const days = { name, draft, today, counts }
      return <DaysFields {...days} onChange={set} onType={type} />
    }
    if (isOfKind(name, 'place')) return <PlaceFields name={name} draft={draft} onChange={set} />
    if (isOfKind(name, 'pounds'))
      return <PoundsFields name={name} draft={draft} bounds={bounds} onChange={type} />
    if (isOfKind(name, 'words')) {
      return (
        <TextField
          label={label}
          name={name}
          type="search"
          maxLength={filterTable[name].maxLength}
          value={draft[name] ?? ''}
          onChange={(event) => type({ [name]: event.currentTarget.value || undefined })}
        />
      )
    }
    return (
      <ChoiceField
        label={label}
        name={name}
        options={withCounts(choices(name, options), name, counts)}
        none={filterTable[name].none}
        value={draft[name] ?? ''}
        onChange={(value) => set({ [name]: value || undefined })}
      />
    )
  }
  return (
    <form
      ref={form}
      id={id}
      action="/found-therapists"
      method="get"
      autoComplete="off"
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {groups.map((names) => {
        const fields = names.map((name) => <Fragment key={name}>{field(name)}</Fragment>)
        return names.length > 1 ? (
          <div key={names[0]} className="border-t border-line">
            {fields}
          </div>
        ) : (
          fields
        )
      })}
      {submitLabel ? (
        <>
          {/* A field of the results alone. */}
          {draft.sort && <input type="hidden" name="sort" value={draft.sort} />}
          <Button type="submit">{submitLabel}</Button>
        </>
      ) : (
        <noscript>
          <Button type="submit">Show results</Button>
        </noscript>
      )}
    </form>
  )
}

type FieldsProps = { draft: SearchFilters; onChange(values: Partial<SearchFilters>): void }

type DaysProps = FieldsProps & {
  name: FilterOfKind<'days'>
  today: string
  counts: ValueCounts | undefined
  onType: FieldsProps['onChange']
}

function DaysFields({ name, draft, today, counts, onChange, onType }: DaysProps) {
  const { from, to, flag, label } = filterTable[name]
  // Of the days that the tick asks for.
  const week = draft[flag] || draft[from] || draft[to] ? undefined : counts?.of(name, 'week')
  return (
    <FieldSet label={label}>
      <Checkbox
        name={flag}
        value="true"
        checked={draft[flag] ?? false}
        count={week && countText(week)}
        isEmpty={week?.total === 0}
        onChange={(event) => onChange(event.currentTarget.checked ? firstFreeTime(today) : switchedOff(name))}
      >
        Has free times
      </Checkbox>
      <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-3">
        <TextField
          label="From"
          name={from}
          type="date"
          min={today}
          value={draft[from] ?? ''}
          onChange={(event) => {
            const day = event.currentTarget.value || undefined
            onType({ [from]: day, [to]: lastDayFrom(day, draft[to]) })
          }}
        />
        <TextField
          label="Until"
          name={to}
          type="date"
          min={draft[from] ?? today}
          value={draft[to] ?? ''}
          onChange={(event) => onType({ [to]: event.currentTarget.value || undefined })}
        />
      </div>
    </FieldSet>
  )
}

type PlaceProps = FieldsProps & { name: FilterOfKind<'place'> }

function PlaceFields({ name, draft, onChange }: PlaceProps) {
  const { place, within, label, maxLength } = filterTable[name]
  return (
    <FieldSet label={label} description="For sessions face to face.">
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-3">
        <PlaceField
          label="Town or postcode"
          name={place}
          maxLength={maxLength}
          value={draft[place]}
          onCommit={(text) => onChange({ [place]: text || undefined })}
        />
        <RadiusSelect
          name={within}
          value={draft[within]}
          onChange={(radius) => onChange({ [within]: radius })}
        />
      </div>
    </FieldSet>
  )
}

type PoundsProps = FieldsProps & { name: FilterOfKind<'pounds'>; bounds: FilterPanelProps['bounds'] }

function PoundsFields({ name, draft, bounds, onChange }: PoundsProps) {
  const { low, high, label } = filterTable[name]
  const field = (text: string, parameter: typeof low | typeof high, placeholder: number) => (
    <TextField
      label={text}
      name={parameter}
      type="number"
      inputMode="numeric"
      prefix="£"
      min={0}
      step={1}
      placeholder={String(placeholder)}
      value={draft[parameter] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChange({ [parameter]: value === '' ? undefined : Number(value) })
      }}
    />
  )
  return (
    <FieldSet label={label} description={`From ${formatPounds(bounds.min)} to ${formatPounds(bounds.max)}.`}>
      <div className="grid grid-cols-2 gap-3">
        {field('At least', low, Math.floor(bounds.min))}
        {field('At most', high, Math.ceil(bounds.max))}
      </div>
    </FieldSet>
  )
}
