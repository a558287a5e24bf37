import { expect, test } from 'vitest'
import type { Session } from '#contract/sessions.ts'
import { mapUrl, mayMessage, momentLabel, moneyLabels, readyTips, returnLabel } from './session-labels.ts'

type Own = NonNullable<Session['as_client']>
type Theirs = NonNullable<Session['as_practitioner']>

const year = new Date().getUTCFullYear() + 1
const payAt = `${year}-07-02T09:00:00Z`
const payBy = `${year}-07-03T09:00:00Z`
const unpaid = { status: 'reserved', fee: 60, pay_at: payAt, pay_by: payBy } as const
const asked = { asked_price: { fee: 70, answer_by: payAt } } as NonNullable<Session['series']>
const session = (
  of: Partial<Omit<Session, 'as_client' | 'as_practitioner'>>,
  own?: Partial<Own>,
  theirs?: Partial<Theirs>,
) =>
  ({
    you: theirs ? 'practitioner' : 'client',
    other: { name: 'Nora Ellis' },
    booking_type: 'schedule',
    appointment_type: 'online',
    status: 'confirmed',
    price: 60,
    cancelled_by: null,
    cancelled_because: null,
    dialog_id: null,
    moved_from: null,
    ...of,
    as_client: theirs
      ? null
      : { status: 'confirmed', fee: 60, full_fee: 60, discount: 0, refund: null, dispute: null, ...own },
    as_practitioner: theirs ? { status: 'confirmed', ...theirs } : null,
  }) as Session

test.each<[Parameters<typeof momentLabel>[1], Session, string]>([
  ['ahead', session({}), 'Your session is booked.'],
  [
    'ahead',
    session({ moved_from: payAt }, undefined, {}),
    'Your session is booked. It has moved to a new time.',
  ],
  ['ahead', session({ status: 'reserved' }), 'This time is reserved for you. It is not paid yet.'],
  [
    'soon',
    session({ status: 'reserved' }, undefined, {}),
    'This time is reserved for Nora Ellis, who has not paid yet.',
  ],
  ['live', session({ status: 'reserved' }), 'This time is reserved for you. It is not paid yet.'],
  ['live', session({}), 'Your session is on now.'],
  [
    'live',
    session({ booking_type: 'get-help-right-now' }),
    'Session is booked, thank you! Nora Ellis has accepted and is there for you now.',
  ],
  [
    'live',
    session({ booking_type: 'get-help-right-now' }, undefined, {}),
    'You have accepted. Nora Ellis is waiting for you.',
  ],
  [
    'frozen',
    session({ status: 'reserved' }),
    'We are checking this session. Its time is kept, and we will write to you as soon as we know more.',
  ],
  ['over', session({}), 'Your session has ended.'],
  ['over', session({ dialog_id: 'd' }), 'Your session has ended. Your chat with Nora Ellis stays open.'],
  ['cancelled', session({ cancelled_by: 'client' }), 'You cancelled this session.'],
  ['cancelled', session({ cancelled_by: 'client' }, undefined, {}), 'Nora Ellis cancelled this session.'],
  ['cancelled', session({ cancelled_by: 'practitioner' }), 'Nora Ellis cancelled this session.'],
  ['cancelled', session({ cancelled_by: 'system' }), 'This session had to be cancelled.'],
  [
    'cancelled',
    session({ cancelled_by: 'system' }, { no_show: { state: 'overturned' } as Own['no_show'] }),
    'This session was cancelled after a dispute.',
  ],
  [
    'cancelled',
    session({ cancelled_by: 'system', cancelled_because: 'practitioner_absent' }, undefined, {}),
    'Nora Ellis told us that you did not come, so this session was cancelled.',
  ],
  [
    'cancelled',
    session({ cancelled_by: 'system', cancelled_because: 'unpaid' }),
    'This session was cancelled because it was not paid in time.',
  ],
  [
    'cancelled',
    session({ cancelled_by: 'client', cancelled_because: 'series_ended' }),
    'This session was cancelled because your regular sessions ended or changed.',
  ],
  [
    'cancelled',
    session({ cancelled_by: 'system', cancelled_because: 'practitioner_absent' }),
    'Nora Ellis did not come, so this session was cancelled.',
  ],
  [
    'cancelled',
    session({ cancelled_by: 'practitioner', cancelled_because: 'technical_failure' }),
    'This session was cancelled because the connection did not work.',
  ],
  ['missed', session({}), 'Nora Ellis told us that you did not come.'],
  [
    'missed',
    session({}, { no_show: { state: 'declared' } as Own['no_show'] }),
    'Nora Ellis told us that you did not come.',
  ],
  [
    'missed',
    session({}, { no_show: { state: 'disputed' } as Own['no_show'] }),
    'Nora Ellis told us that you did not come. You have told us otherwise.',
  ],
  ['missed', session({}, undefined, {}), 'You told us that Nora Ellis did not come.'],
])('a session that is %s stands in words of its own for each side: %#', (moment, of, words) => {
  expect(momentLabel(of, moment)).toBe(words)
})

