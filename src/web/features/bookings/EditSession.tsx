import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { Slot } from '#contract/availability/availability.ts'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerProfile, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { serverNow } from '#web/lib/clock.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { practitionerQuery } from '#web/lib/practitioner-query.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { formatOption, sessionFormats } from '#web/lib/session-formats.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import type { CardsToPay } from '#web/ui/CardToPay.tsx'
import { BookingProblem } from './BookingProblem.tsx'
import { ChangeDone } from './ChangeDone.tsx'
import { ChangeSummary } from './ChangeSummary.tsx'
import { InView } from './InView.tsx'
import { placeFor } from './places.ts'
import { type SessionChange, useSessionChange } from './use-session-change.ts'

/** Parts of other features. */
export type MoveParts = {
  SlotPicker: ComponentType<{
    practitionerId: number
    serviceId: number | undefined
    minutes: number | undefined
    appointmentType: AppointmentType
    practitionerZone: string
    /** `starts_at` of the chosen one. */
    value: string | undefined
    onChange(slot: Slot | undefined): void
    now: InstantLike
    opensAt: InstantLike | undefined
  }>
  /** Reads the saved cards. */
  WithCards: ComponentType<{ label: string; children(cards: CardsToPay): ReactNode }>
}

type Props = { session: AppointmentDetail; onClose(): void; parts: MoveParts }

/** Moves a session to another time, format or service. The choice is kept after every failure. */
export function EditSession({ session, onClose, parts }: Props) {
  const { SlotPicker, WithCards } = parts
  return (
    <WithCards label={session.status === 'reserved' ? 'Pay with' : 'Pay the difference with'}>
      {(cards) => <EditDialog {...{ session, onClose, cards, SlotPicker }} />}
    </WithCards>
  )
}

type DialogProps = Pick<Props, 'session' | 'onClose'> & Pick<MoveParts, 'SlotPicker'> & { cards: CardsToPay }

function EditDialog({ session, onClose, cards, SlotPicker }: DialogProps) {
  const practitioner = useQuery(practitionerQuery(session.practitioner_id))
  const services = practitioner.data && withOwn(practitioner.data.services, session)
  const change = useSessionChange(session, services)
  const { checked } = change
  const isMoving = checked.step !== 'idle'
  return (
    <>
      {/* One dialog from loading to done: it knows where the focus belongs when it closes. It closes for the payment
          provider's window, because its focus trap would keep the client out of that window. */}
      <Dialog
        isOpen={checked.step !== 'at_bank'}
        onClose={onClose}
        isStubborn={isMoving}
        title="Book an appointment"
        look="side"
        footer={
          change.made ? (
            <Button onPress={onClose} fullWidth>
              Done
            </Button>
          ) : (
            practitioner.data && (
              <div className="flex w-full flex-col gap-2">
                <Button
                  fullWidth
                  isPending={isMoving}
                  pendingLabel="Changing your booking"
                  onPress={() => change.carryOut(cards.chosenId)}
                >
                  Book session
                </Button>
                <p className="text-center text-sm text-soft">Instant booking available</p>
              </div>
            )
          )
        }
      >
        {change.made ? (
          <ChangeDone
            change={change.made}
            theirZone={session.practitioner.timezone}
            place={placeFor(session, practitioner.data?.addresses ?? [], change.made.after.location_id)}
          />
        ) : practitioner.data && services ? (
          <EditForm {...{ session, change, cards, SlotPicker, services, practitioner: practitioner.data }} />
        ) : practitioner.error ? (
          <QueryError title="The free times did not load" query={practitioner} level={3} />
        ) : (
          <EditLoading />
        )}
      </Dialog>
      <BankCheck checked={checked} />
    </>
  )
}

type FormProps = Omit<DialogProps, 'onClose'> & {
  change: SessionChange
  practitioner: PractitionerProfile
  /** What can be chosen. */
  services: ServiceTypes
}

function EditForm({ session, change, cards, SlotPicker, practitioner, services }: FormProps) {
  const { checked, choice } = change
  const isOffered = practitioner.services[choice.type].some(
    ({ service_id }) => service_id === choice.service?.service_id,
  )
  const [now] = useState(serverNow)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <p className="font-semibold">{practitioner.full_name}</p>
        <div className="flex flex-wrap items-center gap-2">
          <span className={chip}>
            <Rating value={practitioner.reviews_rating} total={practitioner.reviews_total} />
          </span>
          {choice.service && (
            <span className={`${chip} text-sm font-semibold`}>
              <span className="sr-only">Price </span>
              <Price pence={poundsToPence(choice.service.fee)} />
            </span>
          )}
        </div>
      </div>
      <SegmentedToggle
        label="Format"
        isLabelHidden
        name="type"
        value={choice.type}
        onChange={(type) => change.chooseType(type === 'online' ? 'online' : 'face_to_face')}
        options={sessionFormats.map((format) => ({
          ...formatOption(format),
          isDisabled: services[format].length === 0,
        }))}
      />
      <Select
        label="Service"
        isWrapping
        value={choice.service?.service_id ?? ''}
        onChange={(event) => change.chooseService(Number(event.target.value))}
        options={services[choice.type].map((service) => ({
          value: String(service.service_id),
          label: `${service.service_name}, ${agreedMinutes(session, choice.type, service) ?? service.duration} minutes`,
        }))}
      />
      {choice.service && (
        <section aria-label="Free times">
          <SlotPicker
            // Another service begins with the week of the session again.
            key={`${choice.type}-${choice.service.service_id}`}
            practitionerId={session.practitioner_id}
            serviceId={isOffered ? choice.service.service_id : undefined}
            minutes={agreedMinutes(session, choice.type, choice.service)}
            appointmentType={choice.type}
            practitionerZone={practitioner.timezone}
            value={choice.slot?.starts_at}
            onChange={change.chooseSlot}
            now={now}
            opensAt={session.starts_at ?? undefined}
          />
        </section>
      )}
      <ChangeSummary {...{ session, change, cards, practitioner }} />
      {checked.step !== 'asking' && checked.error !== undefined && (
        <InView>
          <BookingProblem error={checked.error} />
        </InView>
      )}
    </div>
  )
}

const chip = 'inline-flex min-h-9 items-center rounded-full border border-line bg-surface px-3.5'

export function EditLoading() {
  return (
    <Loading label="Loading the free times" className="flex flex-col gap-6">
      <Skeleton className="h-16 w-52" />
      <Skeleton className="h-14 rounded-full" />
      <Skeleton className="h-19" />
      <Skeleton className="h-64" />
    </Loading>
  )
}

/** What a practitioner offers, with the service of a session that they do not offer any more: it stays as it was agreed. */
function withOwn(offered: ServiceTypes, session: AppointmentDetail): ServiceTypes {
  const { service_id, appointment_type: type, service_name, full_fee: fee } = session
  if (service_id === null || !type) return offered
  if (offered[type].some((service) => service.service_id === service_id)) return offered
  const duration = agreedMinutes(session, type, { service_id }) ?? 0
  const own = { service_id, service_name: service_name ?? 'Session', duration, fee, appointment_type: type }
  return { ...offered, [type]: [own, ...offered[type]] }
}

/** How long a session stays as it was booked; undefined for another choice, which is as long as the service is now. */
function agreedMinutes(
  { service_id, appointment_type, starts_at, ends_at }: AppointmentDetail,
  type: AppointmentDetail['appointment_type'],
  service: { service_id: number },
): number | undefined {
  const isSame = service.service_id === service_id && type === appointment_type
  return isSame && starts_at && ends_at ? (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000 : undefined
}
