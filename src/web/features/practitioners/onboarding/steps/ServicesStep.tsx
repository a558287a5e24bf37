import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useFieldArray, useWatch } from 'react-hook-form'
import type { RoomKind } from '#contract/common.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { limitedField } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { EntryButton } from '#web/ui/EntryButton.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { RadioGroup, type RadioOption } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useList, withLists } from '../lists.tsx'
import { StepForm } from '../StepForm.tsx'
import { useStepForm } from '../use-step-form.ts'
import { entriesOf, offeredOf, type Service, type ServiceEntry } from './service-entries.ts'
import { ServiceDialog } from './ServiceDialog.tsx'

const serviceList = 'GET /therapist/services'

/** What a dialog is about: a service to add, or one of the list by its index. */
type Asked = { what: 'add' } | { what: 'edit' | 'remove'; at: number }
type Values = { services: ServiceEntry[]; room: RoomKind; meeting_link: string }

const rooms: readonly RadioOption[] = [
  {
    value: 'hearth',
    label: 'In Hearth’s private room',
    description: 'One button for you and your client, and no other account. Nothing is recorded.',
  },
  { value: 'own', label: 'Behind my own link', description: 'You use a video service of your own.' },
]

const roomSettingsQuery = apiQuery(['therapist', 'room settings'], 'GET /therapist/room-settings')

/** The services of a practitioner, each with its length, price and format, and the online room. */
export const ServicesStep = withLists([serviceList], Services)

