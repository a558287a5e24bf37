import { expect, test } from 'vitest'
import {
  aheadLabel,
  attendanceLabel,
  auditSubjectLabel,
  choiceFor,
  decisionLabel,
  hideLabels,
  isRenewal,
  formatBirthday,
  lastDayBefore,
  liftLead,
  outcomeLabel,
  reportedLabel,
  settleLead,
  upholdLead,
} from './admin-labels.ts'

const inOurRoom = { appointment_type: 'online', room: 'hearth' } as const
const seen = (client: boolean, practitioner: boolean) => ({ client, practitioner })
const twentyMinutes = { first_in: '2026-06-08T09:01:00Z', last_out: '2026-06-08T09:21:00Z', minutes: 20 }
const aMoment = { first_in: '2026-06-08T09:01:00Z', last_out: '2026-06-08T09:01:20Z', minutes: 0 }

test.each([
  [
    { ...inOurRoom, seen: seen(false, false), attendance: null },
    'Neither side was seen in the session’s room.',
  ],
  [
    { ...inOurRoom, seen: seen(false, true), attendance: { client: null, practitioner: twentyMinutes } },
    'In the session’s room: the client not at all; the practitioner for 20 minutes, between 10:01 and 10:21.',
  ],
  [
    { ...inOurRoom, seen: seen(true, false), attendance: { client: aMoment, practitioner: null } },
    'In the session’s room: the client for less than a minute, between 10:01 and 10:01; the practitioner not at all.',
  ],
  [
    { ...inOurRoom, seen: seen(true, true), attendance: { client: twentyMinutes, practitioner: null } },
    'In the session’s room: the client for 20 minutes, between 10:01 and 10:21; the practitioner at times that are no longer kept.',
  ],
  [{ ...inOurRoom, seen: seen(true, false), attendance: null }, 'Its times are no longer kept.'],
  [
    { appointment_type: 'face_to_face', room: null, seen: seen(false, false), attendance: null } as const,
    'Held face to face: no times are kept.',
  ],
  [
    { appointment_type: 'online', room: 'own', seen: seen(false, false), attendance: null } as const,
    'Held at the practitioner’s own link: no times are kept.',
  ],
])('what is known of when each side of a session was there: %#', (dispute, label) => {
  expect(attendanceLabel(dispute)).toBe(label)
})

test.each([
  [null, 'Sessions that are still frozen take place as booked.'],
  ['2999-01-01T00:00:00Z', 'Sessions that are still frozen take place as booked.'],
  ['2020-01-01T00:00:00Z', 'Frozen sessions stay on hold until a newer one is accepted.'],
])(
  'lifting a suspension names what comes of frozen sessions, documents valid until %s',
  (until, sentence) => {
    expect(liftLead({ vetted_until: until })).toContain(sentence)
  },
)

test.each([
  [0, 'The client gets nothing back, and the fee can be paid out.'],
  [30, 'Nothing more is refunded, and what is left of the fee can be paid out.'],
  [60, 'Nothing more is refunded. The fee was given back, so nothing of it is paid out.'],
])('upholding a no-show names what comes of the fee of £60 after a refund of £%i', (refunded, effect) => {
  expect(upholdLead({ paid: 60, refunded })).toBe(`${effect} Both are told. This cannot be undone.`)
})

test('an audit entry shows the instant in its subject as a day and time in London', () => {
  const start = `${new Date().getFullYear()}-06-10T09:00:00.000Z`
  const label = auditSubjectLabel(`waitlist entry 4f0c, ${start}`)
  expect(label).toMatch(/^waitlist entry 4f0c, \w+day 10 June, 10:00$/)
})

test('an audit entry without an instant keeps its subject, days included', () => {
  expect(auditSubjectLabel('practitioner 12, until 2026-06-10')).toBe('practitioner 12, until 2026-06-10')
})

const practitioner = { practitioner_id: 12, full_name: 'Priya Patel' }

test('the dialog to hide a review names the rating, and both sides as readers of the reason', () => {
  const { lead, description } = hideLabels({ about: 'review', practitioner })
  expect(lead).toContain('no longer counts towards the rating')
  expect(lead).toContain('The client who wrote it, Priya Patel and our team can still read it.')
  expect(description).toBe('The client who wrote it and Priya Patel will read this.')
})

