import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import type { AppointmentType } from '#contract/common.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { fieldOf } from '#web/lib/form.ts'
import { Card } from '#web/ui/Card.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { Slider } from '#web/ui/RangeSlider.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useList, WithLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'

const serviceList = 'GET /therapist/services'
/** What the sliders start from where a service is new, by the specification. */
const usual = { duration: '120', fee: '160' }

type Entry = { service_id: number; name: string; active: boolean; duration: string; fee: string }
type Values = { online: Entry[]; face_to_face: Entry[]; meeting_link: string }

const formats = [
  { type: 'online', title: 'Online' },
  { type: 'face_to_face', title: 'Face-to-face' },
] as const

/** Services by format, each with its length and price. */
export function ServicesStep({ profile }: { profile: TherapistProfile }) {
  return (
    <WithLists keys={[serviceList]}>
      <Services profile={profile} />
    </WithLists>
  )
}

function Services({ profile }: { profile: TherapistProfile }) {
  const names = useList(serviceList)
  const entriesOf = (type: AppointmentType): Entry[] =>
    names.map(({ service_id, name }) => {
      const offered = profile.services[type].find((each) => each.service_id === service_id)
      return {
        service_id,
        name,
        active: offered !== undefined,
        duration: offered ? String(offered.duration) : usual.duration,
        fee: offered ? offered.fee.toFixed(Number.isInteger(offered.fee) ? 0 : 2) : usual.fee,
      }
    })
  const { form, draft } = useStepForm<Values>({
    online: entriesOf('online'),
    face_to_face: entriesOf('face_to_face'),
    meeting_link: profile.meeting_link ?? '',
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control })
  const isAnyOnline = typed.online?.some(({ active }) => active) ?? false
  const nothing = errors.root?.['nothing']?.message
  return (
    <StepForm
      form={form}
      draft={draft}
      check={() => {
        const { online, face_to_face } = form.getValues()
        const isAny = [...online, ...face_to_face].some(({ active }) => active)
        if (!isAny) form.setError('root.nothing', { message: 'Choose at least one service.' })
        return isAny
      }}
      save={{
        endpoint: 'POST /therapist/add-service-list',
        bodyOf: ({ online, face_to_face, meeting_link }) => ({
          online: activeOf(online),
          face_to_face: activeOf(face_to_face),
          meeting_link,
        }),
      }}
    >
      {nothing && (
        <div role="alert">
          <FieldError id="no-service">{nothing}</FieldError>
        </div>
      )}
      {formats.map(({ type, title }) => (
        <section key={type} aria-labelledby={`${type}-title`}>
          <h2 id={`${type}-title`} className="mb-3 text-xl">
            {title}
          </h2>
          <ul className="flex flex-col gap-3">
            {names.map(({ service_id, name }, at) => (
              <Card as="li" key={service_id} className="!p-4">
                <Checkbox {...form.register(`${type}.${at}.active`)}>
                  <span className="font-semibold">{name}</span>
                </Checkbox>
                {typed[type]?.[at]?.active && <Amounts form={form} type={type} at={at} name={name} />}
              </Card>
            ))}
          </ul>
        </section>
      ))}
      {isAnyOnline && (
        <TextField
          label="Link to your online room"
          description="Your own room with any video service. Clients see it once a session is confirmed."
          type="url"
          inputMode="url"
          placeholder="https://"
          {...fieldOf(form, 'meeting_link', {
            validate: (link, { online }) =>
              !online.some(({ active }) => active) ||
              /^https:\/\/\S+\.\S+/.test(link) ||
              'Enter a link that starts with https://',
          })}
        />
      )}
    </StepForm>
  )
}

/** Each amount can be dragged and typed. */
function Amounts({
  form,
  type,
  at,
  name,
}: {
  form: UseFormReturn<Values>
  type: AppointmentType
  at: number
  name: string
}) {
  const faults = form.formState.errors[type]?.[at]
  return (
    <div className="mt-2 grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Controller
        control={form.control}
        name={`${type}.${at}.duration`}
        rules={{
          validate: (text) =>
            (/^\d+$/.test(text) && Number(text) >= 15 && Number(text) <= 240) ||
            'Between 15 and 240 minutes.',
        }}
        render={({ field }) => (
          <div>
            <Slider
              label={`Length of ${name}`}
              min={0}
              max={240}
              step={5}
              value={numberOf(field.value)}
              onChange={(minutes) => field.onChange(String(minutes))}
              format={() => `${field.value} minutes`}
            />
            <TextField
              label={`Minutes of ${name}`}
              isLabelHidden
              inputMode="numeric"
              className="max-w-28"
              error={faults?.duration?.message}
              {...field}
            />
          </div>
        )}
      />
      <Controller
        control={form.control}
        name={`${type}.${at}.fee`}
        rules={{
          validate: (text) =>
            (/^\d+([.,]\d{1,2})?$/.test(text) && numberOf(text) >= 1 && numberOf(text) <= 1000) ||
            'Between £1 and £1,000.',
        }}
        render={({ field }) => (
          <div>
            <Slider
              label={`Price of ${name}`}
              min={0}
              max={1000}
              step={5}
              value={numberOf(field.value)}
              onChange={(pounds) => field.onChange(String(pounds))}
              format={() => `£${field.value}`}
            />
            <TextField
              label={`Pounds for ${name}`}
              isLabelHidden
              inputMode="decimal"
              prefix="£"
              className="max-w-32"
              error={faults?.fee?.message}
              {...field}
            />
          </div>
        )}
      />
    </div>
  )
}

function numberOf(text: string): number {
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : 0
}

function activeOf(entries: Entry[]) {
  return entries
    .filter(({ active }) => active)
    .map(({ service_id, duration, fee }) => ({
      service_id,
      duration: numberOf(duration),
      fee: numberOf(fee),
    }))
}
