import { expect, test } from 'vitest'
import { cancelledLabel } from './cancelled-label.ts'

type Cancelled = Parameters<typeof cancelledLabel>[0]

const seriesId = '018f0000-0000-7000-8000-000000000001'

test.each<[string, Partial<Cancelled>, string]>([
  ['by the client', { cancelled_by: 'client' }, 'You cancelled it.'],
  ['by the practitioner', { cancelled_by: 'practitioner' }, 'Nora cancelled it.'],
  ['by us', { cancelled_by: 'system' }, 'It had to be cancelled.'],
  ['by an earlier release that noted no side', {}, 'It had to be cancelled.'],
  [
    'after a dispute that the client won',
    {
      cancelled_by: 'system',
      no_show: { state: 'overturned', dispute_until: '2026-06-22T09:15:00Z' } as Cancelled['no_show'],
    },
    'Nora recorded that you did not come. You disputed it, and we decided in your favour.',
  ],
  [
    'because the practitioner did not come',
    { cancelled_by: 'system', cancelled_because: 'practitioner_absent' },
    'Nora did not come, so it was cancelled.',
  ],
  [
    'because it failed',
    { cancelled_by: 'practitioner', cancelled_because: 'technical_failure' },
    'It was cancelled because the connection did not work.',
  ],
  [
    'with its series, once it was paid',
    { cancelled_by: 'client', series_id: seriesId, refund: { amount: 60, state: 'succeeded' } },
    'You cancelled it.',
  ],
  [
    'with its series by the client',
    { cancelled_by: 'client', cancelled_because: 'series_ended', series_id: seriesId },
    'It was cancelled because your regular sessions ended or changed. Nothing was charged.',
  ],
  [
    'with its series by the practitioner',
    { cancelled_by: 'practitioner', cancelled_because: 'series_ended', series_id: seriesId },
    'It was cancelled because your regular sessions ended or changed. Nothing was charged.',
  ],
  [
    'as unpaid',
    { cancelled_by: 'system', cancelled_because: 'unpaid', series_id: seriesId },
    'It was cancelled because it was not paid in time. Nothing was charged.',
  ],
])('the words for a session cancelled %s name the cause', (_, of, words) => {
  const session: Cancelled = {
    cancelled_by: null,
    cancelled_because: null,
    no_show: null,
    series_id: null,
    refund: null,
    practitioner: { first_name: 'Nora' },
    ...of,
  }
  expect(cancelledLabel(session)).toBe(words)
})
