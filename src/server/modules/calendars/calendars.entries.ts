import { isDeepStrictEqual } from 'node:util'
import { CalendarProblem, type CalendarEvent } from '../../integrations/calendar/port.ts'
import { eventIdOf, nextEventId } from './calendars.rules.ts'
import type { CalendarDependencies } from './calendars.service.ts'
import * as store from './calendars.store.ts'

type Dependencies = Pick<CalendarDependencies, 'db' | 'clock' | 'provider' | 'checkpoint'> & {
  useGrant<T>(row: store.CalendarRow, work: (grant: string) => Promise<T>): Promise<T | undefined>
}

/** More often than two writers and a practitioner's own hand get in each other's way. */
const mostAttempts = 6

/** Our entries in practitioners' own calendars. */
export function createEntries({ db, clock, provider, checkpoint, useGrant }: Dependencies) {
  return {
    /**
     * Makes a practitioner's calendar say what is so of a session, whatever was written before and however often this is
     * done: `describe` is asked for it, nothing meaning that there is to be no entry. It is asked again once it is
     * written: whoever writes last has seen the newest. Two who write at once are told apart by etags, and what was
     * changed in the calendar by hand is put right.
     * @throws CalendarProblem to be tried again
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
        for (let attempt = 1; attempt <= mostAttempts; attempt++) {
          const event = await describe()
          const at = { calendarId: row.calendar_id, eventId }
          if (!event) {
            // Without knowing of one as well: whoever wrote it may have ended before they could say so.
            await provider.remove(grant, at)
            return store.forgetEntry(db, appointmentId)
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
