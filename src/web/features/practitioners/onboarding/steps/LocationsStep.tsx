import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useFieldArray } from 'react-hook-form'
import { parsePostcode } from '#contract/places.ts'
import type { Location } from '#contract/practitioners/practitioners.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { EntryButton } from '#web/ui/EntryButton.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

type Place = Record<
  'location_name' | 'home_number' | 'street' | 'city' | 'postal_code' | 'country',
  string
> & { location_id: number | null; show_street: boolean }

const homeCountry = 'United Kingdom'

const limits = {
  location_name: limitsOf('POST /therapist/add-location-list', 'location_list.location_name'),
  home_number: limitsOf('POST /therapist/add-location-list', 'location_list.home_number'),
  street: limitsOf('POST /therapist/add-location-list', 'location_list.street'),
  city: limitsOf('POST /therapist/add-location-list', 'location_list.city'),
  postal_code: limitsOf('POST /therapist/add-location-list', 'location_list.postal_code'),
  country: limitsOf('POST /therapist/add-location-list', 'location_list.country'),
}

const empty: Place = {
  location_id: null,
  location_name: '',
  home_number: '',
  street: '',
  city: '',
  postal_code: '',
  country: homeCountry,
  show_street: false,
}

/** Places where people are seen in person. */
export function LocationsStep({ profile }: { profile: TherapistProfile }) {
  const seesPeople = profile.services.face_to_face.length > 0
  const { form, draft } = useStepForm({
    location_list: profile.locations.length > 0 ? profile.locations.map(placeOf) : seesPeople ? [empty] : [],
  })
  const list = useFieldArray({ control: form.control, name: 'location_list' })
  const kept = new Set(list.fields.map(({ location_id }) => location_id))
  const isGivingUp = profile.locations.some(({ location_id }) => !kept.has(location_id))
  return (
    <StepForm
      form={form}
      draft={draft}
      save={{
        endpoint: 'POST /therapist/add-location-list',
        bodyOf: ({ location_list }) => ({ location_list }),
      }}
    >
      {!seesPeople && (
        <Alert tone="info">
          You only offer online sessions, so you can skip this. To see people in person, add a face-to-face
          service first.
        </Alert>
      )}
      {isGivingUp && (
        <Alert tone="warning">
          If you remove a place, its hours leave your weekly schedule. Sessions booked there stay.
        </Alert>
      )}
      <ul className="flex flex-col gap-4">
        {list.fields.map((entry, at) => {
          const faults = form.formState.errors.location_list?.[at]
          const required = (name: keyof typeof limits, label: string) => ({
            label,
            error: faults?.[name]?.message,
            maxLength: limits[name].maxLength?.value,
            ...form.register(`location_list.${at}.${name}`, limits[name]),
          })
          const postcode = form.register(`location_list.${at}.postal_code`, {
            ...limits.postal_code,
            validate(text, { location_list: places }) {
              if (text.trim() === '') return 'Enter the postcode.'
              const isHere = places[at]?.country.trim() === homeCountry
              return (
                !isHere || Boolean(parsePostcode(text)?.inward) || 'Enter a full postcode, such as LS6 2AB.'
              )
            },
          })
          return (
            <Card as="li" key={entry.id}>
              <fieldset className="flex min-w-0 flex-col gap-4">
                <legend className="mb-3 font-semibold">Place {at + 1}</legend>
                <TextField
                  description="Such as the name of the building or practice."
                  {...required('location_name', 'Name')}
                />
                <div className="grid grid-cols-1 gap-4 sm:grid-cols-[8rem_1fr]">
                  <TextField {...required('home_number', 'Number')} />
                  <TextField {...required('street', 'Street')} />
                </div>
                <TextField {...required('city', 'Town or city')} />
                <TextField
                  label="Postcode"
                  description="Clients find you by the distance to it."
                  className="sm:max-w-80"
                  autoComplete="postal-code"
                  maxLength={limits.postal_code.maxLength?.value}
                  error={faults?.postal_code?.message}
                  {...postcode}
                />
                <TextField {...required('country', 'Country')} />
                <Checkbox
                  description="Otherwise they see the area alone, such as Headingley, Leeds, LS6. Clients who have booked a session there always get the full address."
                  {...form.register(`location_list.${at}.show_street`)}
                >
                  Show number, street and full postcode to people who have not booked
                </Checkbox>
                <EntryButton variant="quiet" className="-ml-5 self-start" onPress={() => list.remove(at)}>
                  <IconTrash aria-hidden size={20} />
                  Remove <span className="sr-only">place {at + 1}</span>
                </EntryButton>
              </fieldset>
            </Card>
          )
        })}
      </ul>
      {profile.status === 'approved' && profile.locations.length > 0 && (
        <p className="text-sm text-soft">
          If you change a place, the change holds for sessions that are booked there already, too: we email
          their clients.
        </p>
      )}
      <EntryButton variant="secondary" className="self-start" onPress={() => list.append(empty)}>
        <IconPlus aria-hidden size={20} />
        {list.fields.length === 0 ? 'Add a place' : 'Add another place'}
      </EntryButton>
    </StepForm>
  )
}

function placeOf(location: Location): Place {
  const { location_id, location_name, home_number, street, city, postal_code, country, show_street } =
    location
  return {
    location_id,
    location_name,
    home_number,
    street,
    city,
    postal_code,
    country,
    show_street,
  }
}
