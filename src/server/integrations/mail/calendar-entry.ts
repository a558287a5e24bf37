import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator'
import type { CalendarMail, Sender } from './port.ts'

/** One appointment in the calendar of one person. */
export type CalendarEntry = {
  /** The same through the life of the appointment. */
  uid: string
  /** Rises with every change: a calendar keeps the entry with the highest. */
  sequence: number
  /** When this state of it was written down. */
  writtenAt: Date
  startsAt: Date
  endsAt: Date
  summary: string
  description: string
  location: string
  /** The page of the appointment. */
  url: string
  cancelled: boolean
  /** Not certain to take place. */
  tentative?: boolean
  attendee: { name: string; email: string }
}

/**
 * The entry as calendars take it from a mail (RFC 5546).
 *
 * It is a REQUEST rather than a PUBLISH: the large calendars import only that automatically, and only then move or
 * remove the entry of a moved or cancelled session. It asks for no reply (`RSVP=FALSE`, already accepted), since no
 * reply is read: a session is cancelled in the product. Times are in UTC, which means the same instant on both sides of
 * a clock change, also in a calendar with outdated rules for the zone. `CLASS:PRIVATE` hides the details from readers of
 * a shared calendar.
 */
export function calendarEntry(entry: CalendarEntry, organizer: Sender): CalendarMail {
  const method = entry.cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST
  const calendar = ical({ prodId, method })
  calendar.createEvent({
    ...eventOf(entry),
    ...(entry.cancelled ? { status: ICalEventStatus.CANCELLED } : {}),
    // Without a name none can be written.
    organizer: { name: organizer.name || 'Hearth', email: organizer.address },
    attendees: [{ ...entry.attendee, rsvp: false, status: ICalAttendeeStatus.ACCEPTED }],
  })
  return { method: entry.cancelled ? 'CANCEL' : 'REQUEST', content: calendar.toString() }
}

type PublishedEntry = Omit<CalendarEntry, 'attendee' | 'cancelled'>

/** Entries that a calendar reads from a link rather than from mails; it asks again every hour or so. */
export function feedOf(entries: PublishedEntry[]): string {
  const calendar = ical({ prodId, name: 'Hearth', method: ICalCalendarMethod.PUBLISH, ttl: 60 * 60 })
  for (const entry of entries) calendar.createEvent(eventOf(entry))
  return calendar.toString()
}

/** One entry to save and open in a calendar program. */
export function fileOf(entry: PublishedEntry): string {
  const calendar = ical({ prodId, method: ICalCalendarMethod.PUBLISH })
  calendar.createEvent(eventOf(entry))
  return calendar.toString()
}

const prodId = { company: 'Hearth', product: 'Sessions', language: 'EN' }

const eventOf = (entry: PublishedEntry) => ({
  id: entry.uid,
  sequence: entry.sequence,
  stamp: entry.writtenAt,
  start: entry.startsAt,
  end: entry.endsAt,
  summary: entry.summary,
  description: entry.description,
  location: entry.location,
  url: entry.url,
  status: entry.tentative ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
  class: ICalEventClass.PRIVATE,
})
