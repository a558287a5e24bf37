import { IconArrowDown } from '@tabler/icons-react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { formatPence } from '#contract/money.ts'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'
import { type CardsToPay, CardToPay } from '#web/ui/CardToPay.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { bankReturnsLabel } from './bank-returns.ts'
import { InView } from './InView.tsx'
import { placeFor } from './places.ts'
import type { SessionChange } from './use-session-change.ts'

type Props = {
  session: AppointmentDetail
  change: SessionChange
  cards: CardsToPay
  practitioner: Pick<PractitionerProfile, 'timezone' | 'addresses'>
}

/** From when and where to when and where, what that costs or brings back, and which card pays. */
export function ChangeSummary({ session, change, cards, practitioner }: Props) {
  const zone = viewerZone()
  const { timezone: theirZone, addresses } = practitioner
  const { choice, price, startsAt } = change
  const difference = price?.difference ?? 0
  const isUnpaid = session.status === 'reserved'
  const byBank = difference < 0 ? bankReturnsLabel(session) : undefined
  return (
    <section aria-label="Your change" className="flex flex-col gap-4">
      <div aria-live="polite" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
        <dl className="flex flex-col gap-1.5">
          <div>
            <dt className="text-sm text-soft">Now</dt>
            <dd>
              {session.starts_at && (
                <>
                  {formatDayAndTime(session.starts_at, zone)}
                  <PractitionerClock startsAt={session.starts_at} zone={theirZone} />
                </>
              )}
              <What
                service={session.service_name}
                type={session.appointment_type ?? 'online'}
                place={placeFor(session, addresses, session.location_id)}
              />
            </dd>
          </div>
          <IconArrowDown aria-hidden size={20} className="text-action" />
          <div>
            <dt className="text-sm text-soft">New</dt>
            {change.isChange ? (
              <dd>
                <span className="font-semibold">{formatDayAndTime(startsAt, zone)}</span>
                <PractitionerClock startsAt={startsAt} zone={theirZone} />
                <What
                  service={choice.service?.service_name}
                  type={choice.type}
                  place={placeFor(session, addresses, change.locationId)}
                />
              </dd>
            ) : change.time === 'free' ? (
              <dd>Choose another time, format or service.</dd>
            ) : change.time === 'checking' ? (
              <dd>Checking whether {formatDayAndTime(startsAt, zone)} is free.</dd>
            ) : (
              <dd>
                <span className="font-semibold">Choose a time.</span>
                {change.time === 'not free' && (
                  <span className="block text-sm text-soft">
                    {formatDayAndTime(startsAt, zone)} is not free for this choice.
                  </span>
                )}
              </dd>
            )}
          </div>
        </dl>
        {change.isChange && (
          <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3">
            <span>{isUnpaid ? unpaidLabel(difference) : (byBank ?? differenceLabel(difference))}</span>
            {difference !== 0 && !byBank && (
              <strong className="tabular-nums">{formatPence(Math.abs(difference))}</strong>
            )}
          </p>
        )}
      </div>
      {change.isChange && difference > 0 && (
        <div className="flex flex-col gap-4">
          <CardToPay cards={cards} isFramed>
            {change.lack === 'card' && (
              <InView>
                <Alert tone="warning" live="assertive" title="Choose a card">
                  {isUnpaid
                    ? `Add or choose a card to pay ${formatPence(difference)} with.`
                    : `This choice costs ${formatPence(difference)} more. Add or choose a card to pay with.`}
                </Alert>
              </InView>
            )}
          </CardToPay>
        </div>
      )}
      {change.lack === 'time' && change.time !== 'free' && (
        <InView>
          <Alert tone="warning" live="assertive" title="Choose a time first">
            Your session stays as it is until you have chosen a time that is free.
          </Alert>
        </InView>
      )}
      {change.lack === 'change' && (
        <InView>
          <Alert tone="warning" live="assertive" title="Nothing has changed yet">
            Choose another time, format or service first.
          </Alert>
        </InView>
      )}
    </section>
  )
}

function What(of: { service: string | null | undefined; type: AppointmentType; place: string | undefined }) {
  return (
    <span className="block text-sm text-soft">
      {of.service}, {formatNames[of.type]}
      {of.type === 'face_to_face' && of.place && <span className="block">{of.place}</span>}
    </span>
  )
}

function unpaidLabel(due: number): string {
  return due > 0
    ? 'You pay now, as it starts within two days'
    : 'Nothing is paid now. The money is taken two days before it starts.'
}

function differenceLabel(difference: number): string {
  if (difference > 0) return 'You pay the difference'
  return difference < 0 ? 'You get back, to the card you paid with' : 'The price stays the same.'
}
