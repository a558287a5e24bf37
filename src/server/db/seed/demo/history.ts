import { Temporal } from 'temporal-polyfill'
import { days, hours, later, minutes } from '../../../clock.ts'
import type { DemoPractitioner, DemoReview, DemoService } from './types.ts'

const zone = 'Europe/London'

export interface DemoClient {
  email: string
  firstName: string
  lastName: string
  createdAt: Date
  /** IANA name, of the clock they book by. */
  timezone: string
}

export interface DemoSession {
  /** Position of the practitioner in the directory. */
  practitioner: number
  /** Email of the client. */
  client: string
  startsAt: Date
  endsAt: Date
  bookedAt: Date
  /** `cancelled`: by the practitioner, with a refund that has not gone through. */
  state: 'completed' | 'confirmed' | 'cancelled'
  service: DemoService
  /** Position in the practitioner's locations; null when online. */
  locationIndex: number | null
  /** What the client wrote about it afterwards. */
  review?: DemoReview
}

export interface DemoPayout {
  practitioner: number
  amountPence: number
  /** `2026-04` */
  month: string
  at: Date
}

/** An hour that a client keeps every week, ten dates of it, none of them paid yet. */
export interface DemoSeries {
  practitioner: number
  client: string
  service: DemoService
  /** 1 is Monday. */
  weekday: number
  hour: number
  agreedAt: Date
  dates: {
    /** The day in the rhythm, `YYYY-MM-DD`. */
    onDate: string
    state: 'planned' | 'skipped' | 'moved'
    /** Of the session; null for a date that is skipped. */
    startsAt: Date | null
  }[]
}

export interface DemoHistory {
  /** Without the client who can sign in. */
  clients: DemoClient[]
  sessions: DemoSession[]
  /** Of the client who can sign in, with the first practitioner: its second date is skipped, its third moved. */
  series: DemoSeries | undefined
  payouts: DemoPayout[]
  /** When the client who can sign in joined. */
  joinedAt: Date
  /** Position of the practitioner whom that client sees besides the first. */
  colleague: number
}

type Name = readonly [first: string, last: string]

export const guestEmail = 'client@demo.test'

/** Clients of the demo practitioner who come every week: weekday (1 is Monday), and position among the day's hours. */
const regulars: readonly {
  name: Name
  weekday: number
  hour: number
  inRoom?: boolean
  timezone?: string
}[] = [
  { name: ['Bethan', 'Hughes'], weekday: 1, hour: 1, inRoom: true },
  { name: ['Samir', 'Chaudhry'], weekday: 1, hour: 6 },
  { name: ['Fiona', 'Drummond'], weekday: 2, hour: 2 },
  { name: ['Tomasz', 'Zielinski'], weekday: 3, hour: 4, timezone: 'Europe/Warsaw' },
  { name: ['Ngozi', 'Eze'], weekday: 4, hour: 0 },
  { name: ['Patrick', 'Lowe'], weekday: 4, hour: 7 },
  { name: ['Harriet', 'Baines'], weekday: 5, hour: 3 },
]
const former: readonly Name[] = [
  ['Callum', 'Reid'],
  ['Anjali', 'Desai'],
  ['Rosa', 'Whitfield'],
  ['Dylan', 'Pryce'],
  ['Miriam', 'Katz'],
  ['Leon', 'Baptiste'],
]
/** Whose refund is late, who reports a conversation, and who asks the demo practitioner a question. */
export const refunded: Name = ['Imogen', 'Hart']
export const reporter: Name = ['Morwenna', 'Teague']
export const enquirer: Name = ['Dominic', 'Ashe']

export const emailOf = ([first, last]: Name) => `${first}.${last}@clients.demo.test`.toLowerCase()

type Slot = Pick<DemoSession, 'startsAt' | 'service' | 'locationIndex'>