test('the dialog to hide a reply leaves the rating, and names its writer as the reader of the reason', () => {
  const { lead, description } = hideLabels({ about: 'reply', practitioner })
  expect(lead).not.toContain('counts')
  expect(lead).toContain('The review stays, and so does the rating.')
  expect(lead).toContain('Priya Patel, who wrote it, and our team can still read it.')
  expect(description).toBe('Priya Patel, who wrote it, will read this.')
})

test.each([
  [
    { name: 'Mo Reed', email: 'mo@example.org', practitioner_id: null },
    'Client, mo@example.org',
    'A client cannot be suspended. If they should hear from us, write to mo@example.org first.',
  ],
  [
    { name: 'Former client', email: null, practitioner_id: null },
    'Client, account deleted',
    'This client has deleted their account.',
  ],
  [
    { name: 'Priya Patel', email: 'priya@example.org', practitioner_id: 12 },
    'Practitioner, priya@example.org',
    'If the practitioner should be suspended, do that on their own page first.',
  ],
])('the report of a conversation names the reported person by side and email: %#', (about, label, lead) => {
  expect(reportedLabel(about)).toBe(label)
  expect(settleLead(about)).toBe(lead)
})

test('a decided report names the decision, its day and the admin, if the audit log knows them', () => {
  const decided_at = `${new Date().getFullYear()}-06-10T09:00:00.000Z`
  expect(decisionLabel({ status: 'open', decided_at: null, decided_by: null })).toBeUndefined()
  expect(decisionLabel({ status: 'hidden', decided_at, decided_by: 'Ada Admin' })).toMatch(
    /^Hidden, \w+day 10 June, 10:00, by Ada Admin$/,
  )
  expect(decisionLabel({ status: 'dismissed', decided_at, decided_by: null })).toMatch(
    /^Decided to keep it, \w+day 10 June, 10:00$/,
  )
})

test.each([
  [{ paid: 60, unpaid: 0 }, '£60'],
  [{ paid: 0, unpaid: 52.5 }, '£52.50, not paid yet'],
])('a session ahead shows its price, and that it is not paid yet: %o', (money, price) => {
  const session = {
    starts_at: `${new Date().getFullYear()}-06-10T09:00:00.000Z`,
    client_name: 'Mo C.',
    ...money,
  }
  expect(aheadLabel(session)).toMatch(new RegExp(`day 10 June, 10:00, Mo C., ${price}$`))
})

test('a licence beside an accepted one of its number is the renewal of it', () => {
  const accepted = {
    licence_id: 1,
    licence: 'HCPC',
    licence_number: 'PYL1',
    provider_type: 'Clinical Psychologist',
    status: 'accepted' as const,
    reason: null,
    expires_on: '2026-06-20',
    added_at: '2026-06-01T08:00:00Z',
  }
  const waiting = { ...accepted, licence_id: 2, status: 'waiting' as const }
  expect(isRenewal(waiting, [accepted, waiting])).toBe(true)
  expect(isRenewal(accepted, [accepted, waiting])).toBe(false)
  const others = [{ licence_number: 'PYL2' }, { licence: 'BPS' }, { provider_type: 'Counsellor' }]
  for (const other of others) expect(isRenewal({ ...waiting, ...other }, [accepted, waiting])).toBe(false)
  expect(isRenewal(waiting, [waiting])).toBe(false)
})

test('sessions ahead are usually cancelled where clients may be at risk, and frozen otherwise', () => {
  expect(choiceFor).toEqual({
    conduct: 'cancel',
    identity: 'cancel',
    insurance: 'cancel',
    papers: 'freeze',
    other: 'freeze',
  })
})

test.each([
  [0, 0, ''],
  [1, 0, '1 session cancelled.'],
  [0, 2, '2 sessions frozen.'],
  [2, 1, '2 sessions cancelled, 1 session frozen.'],
])('a suspension with %i sessions cancelled and %i frozen reads %j', (cancelled, frozen, words) => {
  expect(outcomeLabel({ cancelled, frozen })).toBe(words)
})

test('what holds until a midnight of London was good for the last time on the day before', () => {
  const year = new Date().getFullYear()
  expect(lastDayBefore(`${year}-06-10T23:00:00Z`)).toMatch(/^\w+day 10 June$/)
  expect(lastDayBefore(`${year}-12-10T00:00:00Z`)).toMatch(/^\w+day 9 December$/)
  expect(formatBirthday('1984-05-06')).toBe('6 May 1984')
})
