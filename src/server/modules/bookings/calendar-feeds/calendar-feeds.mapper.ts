import type { Location } from '#contract/practitioners/practitioners.ts'
import { addressOf } from '../bookings.mapper.ts'
import { isFrozen } from '../bookings.rules.ts'
import type { SessionRow } from '../practitioner/practitioner-schedule.store.ts'

/** A session in its owner's calendar feed, with the same `uid` as the entry in the mails. */
export function toFeedEntry(
  row: SessionRow,
  around: {
    uid: string
    who: string
    location: Location | undefined
    link: string
    now: Date
    /** Where the online session is held; a practitioner's own link only for recipients who may know it. */
    joinUrl?: string | undefined
  },
) {
  const { uid, who, location, link, now, joinUrl } = around
  const frozen = isFrozen(row)
  return {
    uid,
    sequence: row.sequence,
    writtenAt: now,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    tentative: frozen || row.state === 'reserved',
    summary: `${frozen ? 'Being checked: session' : 'Session'} with ${who}`,
    description: [
      ...(joinUrl === undefined || frozen ? [] : [`Join: ${joinUrl}`]),
      `To look at, move or cancel it: ${link}`,
      'Removing this entry does not cancel the session.',
    ].join('\n'),
    location:
      row.appointment_type === 'online'
        ? 'Online'
        : location
          ? `${location.location_name}, ${addressOf(location)}`
          : 'In person',
    url: link,
  }
}
