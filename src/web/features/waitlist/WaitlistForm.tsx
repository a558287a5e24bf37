import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import type { Slot } from '#contract/availability/availability.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { fieldOf } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { formatOption, sessionFormats } from '#web/lib/session-formats.ts'
import { ChipGroup } from '#web/ui/ChipGroup.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { FreeTimes } from './FreeTimes.tsx'
import { OwnWindows } from './OwnWindows.tsx'
import { swapLabel } from './swaps.ts'
import { leadTimes, leadTimeLabel, otherClockOf } from './waitlist-labels.ts'
import { ownWaitlistQuery, swappableQuery } from './waitlist-queries.ts'
import { changesOf, termsOf, type WaitlistValues } from './waitlist-terms.ts'
import { chosenFrom, faultOf, usualWindows } from './windows.ts'

type Props = {
  practitioner: PractitionerProfile
  /** What is changed; a new one without. */
  entry?: WaitlistEntry | undefined
  /** What was chosen on the profile. */
  first?: { type?: AppointmentType | undefined; serviceId?: number | undefined }
  /** It is being sent until this has ended. */
  onSaved(entry: WaitlistEntry): void | Promise<void>
  /** Where 'Go back' leads. */
  backTo: string
}

/** When a client could come, for what, and how short a notice is enough. */
export function WaitlistForm({ practitioner, entry, first = {}, onSaved, backTo }: Props) {
  const { services, practitioner_id: practitionerId } = practitioner
  const offered = sessionFormats.filter((type) => services[type].length > 0)
  const zone = viewerZone()
  const [today] = useState(() => dayIn(serverNow(), zone))
  const [base] = useState(entry)
  const [saved] = useState(() => valuesOf(practitioner, { entry, first, today }))
  const otherClock = base && otherClockOf(base, zone, serverNow())
  const { form, forget } = useKeptForm<WaitlistValues>(`waitlist-${practitionerId}`, saved, {
    isOfSaved: entry !== undefined,
    isUsable: ({ appointment_type, service_id }) =>
      services[appointment_type].some((service) => String(service.service_id) === service_id),
  })
  const [type, serviceId, earliest, swapped] = useWatch({
    control: form.control,
    name: ['appointment_type', 'service_id', 'earliest', 'swaps_appointment_id'],
  })
  const swaps = useQuery(swappableQuery(practitionerId))
  const swappable = swaps.data ?? []

  const options = {
    invalidates: [ownWaitlistQuery().queryKey],
    onDone(saved: WaitlistEntry) {
      forget()
      return onSaved(saved)
    },
  }
  const join = useAction('POST /waitlist', options)
  const change = useAction('PUT /waitlist/{id}', options)

  const send = (values: WaitlistValues) => {
    // One that can no longer be swapped is not among the choices.
    const isGone = swaps.data?.every(({ appointment_id }) => appointment_id !== values.swaps_appointment_id)
    const wanted = isGone ? { ...values, swaps_appointment_id: '' } : values
    if (!entry) {
      const body = { practitioner_id: practitionerId, ...termsOf(wanted), timezone: zone }
      return join.send({ body })
    }
    const body = changesOf(base ?? entry, saved, wanted, zone)
    return change.send({ params: { id: entry.entry_id }, body })
  }

  return (
    <Form
      form={form}
      className="flex flex-col gap-7"
      failureTitle={entry ? 'Your changes were not saved' : 'You are not on the waitlist yet'}
      wireNames={{ windows: 'usual' }}
      onSubmit={send}
      renderFailure={(_, error) =>
        error instanceof ApiError && error.code === 'slot_free' ? (
          <FreeTimes
            practitionerId={practitionerId}
            serviceId={Number(form.getValues('service_id'))}
            slots={error.details.slots as Slot[]}
          />
        ) : null
      }
    >
      {otherClock && (
        <p className="text-soft">
          {`Times are in ${otherClock}. If you change them, they are in ${zoneTime(zone)}.`}
        </p>
      )}
      <Controller
        control={form.control}
        name="usual"
        rules={{
          validate: (usual, { own }) =>
            usual.length + own.length > 0 || 'Choose at least one time of the week.',
        }}
        render={({ field, fieldState }) => (
          <ChipGroup
            label="When could you come?"
            description="Choose all that suit you: the more you choose, the sooner we find a time."
            name="usual"
            ref={field.ref}
            error={fieldState.error?.message}
            options={usualWindows.map(({ key, label }) => ({ value: key, label }))}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <Controller
        control={form.control}
        name="own"
        rules={{ validate: (own) => own.every((window) => !faultOf(window)) }}
        render={({ field, fieldState }) => (
          <OwnWindows
            windows={field.value}
            onChange={field.onChange}
            isChecked={fieldState.error !== undefined}
          />
        )}
      />
      <div className="flex flex-col gap-4">
        {offered.length > 1 && (
          <SegmentedToggle
            label="How you meet"
            value={type}
            inputProps={form.register('appointment_type', {
              onChange: (event: { target: { value: AppointmentType } }) => {
                const [service] = services[event.target.value]
                const known = form.getValues('service_id')
                if (services[event.target.value].some(({ service_id }) => String(service_id) === known))
                  return
                form.setValue('service_id', String(service?.service_id ?? ''))
              },
            })}
            options={offered.map(formatOption)}
          />
        )}
        <Select
          label="Session"
          isWrapping
          {...fieldOf(form, 'service_id')}
          value={serviceId}
          options={services[type].map((service) => ({
            value: String(service.service_id),
            label: `${service.service_name}, ${service.duration} min, ${formatPounds(service.fee)}`,
          }))}
        />
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="Not before"
          isOptional
          type="date"
          min={today}
          {...fieldOf(form, 'earliest', {
            validate: (day) => day === '' || day >= today || 'This day has passed. Choose today or later.',
          })}
        />
        <TextField
          label="Not after"
          isOptional
          type="date"
          min={earliest || today}
          {...fieldOf(form, 'latest', {
            validate: (day, { earliest: from }) =>
              day === '' || day >= (from || today) || 'This is before the first day. Choose a later one.',
          })}
        />
      </div>
      <Select
        label="How much notice do you need?"
        description="We only ask you about times that are at least this far away."
        {...fieldOf(form, 'lead_minutes')}
        options={leadTimes.map((minutes) => ({ value: String(minutes), label: leadTimeLabel(minutes) }))}
      />
      {swaps.error && !swaps.data && (
        <QueryErrorAlert query={swaps} tone="warning" live="polite" title="Your booked sessions did not load">
          {swapped
            ? 'The session to swap stays as you last chose it.'
            : `You can also ${entry ? 'save' : 'join'} without a session to swap, and choose one later.`}
        </QueryErrorAlert>
      )}
      {swaps.isPending && <Loading label="Loading your booked sessions" skeleton="h-14 rounded-lg" />}
      {swappable.length > 0 && (
        <Select
          label="Swap a session you have booked"
          isOptional
          description="When you take the new time we cancel the old one, and show you first what you get back."
          {...fieldOf(form, 'swaps_appointment_id')}
          options={[
            { value: '', label: 'No, this is an extra session' },
            ...swappable.map((session) => ({
              value: session.appointment_id,
              label: swapLabel(session, zone),
            })),
          ]}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton pendingLabel={entry ? 'Saving' : 'Joining the waitlist'}>
          {entry ? 'Save changes' : 'Join the waitlist'}
        </SubmitButton>
        <ButtonLink variant="quiet" to={backTo} onClick={forget}>
          Go back
        </ButtonLink>
      </div>
    </Form>
  )
}

function valuesOf(
  { services }: PractitionerProfile,
  {
    entry,
    first,
    today,
  }: { entry: WaitlistEntry | undefined; first: NonNullable<Props['first']>; today: string },
): WaitlistValues {
  const usable = sessionFormats.filter((each) => services[each].length > 0)
  const wanted = entry?.appointment_type ?? first.type
  const type = usable.find((each) => each === wanted) ?? usable[0] ?? 'online'
  const serviceId = entry?.service_id ?? first.serviceId
  const service = services[type].find(({ service_id }) => service_id === serviceId) ?? services[type][0]
  return {
    appointment_type: type,
    service_id: String(service?.service_id ?? ''),
    ...chosenFrom(entry?.windows ?? []),
    // One that has passed limits nothing, and would be refused.
    earliest: entry?.earliest && entry.earliest >= today ? entry.earliest : '',
    latest: entry?.latest ?? '',
    lead_minutes: String(entry?.lead_minutes ?? leadTimes[2]),
    // One that can no longer be cancelled is refused, and not among the choices.
    swaps_appointment_id: entry?.swaps?.possible ? entry.swaps.appointment_id : '',
  }
}
