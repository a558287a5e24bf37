import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lastMonths, monthBounds, monthsBetween } from '../../months.ts'
import { billingZone, monthsAfter, nextPeriod } from './months.ts'

const local = (instant: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: billingZone, dateStyle: 'short', timeStyle: 'short' }).format(
    instant,
  )
const months = (anchor: string, ...counts: number[]) =>
  counts.map((count) => local(monthsAfter(new Date(anchor), count)))

describe('the months of a subscription', () => {
  test('keep the day on which it began, or the last of a shorter month', () => {
    expect(months('2027-01-31T09:30:00Z', 1, 2, 3, 4, 13, 14)).toEqual([
      '2027-02-28 09:30',
      '2027-03-31 09:30',
      '2027-04-30 09:30',
      '2027-05-31 09:30',
      // A leap year.
      '2028-02-29 09:30',
      '2028-03-31 09:30',
    ])
  })

  test('that began on a leap day come back to it', () => {
    expect(months('2028-02-29T12:00:00Z', 1, 12, 48)).toEqual([
      '2028-03-29 12:00',
      '2029-02-28 12:00',
      '2032-02-29 12:00',
    ])
  })

  test('go by the clock in London, also where it is changed', () => {
    expect(monthsAfter(new Date('2026-02-28T12:00:00Z'), 1).toISOString()).toBe('2026-03-28T12:00:00.000Z')
    expect(monthsAfter(new Date('2026-03-28T12:00:00Z'), 1).toISOString()).toBe('2026-04-28T11:00:00.000Z')
    // 01:30 on 29 March 2026 does not exist.
    expect(monthsAfter(new Date('2026-01-29T01:30:00Z'), 2).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  })

  test('follow one another without gap or overlap, each 28 to 31 days long, for any anchor', () => {
    const instants = fc.date({
      min: new Date('2024-01-01T00:00:00Z'),
      max: new Date('2034-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 60 }), (anchor, count) => {
        const [start, end] = [monthsAfter(anchor, count), monthsAfter(anchor, count + 1)]
        const length = (end.getTime() - start.getTime()) / 86_400_000
        expect(length).toBeGreaterThan(27.9)
        expect(length).toBeLessThan(31.1)
        const day = (instant: Date) => Number(local(instant).slice(8, 10))
        expect(day(start)).toBeLessThanOrEqual(day(anchor))
      }),
      { numRuns: 500 },
    )
  })
})

describe('what a payment is for', () => {
  const anchor = new Date('2026-01-31T10:00:00Z')

  test('is the month that begins now, for the first one', () => {
    expect(nextPeriod(null, anchor)).toEqual({
      anchor,
      months: 1,
      startsAt: anchor,
      endsAt: new Date('2026-02-28T10:00:00Z'),
    })
  })

  test('is the month after the last, also when it is paid some days late', () => {
    const period = nextPeriod({ anchor, months: 1 }, new Date('2026-03-07T10:00:00Z'))
    expect(period).toMatchObject({
      months: 2,
      startsAt: new Date('2026-02-28T10:00:00Z'),
      endsAt: new Date('2026-03-31T09:00:00Z'),
    })
  })

  test('is no month that has gone by as a whole', () => {
    const period = nextPeriod({ anchor, months: 1 }, new Date('2026-06-10T10:00:00Z'))
    expect(period).toMatchObject({ months: 5, startsAt: new Date('2026-05-31T09:00:00Z') })
    expect(nextPeriod({ anchor, months: 1 }, new Date('2026-03-31T09:00:00Z')).months).toBe(3)
  })

  test('is no month that is paid already', () => {
    expect(nextPeriod({ anchor, months: 1 }, anchor).months).toBe(2)
  })
})

test('a month of statements goes from midnight to midnight in London', () => {
  expect(monthBounds('2026-03', billingZone)).toEqual({
    from: new Date('2026-03-01T00:00:00Z'),
    to: new Date('2026-03-31T23:00:00Z'),
  })
})

test('months of a zone change at its own midnight', () => {
  const eve = new Date('2026-12-31T23:30:00Z')
  expect(lastMonths(eve, 'Europe/London', 2)).toEqual(['2026-11', '2026-12'])
  expect(lastMonths(eve, 'Europe/Paris', 2)).toEqual(['2026-12', '2027-01'])
  expect(monthsBetween(new Date('2025-11-30T23:59:59Z'), eve, 'Europe/London')).toHaveLength(14)
  expect(monthsBetween(eve, eve, 'Europe/Paris')).toEqual(['2027-01'])
})
