import { days, dayText, hours, minutes, weekdayOf } from '../../clock.ts'
import { localDay, startOfDay } from '../availability/availability.service.ts'
import type { Zone } from '../availability/zone.ts'
import { lifetimes, type Wishes } from './waitlist.rules.ts'

/** How long a client has to decide and pay, in milliseconds; undefined if a time starts too soon for a turn. */
export function turnLength(leadMs: number): number | undefined {
  if (leadMs > hours(72)) return hours(4)
  if (leadMs >= hours(24)) return minutes(60)
  if (leadMs >= hours(4)) return minutes(20)
  return undefined
}

const day = days(1)
const quietFrom = 21 * 60
const quietUntil = 8 * 60

const minuteOfDay = (zone: Zone, instant: number) =>
  Math.floor(((((instant + zone.offsetAt(instant)) % day) + day) % day) / minutes(1))

const isQuiet = (zone: Zone, instant: number) => {
  const minute = minuteOfDay(zone, instant)
  return minute >= quietFrom || minute < quietUntil
}

/** The first instant at which the clocks of a day show `minute`, or the first one after it where that is skipped. */
function instantOf(zone: Zone, localDate: number, minute: number): number {
  const local = localDate * day + minutes(minute)
  const [first] = zone.instantsOf(local)
  return first ?? local - zone.offsetAt(startOfDay(zone, localDate) - 1)
}

/**
 * When a turn that begins at an instant ends. Its clock stands still from 21:00 to 08:00 in the client's zone. All in epoch
 * milliseconds.
 */
export function turnEnd(begin: number, turnMs: number, zone: Zone): number {
  let at = begin
  let remaining = turnMs
  for (;;) {
    if (isQuiet(zone, at)) {
      const today = localDay(zone, at)
      const morning = instantOf(zone, today, quietUntil)
      at = morning > at ? morning : instantOf(zone, today + 1, quietUntil)
    }
    const evening = instantOf(zone, localDay(zone, at), quietFrom)
    if (at + remaining <= evening) return at + remaining
    remaining -= evening - at
    at = evening
  }
}

/** The end of a turn whose clock starts now, rounded up to a full minute as clients see it. */
export function startedTurnEnd(offer: { madeAt: Date; startsAt: Date }, now: Date, zone: Zone): Date {
  const turn = turnLength(offer.startsAt.getTime() - offer.madeAt.getTime()) ?? 0
  const end = Math.ceil(turnEnd(now.getTime(), turn, zone) / minutes(1)) * minutes(1)
  return new Date(Math.min(end, offer.madeAt.getTime() + lifetimes.longestHold))
}

export type Plan = { kind: 'turn'; holdUntil: Date } | { kind: 'broadcast' }

/**
 * How a free time is offered to a client at `now`. A turn's time is free again before `bookableUntil`, even if its hold is
 * extended for the bank's question, so that others can still book it afterwards.
 */
export function planOffer(
  { startsAt, bookableUntil }: { startsAt: Date; bookableUntil: Date },
  now: Date,
  zone: Zone,
): Plan {
  const turn = turnLength(startsAt.getTime() - now.getTime())
  if (turn === undefined) return { kind: 'broadcast' }
  const from = now.getTime()
  const end = turnEnd(from, turn, zone)
  if (end > from + turn && startsAt.getTime() - end < hours(12)) return { kind: 'broadcast' }
  const latestEnd = Math.ceil(turnEnd(from + lifetimes.handOver, turn, zone) / minutes(1)) * minutes(1)
  const holdUntil = Math.min(latestEnd, from + lifetimes.longestHold)
  if (holdUntil + extension + guard >= bookableUntil.getTime()) return { kind: 'broadcast' }
  return { kind: 'turn', holdUntil: new Date(holdUntil) }
}

/** What a hold gains while the bank asks the client to authenticate. */
const extension = minutes(10)

/** Whether a session to replace can still be cancelled whenever its client pays within a hold, at the last moment too. */
export const lastsThrough = (changeableUntil: Date, holdUntil: Date): boolean =>
  changeableUntil.getTime() >= holdUntil.getTime() + extension

/** How long a time stays reserved after the deadline of its offer, as in the database's `guarded_until`. */
const guard = minutes(2)

/** Whether a start suits an entry's windows, dates and lead time. Epoch milliseconds. */
export function suits(wishes: Wishes, zone: Zone, startsAt: number, now: number): boolean {
  if (startsAt - now < minutes(wishes.lead_minutes)) return false
  const localDate = localDay(zone, startsAt)
  const date = dayText(localDate)
  if (wishes.earliest !== null && date < wishes.earliest) return false
  if (wishes.latest !== null && date > wishes.latest) return false
  const weekday = weekdayOf(localDate)
  const minute = minuteOfDay(zone, startsAt)
  return wishes.windows.some(
    ({ weekdays, from, to }) => weekdays.includes(weekday) && from <= minute && minute < to,
  )
}
