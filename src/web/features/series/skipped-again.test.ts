import { expect, test } from 'vitest'
import type { SeriesDate } from '#contract/series/series.ts'
import { skippedAgain } from './skipped-again.ts'

const date = (on_date: string, state: SeriesDate['state'], conflict: SeriesDate['conflict'] = null) =>
  ({ on_date, state, conflict }) as SeriesDate

test('a week that was skipped is skipped at the new hour too, whichever day that is on', () => {
  // Mondays, of which those of Christmas are skipped.
  const before = [
    date('2026-12-14', 'planned'),
    date('2026-12-21', 'skipped'),
    date('2026-12-28', 'skipped'),
    date('2027-01-04', 'released'),
  ]
  const sundays = ['2026-12-20', '2026-12-27', '2027-01-03', '2027-01-10'].map((day) => date(day, 'free'))
  expect(skippedAgain(before, sundays)).toEqual({ '2026-12-27': 'skip', '2027-01-03': 'skip' })
  const tuesdays = ['2026-12-22', '2026-12-29', '2027-01-05'].map((day) => date(day, 'later'))
  expect(skippedAgain(before, tuesdays)).toEqual({ '2026-12-22': 'skip', '2026-12-29': 'skip' })
})

test('what is asked about anyway, and a week without a skip, is left alone', () => {
  const conflict = { cause: 'time_off', alternatives: [] } as unknown as SeriesDate['conflict']
  expect(skippedAgain([date('2026-12-21', 'skipped')], [date('2026-12-22', 'conflict', conflict)])).toEqual(
    {},
  )
  expect(skippedAgain([date('2026-12-21', 'planned')], [date('2026-12-22', 'free')])).toEqual({})
})
