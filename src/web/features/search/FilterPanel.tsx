import type { AppointmentType } from '#contract/common.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FieldSet } from '#web/ui/FieldFrame.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { type FilterOptions, sessionTypeLabel } from './active-filters.ts'
import { anyGender, firstFreeTime, type IdListName, type SearchFilters, withFilters } from './filters.ts'
import { useEarlyChoices } from './filters-of-form.ts'
import { OptionList } from './OptionList.tsx'
import type { FilterDraft } from './use-filter-draft.ts'

export type FilterPanelProps = {
  options: FilterOptions
  /** Pounds; the whole range until the server's own is known. */
  bounds: { min: number; max: number }
  /** `YYYY-MM-DD`: the first day to be chosen. */
  today: string
  filters: FilterDraft
  /** Lets controls outside the form belong to it. */
  id?: string
}

const lists: { name: IdListName; label: string }[] = [
  { name: 'provider_id', label: 'Type of practitioner' },
  { name: 'language_id', label: 'Languages' },
  { name: 'therapy_type_id', label: 'Kinds of therapy' },
  { name: 'insurance_company_id', label: 'Insurers' },
]

/** All filters as one form. Alive, each change is searched for at once; without JavaScript a button sends it. */
export function FilterPanel({
  options,
  bounds,
  today,
  filters: { draft, change, submit },
  id,
}: FilterPanelProps) {
  const form = useEarlyChoices(change)
  const set = (values: Partial<SearchFilters>) => change(withFilters(draft, values))
  const type = (values: Partial<SearchFilters>) => change(withFilters(draft, values), Object.keys(values)[0])
  const list = (name: IdListName, label: string) => (
    <OptionList
      key={name}
      label={label}
      name={name}
      options={options[name]}
      value={draft[name].map(String)}
      onChange={(values) => set({ [name]: values.map(Number).sort((a, b) => a - b) })}
    />
  )
  return (
    <form
      ref={form}
      id={id}
      action="/found-therapists"
      method="get"
      autoComplete="off"
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        // Opened by its address before the page was alive, the panel covers a phone until a page is loaded.
        if (window.location.hash) return
        event.preventDefault()
        submit()
      }}
    >
      <RadioGroup
        label="How you meet"
        name="session_type"
        value={draft.session_type ?? ''}
        onChange={(value) => set({ session_type: value === '' ? undefined : (value as AppointmentType) })}
        options={[
          { value: 'online', label: sessionTypeLabel('online') },
          { value: 'face_to_face', label: sessionTypeLabel('face_to_face') },
          { value: '', label: 'Either' },
        ]}
      />
      <FreeTimeFields draft={draft} today={today} onChange={set} onType={type} />
      <PriceFields draft={draft} bounds={bounds} onChange={type} />
      <div className="border-t border-line">
        {list('issue_id', 'What you would like help with')}
        {lists.map(({ name, label }) => list(name, label))}
      </div>
      <RadioGroup
        label="Gender of the practitioner"
        name="gender"
        value={draft.gender ?? ''}
        onChange={(value) => set({ gender: value || undefined })}
        options={[
          ...options.genders.map((gender) => ({ value: gender, label: gender })),
          { value: '', label: anyGender },
        ]}
      />
      <TextField
        label="Name"
        name="name"
        type="search"
        maxLength={100}
        value={draft.name ?? ''}
        onChange={(event) => type({ name: event.currentTarget.value || undefined })}
      />
      <noscript>
        <Button type="submit">Show results</Button>
      </noscript>
    </form>
  )
}

type FieldsProps = { draft: SearchFilters; onChange(values: Partial<SearchFilters>): void }

type FreeTimeProps = FieldsProps & { today: string; onType: FieldsProps['onChange'] }

function FreeTimeFields({ draft, today, onChange, onType }: FreeTimeProps) {
  return (
    <FieldSet label="When">
      <Checkbox
        name="instant_booking"
        value="true"
        checked={draft.instant_booking ?? false}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked
              ? firstFreeTime(today)
              : { instant_booking: undefined, date_from: undefined, date_to: undefined },
          )
        }
      >
        Has free times
      </Checkbox>
      <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-3">
        <TextField
          label="From"
          name="date_from"
          type="date"
          min={today}
          value={draft.date_from ?? ''}
          onChange={(event) => onType({ date_from: event.currentTarget.value || undefined })}
        />
        <TextField
          label="Until"
          name="date_to"
          type="date"
          min={draft.date_from ?? today}
          value={draft.date_to ?? ''}
          onChange={(event) => onType({ date_to: event.currentTarget.value || undefined })}
        />
      </div>
    </FieldSet>
  )
}

function PriceFields({ draft, bounds, onChange }: FieldsProps & { bounds: FilterPanelProps['bounds'] }) {
  const field = (label: string, name: 'min_price' | 'max_price', placeholder: number) => (
    <TextField
      label={label}
      name={name}
      type="number"
      inputMode="numeric"
      prefix="£"
      min={0}
      step={1}
      placeholder={String(placeholder)}
      value={draft[name] ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChange({ [name]: value === '' ? undefined : Number(value) })
      }}
    />
  )
  return (
    <FieldSet
      label="Price of a session"
      description={`Here from ${formatPounds(bounds.min)} to ${formatPounds(bounds.max)}.`}
    >
      <div className="grid grid-cols-2 gap-3">
        {field('At least', 'min_price', Math.floor(bounds.min))}
        {field('At most', 'max_price', Math.ceil(bounds.max))}
      </div>
    </FieldSet>
  )
}
