import { useState } from 'react'
import { Controller } from 'react-hook-form'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { ChipGroup } from '#web/ui/ChipGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const languages = 'GET /language/get-languages'

/** Languages, grouped by their first letter. */
export const LanguagesStep = withLists([languages], Languages)

function Languages({ profile }: { profile: TherapistProfile }) {
  const [typed, setTyped] = useState('')
  const all = useList(languages)
  const { form, draft } = useStepForm({
    language_list: profile.languages_list.map(({ language_id }) => String(language_id)),
  })
  const shown = all.filter(({ language_name }) =>
    language_name.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-language-list',
        bodyOf: ({ language_list }) => ({ language_list: language_list.map(Number) }),
      }}
    >
      <Controller
        control={form.control}
        name="language_list"
        rules={{ validate: (chosen) => chosen.length > 0 || 'Choose at least one language.' }}
        render={({ field, fieldState }) => (
          <div className="flex flex-col gap-5">
            <TextField
              label="Search the languages"
              type="search"
              autoComplete="off"
              ref={field.ref}
              error={fieldState.error?.message}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.preventDefault()
              }}
              className="max-w-sm"
            />
            {byLetter(shown).map(([letter, group]) => (
              <ChipGroup
                key={letter}
                label={letter}
                name={`language-${letter}`}
                options={group.map(({ language_id, language_name }) => ({
                  value: String(language_id),
                  label: language_name,
                }))}
                value={field.value}
                onChange={field.onChange}
              />
            ))}
            <output className="text-sm text-soft">
              {shown.length === 0
                ? 'No language matches that.'
                : `${field.value.length} chosen${field.value.length > 0 ? `: ${named(field.value)}` : ''}.`}
            </output>
          </div>
        )}
      />
    </StepForm>
  )

  function named(chosen: string[]): string {
    return all
      .filter(({ language_id }) => chosen.includes(String(language_id)))
      .map(({ language_name }) => language_name)
      .join(', ')
  }
}

function byLetter<T extends { language_name: string }>(list: readonly T[]): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const language of list) {
    const letter = language.language_name.charAt(0).toUpperCase()
    groups.set(letter, [...(groups.get(letter) ?? []), language])
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b, 'en-GB'))
}
