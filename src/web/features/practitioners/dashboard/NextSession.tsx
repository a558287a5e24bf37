import { IconCalendarEvent, IconMapPin, IconVideo } from '@tabler/icons-react'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { theirFrozenLabel } from '#web/lib/frozen-label.ts'
import { joinLead, sessionPath } from '#web/lib/session-paths.ts'
import { atTime, formatDay, formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { RoomLink } from '#web/ui/RoomLink.tsx'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import { clocksOf, outcomeLabel, soonLabel } from './session-labels.ts'

type Props = { session: TherapistSession | undefined; timezone: string; now: number; isListed: boolean }

/** The session that comes next: who, when, where, and the door to it. */
export function NextSession({ session, timezone, now, isListed }: Props) {
  return (
    <section
      aria-labelledby="next-session"
      className="rounded-xl border border-transparent bg-action-soft p-5 sm:p-7"
    >
      <h2 id="next-session" className="font-sans text-sm font-semibold tracking-normal text-on-action-soft">
        {session && Date.parse(session.starts_at) <= now ? 'Going on now' : 'Next session'}
      </h2>
      {session ? (
        <Facts session={session} timezone={timezone} now={now} />
      ) : (
        <p className="mt-2 flex items-start gap-3 text-lg">
          <IconCalendarEvent aria-hidden size={26} className="mt-0.5 shrink-0 text-on-action-soft" />
          <span>
            Nobody has booked yet.{' '}
            {isListed
              ? 'Your next session appears here as soon as someone books, and you get an email.'
              : 'Clients can book once your profile is listed.'}
          </span>
        </p>
      )}
    </section>
  )
}

function Facts({ session, timezone, now }: { session: TherapistSession; timezone: string; now: number }) {
  const zone = viewerZone()
  const { starts_at, ends_at, client, location, room } = session
  const soon = soonLabel(starts_at, now)
  const hasBegun = Date.parse(starts_at) <= now
  const opensAt = Date.parse(starts_at) - joinLead
  const Icon = session.appointment_type === 'online' ? IconVideo : IconMapPin
  return (
    <div className="mt-2 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <p className="font-serif text-2xl">
          {formatDay(starts_at, zone)},{' '}
          <span className="unbroken tabular-nums">{formatTimeRange(starts_at, ends_at, zone)}</span>
        </p>
        <SessionClocks
          startsAt={starts_at}
          endsAt={ends_at}
          zone={zone}
          others={clocksOf(session, timezone)}
        />
        <p className="mt-1 text-lg">
          {client.name}
          {hasBegun ? ', now' : soon && `, ${soon}`}
        </p>
        {session.frozen_until && (
          <Alert tone="warning" title="This session is being checked" className="mt-2">
            {theirFrozenLabel(session.frozen_until, client.name, zone)}
          </Alert>
        )}
        {session.status === 'reserved' && !session.frozen_until && (
          <p className="text-soft">{outcomeLabel(session, now, zone)}</p>
        )}
        <p className="flex items-start gap-2 text-soft">
          <Icon aria-hidden size={20} className="mt-1 shrink-0" />
          <span>
            {formatNames[session.appointment_type]}
            {session.service_name && `, ${session.service_name}`}
            {location && <span className="block">{`${location.location_name}, ${location.address}`}</span>}
          </span>
        </p>
        <TextLink to={sessionPath(session.appointment_id)} className="mt-1 tappable font-semibold">
          See this session
        </TextLink>
      </div>
      {room?.kind === 'hearth' && now < opensAt ? (
        <p className="text-soft">The room opens {atTime(opensAt, zone, now)}.</p>
      ) : (
        <RoomLink room={room} session={`for ${client.name}`}>
          Open your room
        </RoomLink>
      )}
    </div>
  )
}
