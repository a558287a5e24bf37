import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/ui/Button.tsx'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { FilterOptions } from './active-filters.ts'
import { ChipsField } from './ChipsField.tsx'
import { anyGender, type IdListName, queryOf, resultsPath, type SearchFilters } from './filters.ts'
import { filtersOfForm, useEarlyChoices } from './filters-of-form.ts'

export type FindFormProps = {
  options: FilterOptions
  /** What is filled in already. */
  initial: SearchFilters
}

/** Everything one can look for, on one page. A plain form to the results; alive, it stays filled in on the way back. */
export function FindForm({ options, initial }: FindFormProps) {
  const navigate = useNavigate()
  const [lists, setLists] = useState(() => listsOf(initial))
  const form = useEarlyChoices((filters) => setLists(listsOf(filters)))
  const list = (name: IdListName) => ({
    name,
    options: options[name],
    value: lists[name],
    onChange: (value: string[]) => setLists((known) => ({ ...known, [name]: value })),
  })
  const search = async (sent: HTMLFormElement) => {
    const filters = filtersOfForm(sent)
    // Going back from the results finds the form as it was left.
    await navigate(`/find-therapist${queryOf(filters)}`, { replace: true, preventScrollReset: true })
    await navigate(resultsPath(filters))
  }
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
      <CheckboxGroup
        {...list('provider_id')}
        label="Who would you like to talk to?"
        className="sm:[&_ul]:grid sm:[&_ul]:grid-cols-2 sm:[&_ul]:gap-x-6"
      />
      <ChipsField
        {...list('issue_id')}
        label="What would you like help with?"
        description="As many as fit. You can leave it open."
        placeholder="Anxiety, grief, sleep…"
      />
      <RadioGroup
        label="Gender of the practitioner"
        name="gender"
        defaultValue={initial.gender ?? ''}
        options={[
          ...options.genders.map((gender) => ({ value: gender, label: gender })),
          { value: '', label: anyGender },
        ]}
      />
      <ChipsField {...list('language_id')} label="Languages" placeholder="Any language" />
      <ChipsField
        {...list('insurance_company_id')}
        label="Insurance companies"
        description="Only if an insurer is to pay for it."
        placeholder="Any, or none"
      />
      <ChipsField {...list('therapy_type_id')} label="Therapy types" placeholder="Any kind" />
      <TextField
        label="Therapist name"
        description="If you know whom you are looking for. Part of the name is enough."
        name="name"
        type="search"
        autoComplete="off"
        maxLength={100}
        defaultValue={initial.name}
      />
      <div className="flex flex-col items-start gap-3">
        <Button type="submit">Find my Therapist</Button>
        <p className="text-sm text-soft">
          Looking is free and needs no account. You can change all of this later.
        </p>
      </div>
    </form>
  )
}

function listsOf(filters: SearchFilters): Record<IdListName, string[]> {
  return {
    provider_id: filters.provider_id.map(String),
    issue_id: filters.issue_id.map(String),
    therapy_type_id: filters.therapy_type_id.map(String),
    language_id: filters.language_id.map(String),
    insurance_company_id: filters.insurance_company_id.map(String),
  }
}
