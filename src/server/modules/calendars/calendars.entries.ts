import { isDeepStrictEqual } from 'node:util'
import { CalendarProblem, type CalendarEvent } from '../../integrations/calendar/port.ts'
import { eventIdOf, nextEventId } from './calendars.rules.ts'
import type { CalendarDependencies } from './calendars.deps.ts'
import * as store from './calendars.store.ts'

type Dependencies = Pick<CalendarDependencies, 'db' | 'clock' | 'provider' | 'checkpoint'> & {
  useGrant<T>(row: store.CalendarRow, work: (grant: string) => Promise<T>): Promise<T | undefined>
}

/** More attempts than two writers and a practitioner's manual edit can need. */
const maxAttempts = 6

/** The product's entries in practitioners' own calendars. */
export function createEntries({ db, clock, provider, checkpoint, useGrant }: Dependencies) {
  return {
    /**
     * Creates, updates or deletes the entry of a session in a practitioner's calendar. Idempotent. `describe` returns
     * the current entry, or undefined for none. It runs again after the write, so that the last writer has seen the
     * newest state. Etags detect concurrent writers. A manual change in the calendar is overwritten.
     * @throws CalendarProblem to be retried
     */
    async write(
      { appointmentId, practitionerId }: { appointmentId: string; practitionerId: number },
      describe: () => Promise<CalendarEvent | undefined>,
    ): Promise<void> {
      const row = await store.findOf(db, practitionerId)
      if (!provider || row?.state !== 'connected') return
      await useGrant(row, async (grant) => {
        const found = await store.findEntry(db, appointmentId)
        const known = found?.calendar === row.id ? found : undefined
        let eventId = known?.event_id ?? eventIdOf(appointmentId)
        let etag = known?.etag
        for (let attempt = 1; attempt <= maxAttempts; attempt++) {
          const event = await describe()
          const at = { calendarId: row.calendar_id, eventId }
          if (!event) {
            // Delete even an unrecorded entry: its writer may have crashed before recording it.
            await provider.remove(grant, at)
            return store.deleteEntry(db, appointmentId)
          }
          try {
            etag = await provider.put(grant, at, event, etag)
          } catch (error) {
            if (!(error instanceof CalendarProblem)) throw error
            if (error.why === 'changed') etag = await provider.etagOf(grant, at)
            else if (error.why === 'locked') {
              eventId = nextEventId(appointmentId, eventId)
              etag = undefined
            } else throw error
            continue
          }
          await checkpoint('calendar entry written')
          await store.keepEntry(db, {
            appointment_id: appointmentId,
            calendar: row.id,
            event_id: eventId,
            etag,
            written_at: clock.now(),
          })
          if (isDeepStrictEqual(await describe(), event)) return
        }
        throw new CalendarProblem('away')
      })
    },
  }
}