/** What a practitioner offers on a day, in order; of an hour in both formats, the online one comes first. */
export function slotsOn(person: DemoPractitioner, day: Temporal.PlainDate): Slot[] {
  return person.schedule
    .filter(({ weekday }) => weekday === day.dayOfWeek)
    .toSorted(
      (one, other) => one.hour - other.hour || other.appointmentType.localeCompare(one.appointmentType),
    )
    .flatMap(({ hour, appointmentType, locationIndex }) => {
      const service = person.services.find(
        (each) => each.appointmentType === appointmentType && each.durationMinutes <= 60,
      )
      const at = day.toZonedDateTime({ timeZone: zone, plainTime: { hour } })
      return service ? [{ startsAt: new Date(at.epochMilliseconds), service, locationIndex }] : []
    })
}

/**
 * The sessions behind the demo accounts, around an instant: a month of the first practitioner's, the sessions that her
 * reviews are about, and those of the client who can sign in. Each lies in the weekly hours of its practitioner. None is
 * on the day of `now`, which is left to the people who try the product.
 */
export function planHistory(practitioners: readonly DemoPractitioner[], now: Date): DemoHistory {
  const host = practitioners[0]
  if (!host) throw new Error('A demo without practitioners has no history.')
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  const inLondon = practitioners.filter(({ timezone }) => timezone === zone)
  const colleague =
    inLondon.find(
      (person) =>
        person !== host &&
        new Set(person.schedule.filter((each) => each.appointmentType === 'online').map((e) => e.weekday))
          .size > 2,
    ) ?? host

  const sessions: DemoSession[] = []
  /** Starts in use, of all: every session is an hour at most and starts on the hour. */
  const taken = new Set<number>()
  const add = (
    person: DemoPractitioner,
    client: string,
    slot: Slot | undefined,
    more: Pick<DemoSession, 'review'> & { cancelled?: boolean } = {},
  ): boolean => {
    if (!slot) return false
    taken.add(slot.startsAt.getTime())
    const { cancelled = false, ...rest } = more
    const endsAt = later(slot.startsAt, minutes(slot.service.durationMinutes))
    const usual = later(slot.startsAt, -days(6))
    const latest = later(now, -(cancelled ? days(4) : hours(3)))
    sessions.push({
      ...slot,
      ...rest,
      practitioner: person.index,
      client,
      endsAt,
      bookedAt: usual < latest ? usual : latest,
      state: cancelled ? 'cancelled' : endsAt <= now ? 'completed' : 'confirmed',
    })
    return true
  }
  const free = (person: DemoPractitioner, offset: number, isWanted = (_slot: Slot) => true) =>
    slotsOn(person, today.add({ days: offset })).filter(
      (slot) => !taken.has(slot.startsAt.getTime()) && isWanted(slot),
    )
  const isOnline = ({ service }: Slot) => service.appointmentType === 'online'
  /** The first free slot on the first of some days that has one. */
  const first = (person: DemoPractitioner, offsets: readonly number[]) =>
    offsets.flatMap((offset) => free(person, offset, isOnline).slice(0, 1))[0]
  const range = (from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index)

  // The client who can sign in: tomorrow, next week, and twice in the past.
  const works = [host, colleague, ...inLondon].find((person) => first(person, [1]) !== undefined) ?? host
  add(works, guestEmail, first(works, [1]) ?? tomorrowAtTen(host, today))
  const untilMonday = 8 - today.dayOfWeek
  // Far enough ahead to be moved or cancelled still.
  const nextWeek = range(Math.max(4, untilMonday), untilMonday + 6)
  const sees = first(colleague, nextWeek) ? colleague : host
  add(sees, guestEmail, first(sees, nextWeek))
  add(colleague, guestEmail, first(colleague, range(-16, -30)))
  add(colleague, emailOf(refunded), first(colleague, range(3, 10)), { cancelled: true })

  // Each review of the demo practitioner is about a session shortly before it; the newest is by the guest.
  const reviewers = [...regulars.map(({ name }) => name), ...former].map(emailOf)
  for (const [index, review] of host.reviews.entries()) {
    const before = review.createdDaysAgo + 1
    const client = (index > 0 && reviewers[(index - 1) % reviewers.length]) || guestEmail
    add(host, client, first(host, range(-before, -before - 7)), { review })
  }
  for (const offset of range(-29, 13)) {
    if (offset === 0) continue
    const { dayOfWeek } = today.add({ days: offset })
    for (const { name, weekday, hour, inRoom = false } of regulars) {
      if (weekday !== dayOfWeek) continue
      const slots = free(host, offset, (slot) => isOnline(slot) !== inRoom)
      add(host, emailOf(name), slots[hour % Math.max(1, slots.length)])
    }
  }

  const series = planSeries(
    host,
    now,
    (offset) => free(host, offset, isOnline),
    (offset) => today.add({ days: offset }),
  )

  const firstBooked = (email: string) =>
    sessions
      .filter(({ client }) => client === email)
      .reduce((first, { bookedAt }) => (bookedAt < first ? bookedAt : first), now)
  const joined = (email: string) => later(firstBooked(email), -days(1))
  const clients = [...regulars.map(({ name }) => name), ...former, refunded, reporter, enquirer].map(
    (name) => ({
      email: emailOf(name),
      firstName: name[0],
      lastName: name[1],
      createdAt: joined(emailOf(name)),
      timezone: regulars.find((each) => each.name === name)?.timezone ?? zone,
    }),
  )
  const payouts = planPayouts(
    sessions.filter(({ practitioner }) => practitioner === host.index),
    now,
  )
  return { clients, sessions, series, payouts, joinedAt: joined(guestEmail), colleague: colleague.index }
}

