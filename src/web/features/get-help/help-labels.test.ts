import { expect, test } from 'vitest'
import { moneyLabel } from './help-labels.ts'

const untouched = { refund: null, dispute: null, cancelled_by: null }

test.each([
  ['taken', null, '£25 paid', 'All of it goes to your therapist.'],
  ['taken', { amount: 10, state: 'succeeded' }, '£25 paid', '£10 was sent back to your card.'],
  ['taken', { amount: 25, state: 'requested' }, '£25 paid', '£25 is going back to your card.'],
  [
    'taken',
    { amount: 25, failed: 25, state: 'failed' },
    '£25 paid',
    '£25 did not reach your card: your bank sent it back. We will pay it to you in another way.',
  ],
  [
    'returning',
    null,
    'Your £25 is on its way back',
    'You do not have to do anything. It is with your bank within the next 24 hours.',
  ],
  [
    'returning',
    { amount: 25, failed: 25, state: 'failed' },
    'Your £25 is on its way back',
    '£25 did not reach your card: your bank sent it back. We will pay it to you in another way.',
  ],
  [
    'returned',
    { amount: 25, by_transfer: 25, state: 'succeeded' },
    'Your £25 has been refunded',
    '£25 was paid to you by bank transfer.',
  ],
  [
    'returned',
    null,
    'Your £25 has been refunded',
    'Your bank has it. It may take them a few days to show it.',
  ],
  [
    'returning',
    { amount: 25, state: 'requested' },
    'Your £25 is on its way back',
    '£25 is going back to your card.',
  ],
] as const)('money that is %s, with the refund %j', (state, refund, title, text) => {
  const money = { state, amount: 25, promised_by: null }
  expect(moneyLabel(money, { ...untouched, refund })).toEqual({ title, text })
})