function Services({ profile }: { profile: TherapistProfile }) {
  const names: readonly Service[] = useList(serviceList)
  const { form, draft } = useStepForm<Values>({
    services: entriesOf(profile.services),
    room: profile.room,
    meeting_link: profile.meeting_link ?? '',
  })
  const list = useFieldArray({ control: form.control, name: 'services' })
  const offered = useWatch({ control: form.control, name: 'services' })
  const room = useWatch({ control: form.control, name: 'room' })
  const { data: settings } = useQuery(roomSettingsQuery)
  const [asked, setAsked] = useState<Asked>()
  const [said, setSaid] = useState('')
  const addButton = useRef<HTMLButtonElement>(null)
  const count = useRef(offered.length)

  // The button that was pressed has gone with its service.
  useEffect(() => {
    if (offered.length < count.current) addButton.current?.focus()
    count.current = offered.length
  }, [offered.length])

  const nameOf = ({ service_id }: ServiceEntry) =>
    names.find((each) => String(each.service_id) === service_id)?.name ?? 'Service'
  const nothing = form.formState.errors.root?.['nothing']?.message
  const chosen = asked && asked.what !== 'add' ? offered[asked.at] : undefined
  const isAnyOnline = offered.some(({ format }) => format === 'online')

  return (
    <>
      <StepForm
        form={form}
        draft={draft}
        check={() => {
          if (offered.length > 0) return true
          form.setError('root.nothing', { message: 'Add at least one service.' })
          return false
        }}
        save={{
          endpoint: 'POST /therapist/add-service-list',
          bodyOf: ({ services, room: chosen, meeting_link }) => ({
            online: offeredOf(services, 'online'),
            face_to_face: offeredOf(services, 'face_to_face'),
            room: chosen,
            // Without its field on the screen it stays as it is stored.
            ...(services.some(({ format }) => format === 'online') && {
              meeting_link: meeting_link.trim() || null,
            }),
          }),
        }}
      >
        {offered.length > 0 ? (
          <ul aria-label="Your services" className="flex flex-col gap-3">
            {list.fields.map((field, at) => {
              const entry = offered[at] ?? field
              return (
                <ServiceItem
                  key={field.id}
                  name={nameOf(entry)}
                  entry={entry}
                  onEdit={() => setAsked({ what: 'edit', at })}
                  onRemove={() => setAsked({ what: 'remove', at })}
                />
              )
            })}
          </ul>
        ) : (
          <p className="rounded-xl border border-dashed border-edge p-6 text-soft">
            You have no services yet. Add the first one, such as a first session online.
          </p>
        )}
        <div data-invalid={nothing && offered.length === 0 ? '' : undefined} className="flex flex-col gap-3">
          <EntryButton
            ref={addButton}
            variant="secondary"
            className="self-start"
            aria-describedby={nothing ? 'services-error' : undefined}
            onPress={() => setAsked({ what: 'add' })}
          >
            <IconPlus aria-hidden size={20} />
            Add a service
          </EntryButton>
          {nothing && offered.length === 0 && (
            <div role="alert">
              <FieldError id="services-error">{nothing}</FieldError>
            </div>
          )}
        </div>
        {isAnyOnline && (
          <RadioGroup
            label="Where do you hold online sessions?"
            {...(profile.status === 'approved' && {
              description:
                'A change holds for sessions that are booked already, too: we email their clients.',
            })}
            look="card"
            options={rooms}
            error={form.formState.errors.room?.message}
            inputProps={form.register('room')}
          />
        )}
        {isAnyOnline && room === 'hearth' && settings?.has_relay === false && (
          <Alert tone="warning" title="Video connects directly">
            Hearth has no relay here, so your device and your client’s connect to each other without help.
            That fails between many home networks. Keep another way ready, such as a link of your own.
          </Alert>
        )}
        {isAnyOnline && (
          <TextField
            label={room === 'own' ? 'Link to your online room' : 'Your own link, as another way'}
            isOptional={room === 'hearth'}
            description={
              room === 'own'
                ? 'With any video service. Clients see it once a session is confirmed.'
                : 'If the room does not work, you can offer it during the session with one press. Clients see it only then.'
            }
            type="url"
            inputMode="url"
            placeholder="https://"
            {...limitedField(form, 'POST /therapist/add-service-list', 'meeting_link', {
              validate: (link, { services, room: chosen }) =>
                (chosen !== 'own' && link.trim() === '') ||
                !services.some(({ format }) => format === 'online') ||
                /^https:\/\/\S+\.\S+/i.test(link) ||
                'Enter a link that starts with https://',
            })}
          />
        )}
      </StepForm>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {asked && asked.what !== 'remove' && (
        <ServiceDialog
          names={names}
          entry={chosen}
          others={offered.filter((_, at) => asked.what === 'add' || at !== asked.at)}
          onSave={(entry) => {
            if (asked.what === 'add') list.append(entry, { shouldFocus: false })
            else list.update(asked.at, entry)
            setSaid(
              `${nameOf(entry)}, ${formatNames[entry.format]}, is ${asked.what === 'add' ? 'added' : 'changed'}.`,
            )
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={asked?.what === 'remove'}
        onClose={() => setAsked(undefined)}
        title="Remove this service?"
        confirmLabel="Remove"
        cancelLabel="Keep it"
        isDangerous
        onConfirm={() => {
          if (asked?.what !== 'remove') return
          list.remove(asked.at)
          if (chosen) setSaid(`${nameOf(chosen)}, ${formatNames[chosen.format]}, is removed.`)
          setAsked(undefined)
        }}
      >
        {chosen && (
          <p>
            {nameOf(chosen)}, {formatNames[chosen.format].toLowerCase()}, leaves your list once you save this
            step. Clients can then no longer book it. Sessions that are booked stay as they are.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}

function ServiceItem({
  name,
  entry,
  onEdit,
  onRemove,
}: {
  name: string
  entry: ServiceEntry
  onEdit(): void
  onRemove(): void
}) {
  const format = formatNames[entry.format]
  const whole = `${name}, ${format.toLowerCase()}`
  return (
    <Card as="li" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 !p-4 sm:!px-5">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-soft tabular-nums">
          {format} · {entry.duration} minutes ·{' '}
          <span className="font-semibold text-ink">{formatPounds(Number(entry.fee))}</span>
        </p>
      </div>
      <div className="-ml-4 flex flex-wrap sm:ml-0">
        <EntryButton variant="quiet" size="small" aria-label={`Edit ${whole}`} onPress={onEdit}>
          <IconPencil aria-hidden size={18} />
          Edit
        </EntryButton>
        <EntryButton variant="quiet" size="small" aria-label={`Remove ${whole}`} onPress={onRemove}>
          <IconTrash aria-hidden size={18} />
          Remove
        </EntryButton>
      </div>
    </Card>
  )
}