/** Weeks that a series is agreed for at first. */
const seriesWeeks = 10

/** The first hour from four days on that is free in each of ten weeks, and another one in the third. */
function planSeries(
  host: DemoPractitioner,
  now: Date,
  free: (offset: number) => Slot[],
  dayOf: (offset: number) => Temporal.PlainDate,
): DemoSeries | undefined {
  const hourOf = ({ startsAt }: Slot) =>
    Temporal.Instant.fromEpochMilliseconds(startsAt.getTime()).toZonedDateTimeISO(zone).hour
  const at = (offset: number, hour: number) => free(offset).find((slot) => hourOf(slot) === hour)
  for (let offset = 4; offset <= 10; offset++) {
    for (const slot of free(offset)) {
      const hour = hourOf(slot)
      const slots = Array.from({ length: seriesWeeks }, (_, week) => at(offset + 7 * week, hour))
      const other = [1, 2, -1, -2].flatMap((days) => free(offset + 14 + days).slice(0, 1))[0]
      if (!other || slots.includes(undefined)) continue
      return {
        practitioner: host.index,
        client: guestEmail,
        service: slot.service,
        weekday: dayOf(offset).dayOfWeek,
        hour,
        agreedAt: later(now, -hours(20)),
        dates: slots.map((each, week) => ({
          onDate: dayOf(offset + 7 * week).toString(),
          state: week === 1 ? 'skipped' : week === 2 ? 'moved' : 'planned',
          startsAt: week === 1 ? null : week === 2 ? other.startsAt : (each?.startsAt ?? null),
        })),
      }
    }
  }
  return undefined
}

/** For a directory too small to have a practitioner who works on the day after. */
function tomorrowAtTen(person: DemoPractitioner, today: Temporal.PlainDate): Slot | undefined {
  const service = person.services.find((each) => each.appointmentType === 'online')
  const at = today.add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: { hour: 10 } })
  return service && { startsAt: new Date(at.epochMilliseconds), service, locationIndex: null }
}

/** Sessions of a month are paid out on the 10th of the next one, so that the last ones are always still owed. */
function planPayouts(sessions: readonly DemoSession[], now: Date): DemoPayout[] {
  const byMonth = new Map<string, DemoPayout>()
  for (const session of sessions) {
    if (session.state !== 'completed') continue
    const month = Temporal.Instant.fromEpochMilliseconds(session.endsAt.getTime())
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .toPlainYearMonth()
    const on = month.add({ months: 1 }).toPlainDate({ day: 10 })
    const at = new Date(on.toZonedDateTime({ timeZone: zone, plainTime: { hour: 10 } }).epochMilliseconds)
    if (at > now) continue
    const key = month.toString()
    const before = byMonth.get(key)?.amountPence ?? 0
    const amountPence = before + session.service.feePence
    byMonth.set(key, { practitioner: session.practitioner, amountPence, month: key, at })
  }
  return [...byMonth.values()].toSorted((one, other) => one.at.getTime() - other.at.getTime())
}
