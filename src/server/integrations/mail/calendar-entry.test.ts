import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { type CalendarEntry, calendarEntry } from './calendar-entry.ts'

const organizer = { name: 'Hearth', address: 'hello@hearth.test' }
const entry: CalendarEntry = {
  uid: '0197-session',
  sequence: 3,
  writtenAt: new Date('2026-06-01T08:00:00Z'),
  startsAt: new Date('2027-06-01T08:00:00Z'),
  endsAt: new Date('2027-06-01T08:50:00Z'),
  summary: 'Session with Anna Bell',
  description: 'Join: https://rooms.example.test/anna?a=1;b=2,3\nTo move it: https://hearth.test/sign-in',
  location: '12 Park Row, Leeds; back door \\ up',
  url: 'https://hearth.test/sign-in?return_to=%2Fsession%3Fappointment%3D1',
  cancelled: false,
  attendee: { name: 'Zoë "Z" O’Hara', email: 'alex@example.test' },
}

/** The entry as another hand's parser reads it. */
function read(content: string) {
  const calendar = new ICAL.Component(ICAL.parse(content) as never)
  const [component, ...more] = calendar.getAllSubcomponents('vevent')
  if (!component || more.length > 0) throw new Error('Not one entry.')
  return { calendar, component, event: new ICAL.Event(component) }
}

// The clocks of London go forward on 28 March 2027 at 01:00 UTC, and back on 31 October 2027 at 01:00 UTC.
describe.each([
  ['the last day of winter', '2027-03-27T10:00:00Z', '10:00'],
  ['the first minute that is skipped', '2027-03-28T01:00:00Z', '02:00'],
  ['the first morning of summer', '2027-03-28T08:00:00Z', '09:00'],
  ['the last evening of summer', '2027-10-30T17:00:00Z', '18:00'],
  ['the hour that comes first of two', '2027-10-31T00:30:00Z', '01:30'],
  ['the hour that comes second of two', '2027-10-31T01:30:00Z', '01:30'],
  ['the first morning of winter', '2027-10-31T09:00:00Z', '09:00'],
])('on %s', (_when, instant, inLondon) => {
  test(`a session at ${instant} is at that instant, ${inLondon} in London`, () => {
    const startsAt = new Date(instant)
    const endsAt = new Date(startsAt.getTime() + 50 * 60_000)
    const { event } = read(calendarEntry({ ...entry, startsAt, endsAt }, organizer).content)
    expect(event.startDate.toJSDate().toISOString()).toBe(startsAt.toISOString())
    expect(event.endDate.toJSDate().toISOString()).toBe(endsAt.toISOString())
    const shown = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/London' })
    expect(shown.format(event.startDate.toJSDate())).toBe(inLondon)
  })
})

test('an entry of a sender without a name comes from Hearth', () => {
  const { content } = calendarEntry(entry, { name: '', address: 'hello@hearth.test' })
  const sender = read(content).component.getFirstProperty('organizer')
  expect([sender?.getFirstParameter('cn'), sender?.getFirstValue()]).toEqual([
    'Hearth',
    'mailto:hello@hearth.test',
  ])
})

test('an entry says what it is, asks for no answer and stays private', () => {
  const { method, content } = calendarEntry(entry, organizer)
  const { calendar, component, event } = read(content)
  expect(method).toBe('REQUEST')
  expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
  expect(event).toMatchObject({
    uid: entry.uid,
    sequence: 3,
    summary: entry.summary,
    description: entry.description,
    location: entry.location,
    organizer: 'mailto:hello@hearth.test',
  })
  expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  expect(component.getFirstPropertyValue('class')).toBe('PRIVATE')
  const [attendee, ...more] = event.attendees
  expect(more).toEqual([])
  expect(attendee?.getParameter('rsvp')).toBe('FALSE')
  expect(attendee?.getParameter('partstat')).toBe('ACCEPTED')
  expect(attendee?.getFirstValue()).toMatch(/^mailto:alex@example\.test$/i)
})

test('a cancelled one takes the entry back', () => {
  const { method, content } = calendarEntry({ ...entry, sequence: 4, cancelled: true }, organizer)
  const { calendar, component, event } = read(content)
  expect(method).toBe('CANCEL')
  expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(component.getFirstPropertyValue('status')).toBe('CANCELLED')
  expect(event).toMatchObject({ uid: entry.uid, sequence: 4 })
})

test('lines end and are folded as RFC 5545 wants it', () => {
  const long = { ...entry, description: 'Straße '.repeat(60).trim() }
  const { content } = calendarEntry(long, organizer)
  expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(read(content).event.description).toBe(long.description)
})

test('what people are called cannot add a line to it', () => {
  const attendee = { name: 'A"\r\nATTENDEE:mailto:evil@example.test', email: 'alex@example.test' }
  const { content } = calendarEntry(
    { ...entry, attendee, summary: 'Session with A\r\nDTSTART:20200101T000000Z' },
    organizer,
  )
  const { event } = read(content)
  expect(event.attendees).toHaveLength(1)
  expect(event.startDate.toJSDate()).toEqual(entry.startsAt)
})
