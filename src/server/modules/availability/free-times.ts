import type { AppointmentType } from '#contract/common.ts'
import { days, minutes } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import {
  bookableRange,
  durationsOf,
  type FreeSlot,
  freeSlots,
  maxPauseMs,
  withPause,
} from './availability.rules.ts'
import { readCalendars } from './availability.store.ts'
import { zoneOf } from './zone.ts'

type Dependencies = Pick<Deps, 'clock'> & { practitioners: Pick<Practitioners, 'bookable'> }
type Durations = Partial<Record<AppointmentType, number>>
/** From `from` to before `to`, epoch milliseconds. */
type Range = { from: number; to: number }

/** Everything that a practitioner could be booked for. */
export function createFreeTimes({ clock, practitioners }: Dependencies) {
  return {
    /**
     * The bookable days of a listed practitioner as they stand now, to find free starts of several lengths in. Undefined
     * unless listed.
     */
    async freeTimes(handle: Db, practitionerId: number) {
      const bookable = (await practitioners.bookable(handle, [practitionerId])).get(practitionerId)
      if (!bookable) return undefined
      const now = clock.now()
      const range = bookableRange(now.getTime(), bookable.leadTimeMinutes)
      const around = { from: range.from - maxPauseMs, to: range.to + days(1) }
      const calendars = await readCalendars(handle, [practitionerId], around, now)
      const { schedule, taken } = calendars.get(practitionerId) ?? { schedule: [], taken: [] }
      const zone = zoneOf(bookable.timezone)
      const busy = withPause(taken, bookable.pauseMinutes)
      const shortest = durationsOf(bookable.services)
      const within = ({ from, to }: Range) => ({
        from: Math.max(from, range.from),
        to: Math.min(to, range.to),
      })
      return {
        ...bookable,
        /** How long before its start a session can last be booked, in milliseconds. */
        leadTimeMs: range.from - now.getTime(),
        /** Of bookable starts. */
        range,
        /** What can be booked, by the shortest services unless other lengths are given. */
        free: (durations: Durations = shortest, wanted: Range = range): FreeSlot[] =>
          freeSlots({ zone, schedule, busy, ...within(wanted), durations }),
        /** What could be booked in a range if a slot were taken. */
        freeBeside: (slot: FreeSlot, wanted: Range, durations: Durations): FreeSlot[] => {
          const pause = minutes(bookable.pauseMinutes)
          const taken = [...busy, { from: slot.startsAt - pause, to: slot.endsAt + pause }]
          return freeSlots({ zone, schedule, busy: taken, ...within(wanted), durations })
        },
        /** The same with what is booked or away. */
        scheduled: (wanted: Range): FreeSlot[] =>
          freeSlots({ zone, schedule, busy: [], ...within(wanted), durations: shortest }),
      }
    },
  }
}
