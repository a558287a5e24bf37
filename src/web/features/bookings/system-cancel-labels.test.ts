import { describe, expect, test } from 'vitest'
import { systemCancelLabels } from './system-cancel-labels.ts'

describe('a session that was cancelled by the platform', () => {
  const ofSeries = '018f0000-0000-7000-8000-000000000001'
  const refund = { amount: 60, state: 'succeeded' as const }
  test.each<[string, Partial<Parameters<typeof systemCancelLabels>[0]>, string, string]>([
    [
      'it was not paid in time',
      { cancelled_because: 'unpaid', series_id: ofSeries },
      'Not paid, so cancelled: your session',
      'Nothing is charged, and the hour is free for others now.',
    ],
    [
      'it was checked before it was paid',
      { series_id: ofSeries },
      'We had to cancel your session',
      'We are sorry. Nothing was charged.',
    ],
    [
      'its series ended before it was paid',
      { cancelled_because: 'series_ended', series_id: ofSeries },
      'We had to cancel your session',
      'We are sorry. Nothing was charged.',
    ],
    [
      'it was a paid date of a series',
      { series_id: ofSeries, refund },
      'We had to cancel your session',
      'We are sorry. £60 was sent back to your card.',
    ],
    [
      'its payment was disputed at the bank',
      { series_id: ofSeries, dispute: 'lost' },
      'We had to cancel your session',
      'We are sorry. Your bank has taken this payment back for you.',
    ],
    ['its money is not on its way yet', {}, 'We had to cancel your session', 'We are sorry.'],
  ])('names the cause and the money when %s', (_, of, title, text) => {
    const session = { cancelled_by: 'system', series_id: null, refund: null, dispute: null, ...of } as const
    expect(systemCancelLabels(session)).toEqual({ title, text })
  })
})
