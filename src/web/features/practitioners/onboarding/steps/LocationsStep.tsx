import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useFieldArray } from 'react-hook-form'
import type { Location } from '#contract/practitioners/practitioners.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

type Place = Record<
  'location_name' | 'home_number' | 'street' | 'city' | 'postal_code' | 'country' | 'latitude' | 'longitude',
  string
> & { location_id: number | null }

const empty: Place = {
  location_id: null,
  location_name: '',
  home_number: '',
  street: '',
  city: '',
  postal_code: '',
  country: 'United Kingdom',
  latitude: '',
  longitude: '',
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
          const required = (name: keyof Omit<Place, 'location_id'>, label: string, words: string) => ({
            label,
            error: faults?.[name]?.message,
            ...form.register(`location_list.${at}.${name}`, {
              validate: (text) => text.trim() !== '' || words,
            }),
          })
          const coordinate = (name: 'latitude' | 'longitude', label: string, limit: number) => ({
            label,
            isOptional: true,
            inputMode: 'decimal' as const,
            error: faults?.[name]?.message,
            ...form.register(`location_list.${at}.${name}`, {
              validate: (text) =>
                text.trim() === '' ||
                Math.abs(Number(text)) <= limit ||
                `Enter a number between -${limit} and ${limit}.`,
            }),
          })
          return (
            <Card as="li" key={entry.id}>
              <fieldset className="flex min-w-0 flex-col gap-4">
                <legend className="mb-3 font-semibold">Place {at + 1}</legend>
                <TextField
                  description="Such as the name of the building or practice."
                  {...required('location_name', 'Name', 'Give the place a name.')}
                />
                <div className="grid gap-4 sm:grid-cols-[8rem_1fr]">
                  <TextField {...required('home_number', 'Number', 'Enter the number.')} />
                  <TextField {...required('street', 'Street', 'Enter the street.')} />
                </div>
                <div className="grid gap-4 sm:grid-cols-2">
                  <TextField {...required('city', 'Town or city', 'Enter the town or city.')} />
                  <TextField
                    autoComplete="postal-code"
                    {...required('postal_code', 'Postcode', 'Enter the postcode.')}
                  />
                </div>
                <TextField {...required('country', 'Country', 'Enter the country.')} />
                <Disclosure title="Position on a map" defaultOpen={entry.latitude !== ''}>
                  <div className="grid gap-4 pt-2 sm:grid-cols-2">
                    <TextField {...coordinate('latitude', 'Latitude', 90)} />
                    <TextField {...coordinate('longitude', 'Longitude', 180)} />
                  </div>
                  <p className="mt-2 text-sm text-soft">
                    Most maps show both when you press and hold on a place, such as 53.7997 and -1.5492.
                  </p>
                </Disclosure>
                <Button variant="quiet" className="self-start" onPress={() => list.remove(at)}>
                  <IconTrash aria-hidden size={20} />
                  Remove <span className="sr-only">place {at + 1}</span>
                </Button>
              </fieldset>
            </Card>
          )
        })}
      </ul>
      <Button variant="secondary" className="self-start" onPress={() => list.append(empty)}>
        <IconPlus aria-hidden size={20} />
        {list.fields.length === 0 ? 'Add a place' : 'Add another place'}
      </Button>
    </StepForm>
  )
}

function placeOf(location: Location): Place {
  const { location_id, location_name, home_number, street, city, postal_code, country } = location
  return {
    location_id,
    location_name,
    home_number,
    street,
    city,
    postal_code,
    country,
    latitude: location.latitude === null ? '' : String(location.latitude),
    longitude: location.longitude === null ? '' : String(location.longitude),
  }
}
