import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useFieldArray, useWatch } from 'react-hook-form'
import type { OwnLicence, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { serverNow } from '#web/lib/clock.ts'
import { fieldOf } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatDay } from '#web/lib/time.ts'
import { EntryButton } from '#web/ui/EntryButton.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const specializations = 'GET /therapist/get-specialization-list'
const bodies = 'GET /therapist/get-licensing-body-list'

/** Licences and registrations, as many as there are, and years of experience. */
export const LicencesStep = withLists([specializations, bodies], Licences)

const numberLimits = limitsOf('POST /therapist/add-license-list', 'license_list.license_number')

type Entry = {
  specialization_id: string
  license_id: string
  license_number: string
  /** It was refused or has been renewed, and keeps its number. */
  check_again: boolean
}
/** As the server has it. */
const mostYears = 70
const empty: Entry = { specialization_id: '', license_id: '', license_number: '', check_again: false }

function Licences({ profile }: { profile: TherapistProfile }) {
  const professions = useList(specializations)
  const bodyList = useList(bodies)
  const { form, draft } = useStepForm({
    license_list: profile.license_list.length > 0 ? entriesOf(profile.license_list) : [empty],
    years_of_experience: String(profile.years_of_experience ?? ''),
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'license_list' })
  const list = useFieldArray({ control: form.control, name: 'license_list' })
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-license-list',
        bodyOf: ({ license_list, years_of_experience }) => ({
          license_list: license_list.map(
            ({ specialization_id, license_id, license_number, check_again }) => ({
              specialization_id: Number(specialization_id),
              license_id: Number(license_id),
              license_number,
              check_again,
            }),
          ),
          years_of_experience,
        }),
      }}
    >
      <ul className="flex flex-col gap-4">
        {list.fields.map((entry, at) => {
          const fault = errors.license_list?.[at]
          const path = `license_list.${at}` as const
          const same = savedAs(typed[at], profile.license_list)
          const status = statusOf(same)
          const again = againOf(same)
          return (
            <Card as="li" key={entry.id}>
              <fieldset className="flex min-w-0 flex-col gap-4">
                <legend className="mb-3 font-semibold">
                  Licence {at + 1}
                  {status && <span className="ml-2 text-sm font-normal text-soft">{status}</span>}
                </legend>
                <Select
                  label="Specialisation"
                  error={fault?.specialization_id?.message}
                  {...form.register(`${path}.specialization_id`, { required: 'Choose what it is for.' })}
                >
                  <option value="">Choose one</option>
                  {professions.map(({ provider_id, provider_type }) => (
                    <option key={provider_id} value={provider_id}>
                      {provider_type}
                    </option>
                  ))}
                </Select>
                <Select
                  label="Licensing body"
                  error={fault?.license_id?.message}
                  isWrapping
                  options={[
                    { value: '', label: 'Choose one' },
                    ...bodyList.map(({ license_body_id, name }) => ({
                      value: String(license_body_id),
                      label: name,
                    })),
                  ]}
                  {...form.register(`${path}.license_id`, { required: 'Choose who issued it.' })}
                  value={typed[at]?.license_id ?? ''}
                />
                <TextField
                  label="Licence number"
                  className="max-w-sm"
                  maxLength={numberLimits.maxLength?.value}
                  autoComplete="off"
                  error={fault?.license_number?.message}
                  {...form.register(`${path}.license_number`, numberLimits)}
                />
                {again && (
                  <Checkbox {...form.register(`${path}.check_again`)} description={again.description}>
                    {again.label}
                  </Checkbox>
                )}
                {list.fields.length > 1 && (
                  <EntryButton variant="quiet" className="-ml-5 self-start" onPress={() => list.remove(at)}>
                    <IconTrash aria-hidden size={20} />
                    Remove <span className="sr-only">licence {at + 1}</span>
                  </EntryButton>
                )}
              </fieldset>
            </Card>
          )
        })}
      </ul>
      <EntryButton variant="secondary" className="self-start" onPress={() => list.append(empty)}>
        <IconPlus aria-hidden size={20} />
        Add another licence
      </EntryButton>
      <TextField
        label="Years of experience"
        description="Since you started working with clients."
        inputMode="numeric"
        className="max-w-60"
        {...fieldOf(form, 'years_of_experience', {
          required: 'Enter your years of experience.',
          pattern: { value: /^\d+$/, message: 'Enter whole years, such as 8.' },
          max: { value: mostYears, message: `Enter ${mostYears} or less.` },
        })}
      />
    </StepForm>
  )
}

const statusLabels = { waiting: 'Being checked', accepted: 'Checked', refused: 'Not accepted' }

/**
 * A licence as it is saved, with its renewal where that waits or was refused. One that is typed in otherwise than it was
 * saved has not been checked.
 */
function savedAs(typed: Entry | undefined, saved: readonly OwnLicence[]): OwnLicence[] {
  return saved.filter((licence) => isEqual(entryOf(licence), typed))
}

/** What became of the check of a licence. */
function statusOf(same: readonly OwnLicence[]): string | undefined {
  const accepted = same.find(({ status }) => status === 'accepted')
  const renewal = same.find(({ status }) => status !== 'accepted')
  if (!accepted) return renewal && statusLabels[renewal.status]
  const checked = accepted.expires_on
    ? `${statusLabels.accepted}, valid until ${formatDay(`${accepted.expires_on}T12:00:00Z`, 'UTC', new Date(serverNow()))}`
    : statusLabels.accepted
  if (!renewal) return checked
  return `${checked}. Renewal: ${statusLabels[renewal.status].toLowerCase()}`
}

/** How another check of a licence is asked for; undefined while one is under way, and for one that never ends. */
function againOf(same: readonly OwnLicence[]): { label: string; description: string } | undefined {
  if (same.some(({ status }) => status === 'waiting')) return undefined
  if (same.some(({ status }) => status === 'refused')) {
    return {
      label: 'Check this licence again',
      description:
        'Tick this once you have put right what we could not accept. The number may stay the same.',
    }
  }
  if (!same.some(({ expires_on }) => expires_on !== null)) return undefined
  return {
    label: 'I have renewed this licence',
    description:
      'Tick this if the number is the same as before, and we will check it again. What we have checked counts until its last day.',
  }
}

const isEqual = (one: Entry, other: Entry | undefined) =>
  one.specialization_id === other?.specialization_id &&
  one.license_id === other.license_id &&
  one.license_number === other.license_number.trim()

/** Each licence once, also where its renewal is stored beside it. */
function entriesOf(saved: readonly OwnLicence[]): Entry[] {
  const entries = saved.map(entryOf)
  return entries.filter((entry, at) => entries.findIndex((other) => isEqual(entry, other)) === at)
}

function entryOf(licence: OwnLicence): Entry {
  return {
    specialization_id: String(licence.specialization_id),
    license_id: String(licence.license_id),
    license_number: licence.license_number,
    check_again: false,
  }
}
