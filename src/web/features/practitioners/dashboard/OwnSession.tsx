import { useId } from 'react'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { messageClientPath } from '#web/lib/chat-paths.ts'
import { formatPounds } from '#web/lib/money.ts'
import { proposePath } from '#web/lib/series-paths.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDay, formatDayAndTime, formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import type { AskedAct } from './SessionActDialog.tsx'
import {
  actsOf,
  canBeKept,
  clocksOf,
  offersCancel,
  outcomeLabel,
  paymentChangeLabels,
  refundedLabel,
} from './session-labels.ts'

type Props = {
  session: TherapistSession
  now: number
  timezone: string
  onAsk(act: AskedAct['act']): void
}

/** One session in the list, with what may be done to it. */
export function OwnSession({ session, now, timezone, onAsk }: Props) {
  const headingId = useId()
  const zone = viewerZone()
  const { starts_at, ends_at, client, can, location, status } = session
  const named = `${client.name}, ${formatDayAndTime(starts_at, zone)}`
  const isCancelled = status === 'cancelled' || session.payment_change === 'refunded'
  const refunded = refundedLabel(session)
  const hasActions = Object.values(can).some(Boolean)
  return (
    <li aria-labelledby={headingId} className="flex flex-col gap-2 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0 grow basis-40">
          <h3 id={headingId} className="font-sans text-base font-semibold tracking-normal">
            <TextLink to={sessionPath(session.appointment_id)} tone="plain">
              <span className="unbroken">{formatDay(starts_at, zone)},</span>{' '}
              <span className="unbroken tabular-nums">{formatTimeRange(starts_at, ends_at, zone)}</span>
            </TextLink>
          </h3>
          <SessionClocks
            startsAt={starts_at}
            endsAt={ends_at}
            zone={zone}
            others={clocksOf(session, timezone)}
          />
          <p>{client.name}</p>
          <p className="text-sm text-soft">
            {formatNames[session.appointment_type]}
            {session.service_name && `, ${session.service_name}`}
            {location && `, ${location.location_name}`}
          </p>
        </div>
        <div className="text-right">
          <p className={isCancelled ? 'tabular-nums text-soft line-through' : 'font-semibold tabular-nums'}>
            {formatPounds(isCancelled ? session.fee : session.owed)}
          </p>
          {!isCancelled && refunded && <p className="text-sm tabular-nums text-soft">{refunded}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="text-sm text-soft">{outcomeLabel(session, now, zone)}</p>
        {hasActions && (
          // The buttons' own padding is outside of both edges, so that their words line up with the text in every row.
          <div className="-mx-6 flex flex-wrap">
            {can.message && (
              <ButtonLink
                to={messageClientPath(session.appointment_id)}
                variant="quiet"
                aria-label={`Message ${named}`}
              >
                Message
              </ButtonLink>
            )}
            {session.series_id === null && canBeKept(session) && (
              <ButtonLink
                to={proposePath(session.appointment_id)}
                variant="quiet"
                aria-label={`Offer this hour every week to ${named}`}
              >
                Offer this hour every week
              </ButtonLink>
            )}
            {actsOf(session).map(({ act, label }) => (
              <Button
                key={act}
                variant="quiet"
                onPress={() => onAsk(act)}
                aria-label={`${label}: session with ${named}`}
              >
                {label}
              </Button>
            ))}
            {offersCancel(session) && (
              <Button
                variant="quiet"
                onPress={() => onAsk('cancel')}
                aria-label={`Cancel session with ${named}`}
              >
                Cancel session
              </Button>
            )}
          </div>
        )}
      </div>
      {session.payment_change && (
        <p className="text-sm font-semibold">{paymentChangeLabels[session.payment_change]}</p>
      )}
      {session.your_reason && (
        <p className="border-l-2 border-line pl-4 text-sm whitespace-pre-line text-soft">
          {session.your_reason}
        </p>
      )}
    </li>
  )
}
