import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useFieldArray, useWatch } from 'react-hook-form'
import type { OwnLicence, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { fieldOf } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
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

type Entry = { specialization_id: string; license_id: string; license_number: string }
/** As the server has it. */
const mostYears = 70
const empty: Entry = { specialization_id: '', license_id: '', license_number: '' }

function Licences({ profile }: { profile: TherapistProfile }) {
  const professions = useList(specializations)
  const bodyList = useList(bodies)
  const { form, draft } = useStepForm({
    license_list: profile.license_list.length > 0 ? profile.license_list.map(entryOf) : [empty],
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
          license_list: license_list.map(({ specialization_id, license_id, license_number }) => ({
            specialization_id: Number(specialization_id),
            license_id: Number(license_id),
            license_number,
          })),
          years_of_experience,
        }),
      }}
    >
      <ul className="flex flex-col gap-4">
        {list.fields.map((entry, at) => {
          const fault = errors.license_list?.[at]
          const path = `license_list.${at}` as const
          const status = statusOf(typed[at], profile.license_list)
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
                {list.fields.length > 1 && (
                  <Button variant="quiet" className="-ml-5 self-start" onPress={() => list.remove(at)}>
                    <IconTrash aria-hidden size={20} />
                    Remove <span className="sr-only">licence {at + 1}</span>
                  </Button>
                )}
              </fieldset>
            </Card>
          )
        })}
      </ul>
      <Button variant="secondary" className="self-start" onPress={() => list.append(empty)}>
        <IconPlus aria-hidden size={20} />
        Add another licence
      </Button>
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

/** What became of the check of a licence. One that is typed in otherwise than it was saved has not been checked. */
function statusOf(typed: Entry | undefined, saved: readonly OwnLicence[]): string | undefined {
  const same = saved.find((licence) => isEqual(entryOf(licence), typed))
  return same && statusLabels[same.status]
}

const isEqual = (one: Entry, other: Entry | undefined) =>
  one.specialization_id === other?.specialization_id &&
  one.license_id === other.license_id &&
  one.license_number === other.license_number.trim()

function entryOf(licence: OwnLicence): Entry {
  return {
    specialization_id: String(licence.specialization_id),
    license_id: String(licence.license_id),
    license_number: licence.license_number,
  }
}