test.each<[string, Session, RegExp[]]>([
  ['paid', session({}), [/^£60 paid$/]],
  [
    'paid with a code',
    session({ price: 48 }, { fee: 48, full_fee: 60, discount: 12 }),
    [/^£48 paid$/, /^£12 off the price of £60$/],
  ],
  [
    'partly refunded',
    session({}, { refund: { amount: 10, state: 'requested' } }),
    [/^£60 paid$/, /^£10 is going back to your card\.$/],
  ],
  [
    'reserved',
    session({}, { ...unpaid, payment_due: 'planned' }),
    [/^£60$/, /^Not paid yet: £60 will be taken on \w+day 2 July \d+, 10:00\.$/],
  ],
  [
    'reserved, and declined',
    session({}, { ...unpaid, payment_due: 'needed' }),
    [/^£60$/, /^Not paid yet\.$/],
  ],
  [
    'reserved, with no card to pay it',
    session({}, { ...unpaid, payment_due: 'planned', card_set: false }),
    [/^£60$/, /^Not paid yet\.$/],
  ],
  [
    'reserved, and being checked',
    session({}, { ...unpaid, payment_due: 'planned', frozen_until: payAt }),
    [/^£60$/, /^Not paid yet\.$/],
  ],
  [
    'reserved, while a new price waits for the client’s answer',
    session({ status: 'reserved', series: asked }, { ...unpaid, payment_due: 'planned' }),
    [
      /^£70 if you agree to the new price, £60 so far$/,
      /^Not paid yet\. Unless it is agreed by \w+day 2 July \d+, 10:00, this session does not take place\.$/,
    ],
  ],
  [
    'reserved, while the practitioner waits for an answer to a new price',
    session({ status: 'reserved', series: asked }, undefined, { ...unpaid, payment_due: 'planned' }),
    [
      /^£70 if Nora Ellis agrees to the new price, £60 so far$/,
      /^Not paid yet\. Unless it is agreed by \w+day 2 July \d+, 10:00, this session does not take place\.$/,
    ],
  ],
  ['the practitioner’s', session({}, undefined, {}), [/^£60 for the session$/]],
  [
    'reserved, to the practitioner',
    session({}, undefined, { ...unpaid, payment_due: 'planned' }),
    [/^£60 for the session$/, /^We take the payment on \w+day 2 July \d+, 10:00\.$/],
  ],
  [
    'not tried, to the practitioner',
    session({}, undefined, { ...unpaid, payment_due: 'open' }),
    [/^£60 for/, /^Not paid yet\. Nora Ellis can pay until \w+day 3 July \d+, 10:00\. After/],
  ],
  [
    'declined, to the practitioner',
    session({}, undefined, { ...unpaid, payment_due: 'retrying' }),
    [
      /^£60 for/,
      /^The payment did not go through\. Nora Ellis can pay until \w+day 3 July \d+, 10:00\. After/,
    ],
  ],
])('the money of a session that is %s', (_name, of, lines) => {
  const labels = moneyLabels(of, 'Europe/London')
  expect(labels).toHaveLength(lines.length)
  for (const [index, line] of lines.entries()) expect(labels[index]).toMatch(line)
})

test('a client knows before cancelling what comes back', () => {
  const confirmed = { status: 'confirmed', fee: 60, dispute: null } as const
  expect(returnLabel(confirmed)).toBe('If you cancel by then, you get £60 back.')
  expect(returnLabel({ ...confirmed, status: 'reserved' })).toBe('If you cancel, nothing is charged.')
  expect(returnLabel({ ...confirmed, dispute: 'lost' })).not.toContain('£60')
})

test('only a session that is booked for a time has words on getting ready', () => {
  expect(readyTips(session({})).join(' ')).toContain('headphones')
  expect(readyTips(session({ appointment_type: 'face_to_face' })).join(' ')).toContain('the way')
  expect(readyTips(session({ booking_type: 'get-help-right-now' }))).toEqual([])
})

test('a map opens at the point', () => {
  expect(mapUrl({ latitude: 53.8, longitude: -1.55 })).toBe(
    'https://www.openstreetmap.org/?mlat=53.8&mlon=-1.55#map=17/53.8/-1.55',
  )
})

test.each<[string, boolean, Session]>([
  ['is booked', true, session({ frozen_until: null, chat_closed: false })],
  ['is checked and its chat is open', true, session({ frozen_until: payAt, chat_closed: false })],
  ['is checked and its chat is closed', false, session({ frozen_until: payAt, chat_closed: true })],
  ['is checked and an older server does not know of its chat', false, session({ frozen_until: payAt })],
  [
    'has a client who has left',
    false,
    session({ frozen_until: null, chat_closed: false }, undefined, {
      can: { message: false } as Theirs['can'],
    }),
  ],
])('a session that %s offers a message: %s', (_, isOffered, of) => {
  expect(mayMessage(of)).toBe(isOffered)
})
