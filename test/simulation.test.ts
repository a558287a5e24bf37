import { expect, test } from 'vitest'
import { simulateDay } from '../bench/help-day.ts'
import { reportOf } from '../bench/help-report.ts'

test('an evening of help right now can be simulated, and its books balance', async () => {
  const day = await simulateDay({ practitioners: 3, clients: 5, seed: 4, from: 18, to: 21 })
  expect(day.visits.length).toBeGreaterThan(0)
  expect(day.wrong).toBe(0)
  const matched = day.visits.filter((visit) => visit.outcome === 'matched').length
  expect(Object.values(day.ledger).reduce((sum, pence) => sum + pence, 0)).toBe(0)
  expect(day.ledger.gateway_balance ?? 0).toBe(2500 * matched)
  expect(reportOf(day)).toContain(`${day.visits.length} clients asked for help`)
})
