import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { CalendarEvent } from '../../integrations/calendar/port.ts'
import type { Calendars } from '../calendars/calendars.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { bookingsCalendarEntryJob } from './bookings.jobs.ts'
import { addressOf } from './bookings.mapper.ts'
import { isFrozen } from './bookings.rules.ts'
import { findAppointment } from './bookings.store.ts'
import { sessionPath, signInUrl } from '../../integrations/mail/format.ts'
import { listAhead, listCancelledInCalendar } from './practitioner/practitioner-schedule.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'publicUrl'> & {
  calendars: Pick<Calendars, 'write' | 'connectedSince'>
  practitioners: Pick<Practitioners, 'placesById'>
}

/** Above the number of sessions that a practitioner can have ahead. */
const maxAhead = 2000

/**
 * Writes sessions into practitioners' own calendars. Another company stores these entries, so an entry holds only that
 * there is a session, when and where. It names neither the client nor the topic.
 */
export function createSessionCalendar({
  db,
  clock,
  queue,
  calendars,
  practitioners,
  publicUrl,
}: Dependencies) {
  return {
    /** Enqueues the calendar updates of sessions of a practitioner that were booked, moved or cancelled. */
    async note(tx: Db, practitionerId: number, appointmentIds: readonly string[]): Promise<void> {
      if (!(await calendars.connectedSince(tx, practitionerId))) return
      await enqueue(tx, practitionerId, appointmentIds)
    },

    /**
     * Creates or updates the calendar entry of a session, or deletes it if the session does not take place. One whose
     * client has deleted their account has no row.
     */
    async write({
      appointment_id: id,
      practitioner_id,
    }: {
      appointment_id: string
      practitioner_id?: number
    }): Promise<void> {
      const practitionerId = (await findAppointment(db, id))?.practitioner_id ?? practitioner_id
      if (practitionerId === undefined) return
      await calendars.write({ appointmentId: id, practitionerId }, () => describe(id))
    },

    /**
     * Enqueues the entries of all sessions ahead, after a practitioner has connected a calendar, and of those that were
     * cancelled while it could not be written to.
     */
    async noteAhead(tx: Db, practitionerId: number): Promise<void> {
      const now = clock.now()
      const ahead = await listAhead(tx, practitionerId, now, maxAhead)
      const cancelled = await listCancelledInCalendar(tx, practitionerId, now)
      await enqueue(
        tx,
        practitionerId,
        [...ahead, ...cancelled].map(({ id }) => id),
      )
    },
  }

  async function enqueue(tx: Db, practitionerId: number, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await queue.enqueue(tx, bookingsCalendarEntryJob, {
        appointment_id: id,
        practitioner_id: practitionerId,
      })
    }
  }

  async function describe(id: string): Promise<CalendarEvent | undefined> {
    const row = await findAppointment(db, id)
    const hasEntry =
      row && ['reserved', 'confirmed', 'completed', 'no_show'].includes(row.state) && !isFrozen(row)
    if (!hasEntry || !row.starts_at || !row.ends_at) return undefined
    const place =
      row.location_id === null
        ? undefined
        : (await practitioners.placesById(db, [row.location_id])).get(row.location_id)
    const link = signInUrl(publicUrl, 'therapist', sessionPath(id))
    return {
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      summary: 'Session on Hearth',
      description: `To look at, move or cancel it: ${link}\nChanging or removing this entry does not change the session.`,
      location:
        row.appointment_type === 'online'
          ? 'Online'
          : place
            ? `${place.location_name}, ${addressOf(place)}`
            : 'In person',
      tentative: row.state === 'reserved',
    }
  }
}
