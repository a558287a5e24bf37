import { expect, test } from 'vitest'
import {
  askedPriceLabel,
  changeLabel,
  changeUntilLabel,
  durationLabel,
  frozenLabel,
  isChangeable,
  reservedLabel,
} from './booking-labels.ts'

const year = new Date().getUTCFullYear()

test('the window is named by its last minute in the viewer’s zone', () => {
  const words = changeUntilLabel(`${year}-07-06T09:32:00Z`, `${year}-07-10T09:00:00Z`, 'Europe/London')
  expect(words).toMatch(/^until \w+day 6 July, 10:32$/)
})

test('a window that ends with the start says so', () => {
  expect(changeUntilLabel('2027-03-04T13:59:59.999Z', '2027-03-04T14:00:00Z', 'Europe/London')).toBe(
    'until it starts',
  )
})

test.each([
  ['has begun', null, 'schedule', 'It has begun, so it cannot be moved or cancelled any more.'],
  [
    'was ended for both',
    '2026-06-08T09:20:00Z',
    'schedule',
    'It has ended, so it cannot be moved or cancelled any more.',
  ],
  [
    'gave help right now and was ended for both',
    '2026-06-08T09:20:00Z',
    'get-help-right-now',
    'It has ended, so it cannot be moved or cancelled any more.',
  ],
] as const)('a session that %s says why it cannot be changed', (_which, ended_at, booking_type, words) => {
  const room = { kind: 'hearth', link: '/session-room', ended_at } as const
  const change = { allowed: false, until: null }
  const session = { change, booking_type, room, starts_at: '2026-06-08T09:00:00Z', frozen_until: null }
  expect(changeLabel(session)).toBe(words)
})

test('a session is changed up to its last moment, and afterwards only its reason is named', () => {
  const hour = 3_600_000
  const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
  const label = (of: Partial<Parameters<typeof changeLabel>[0]>) =>
    changeLabel({
      change: { allowed: true, until: inHours(24) },
      booking_type: 'schedule',
      room: null,
      starts_at: inHours(72),
      frozen_until: null,
      ...of,
    })
  expect(label({})).toMatch(/^You can move or cancel it free of charge until \w+day /)
  for (const change of [
    { allowed: true, until: inHours(-1) },
    { allowed: true, until: null },
    { allowed: false, until: inHours(24) },
  ]) {
    expect(isChangeable({ change })).toBe(false)
    expect(label({ change })).toMatch(/^It can no longer be moved or cancelled: /)
    expect(label({ change, frozen_until: inHours(48) })).toBe(
      'Its time is kept while we check, and it cannot be moved.',
    )
    expect(label({ change, booking_type: 'get-help-right-now' })).toMatch(/^A session for help right now /)
  }
})

test.each([
  [15, '15 minutes'],
  [50, '50 minutes'],
  [60, '1 hour'],
  [61, '1 hour 1 minute'],
  [120, '2 hours'],
  [150, '2 hours 30 minutes'],
])('%i minutes read as %s', (minutes, words) => {
  const start = '2027-03-04T14:00:00Z'
  expect(durationLabel(start, new Date(Date.parse(start) + minutes * 60_000).toISOString())).toBe(words)
})

test.each([
  [
    'confirmed',
    null,
    'and you get £60 back. You do not have to do anything; you can also cancel it now and get all your money back.',
  ],
  ['reserved', null, 'and nothing is charged. You do not have to do anything; you can also cancel it now.'],
  [
    'confirmed',
    'open',
    '. You do not have to do anything; you can also cancel it now. You have asked your bank to take the payment back. Once it has decided, what is due to you comes from your bank or from us.',
  ],
  [
    'confirmed',
    'lost',
    '. You do not have to do anything; you can also cancel it now. Your bank has taken a payment back for you already. We send back to your card only what it has not.',
  ],
] as const)(
  'a %s session that is being checked, with the dispute %s, promises no other money',
  (status, dispute, words) => {
    const label = frozenLabel(
      { status, fee: 60, dispute, frozen_until: `${year + 1}-07-04T09:00:00Z` },
      'Europe/London',
    )
    expect(label).toMatch(
      /^We will write to you by \w+day 4 July \d+, 10:00\. If it cannot take place, it is cancelled by then/,
    )
    expect(label.split('it is cancelled by then')[1]?.trim()).toBe(words)
  },
)

test.each([
  ['planned', /^Not paid yet: £60 will be taken on \w+day 4 July \d+, 10:00\.$/, false],
  [
    'needed',
    /^The payment did not go through\. Pay by \w+day 5 July, 10:00, or the hour becomes free\.$/,
    true,
  ],
  ['retrying', /^The payment did not go through\./, true],
  ['checking', /^Your payment is being checked\.$/, false],
] as const)('a reserved session whose payment is %s reads %s', (payment_due, words, isDue) => {
  const session = {
    fee: 60,
    pay_at: `${year + 1}-07-04T09:00:00Z`,
    pay_by: `${year}-07-05T09:00:00Z`,
    payment_due,
  }
  const label = reservedLabel(session, 'Europe/London')
  expect(label.words).toMatch(words)
  expect(label.isDue).toBe(isDue)
})

test('a reserved session that no card is set to pay names no amount that is taken', () => {
  const session = {
    fee: 60,
    pay_at: `${year + 1}-07-04T09:00:00Z`,
    pay_by: `${year + 1}-07-05T09:00:00Z`,
    payment_due: 'planned',
    card_set: false,
  } as const
  const label = reservedLabel(session, 'Europe/London')
  expect(label).toMatchObject({ isDue: false, lacksCard: true })
  expect(label.words).toMatch(
    /^Not paid yet, and no card is set to pay it\. Choose one, or pay from \w+day 4 July \d+, 10:00\. Pay by/,
  )
  expect(reservedLabel({ ...session, card_set: true }, 'Europe/London').lacksCard).toBe(false)
})

test('a reserved session whose money was not taken in time is to be paid', () => {
  const session = {
    fee: 60,
    pay_at: '2026-01-05T09:00:00Z',
    pay_by: `${year}-07-05T09:00:00Z`,
    payment_due: 'planned',
  } as const
  expect(reservedLabel(session, 'Europe/London').words).toMatch(/^Not paid yet\. Pay by \w+day 5 July, 10:00/)
  expect(reservedLabel(session, 'Europe/London').isDue).toBe(true)
})

test('a price that is asked for is named beside the one so far, with what becomes of the session', () => {
  const asked = { fee: 70, answer_by: `${year}-07-05T09:00:00Z` }
  expect(askedPriceLabel(asked, 60, 'Europe/London')).toMatch(
    /^Not paid yet: £70 if you agree to the new price, £60 so far\. Unless you agree by \w+day 5 July, 10:00, this session does not take place\.$/,
  )
})
