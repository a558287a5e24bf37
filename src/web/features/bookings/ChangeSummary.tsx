import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { formatPence } from '#contract/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { formatNames } from './booking-labels.ts'
import { InView } from './InView.tsx'
import type { SessionChange } from './use-session-change.ts'

/** The saved cards, for a choice that costs more. */
export type CardsForDifference = {
  chosenId: string | undefined
  /** How many there are; undefined while that is not known. */
  count: number | undefined
  choice: ReactNode
  /** The form for another card, which is chosen once it is saved. */
  renderForm(onSaved: () => void): ReactNode
}

type Props = {
  session: AppointmentDetail
  change: SessionChange
  cards: CardsForDifference
  theirZone: string
}

/** From when to when, what that costs or brings back, and which card pays. */
export function ChangeSummary({ session, change, cards, theirZone }: Props) {
  const zone = viewerZone()
  const { choice, price, startsAt } = change
  const difference = price?.difference ?? 0
  const isUnpaid = session.status === 'reserved'
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
                  <SessionClocks
                    startsAt={session.starts_at}
                    zone={zone}
                    others={[{ whose: 'Practitioner’s time', zone: theirZone }]}
                    className="text-sm text-soft"
                  />
                </>
              )}
              <span className="block text-sm text-soft">
                {session.service_name}, {formatNames[session.appointment_type ?? 'online']}
              </span>
            </dd>
          </div>
          <IconArrowDown aria-hidden size={20} className="text-action" />
          <div>
            <dt className="text-sm text-soft">New</dt>
            {change.isChange ? (
              <dd>
                <span className="font-semibold">{formatDayAndTime(startsAt, zone)}</span>
                <SessionClocks
                  startsAt={startsAt}
                  zone={zone}
                  others={[{ whose: 'Practitioner’s time', zone: theirZone }]}
                  className="text-sm text-soft"
                />
                <span className="block text-sm text-soft">
                  {choice.service?.service_name}, {formatNames[choice.type]}
                </span>
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
            <span>{isUnpaid ? unpaidLabel(difference) : differenceLabel(difference)}</span>
            {difference !== 0 && (
              <strong className="tabular-nums">{formatPence(Math.abs(difference))}</strong>
            )}
          </p>
        )}
      </div>
      {change.isChange && difference > 0 && (
        <CardForDifference
          cards={cards}
          problem={
            isUnpaid
              ? `Add or choose a card to pay ${formatPence(difference)} with.`
              : `This choice costs ${formatPence(difference)} more. Add or choose a card to pay with.`
          }
          isLacking={change.lack === 'card'}
        />
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

function unpaidLabel(due: number): string {
  return due > 0
    ? 'You pay now, as it starts within two days'
    : 'Nothing is paid now. The money is taken two days before it starts.'
}

function differenceLabel(difference: number): string {
  if (difference > 0) return 'You pay the difference'
  return difference < 0 ? 'You get back, to the card you paid with' : 'The price stays the same.'
}

function CardForDifference({
  cards,
  problem,
  isLacking,
}: {
  cards: CardsForDifference
  problem: string
  isLacking: boolean
}) {
  const [isAdding, setAdding] = useState(false)
  const isFormShown = isAdding || cards.count === 0
  return (
    <div className="flex flex-col gap-4">
      {cards.choice}
      {isLacking && (
        <InView>
          <Alert tone="warning" live="assertive" title="Choose a card">
            {problem}
          </Alert>
        </InView>
      )}
      {isFormShown ? (
        <section aria-label="Adding new card" className="rounded-lg border border-line bg-surface p-4">
          {cards.renderForm(() => setAdding(false))}
        </section>
      ) : (
        <Button variant="secondary" onPress={() => setAdding(true)}>
          Use another card
        </Button>
      )}
    </div>
  )
}
