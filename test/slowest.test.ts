import { expect, test } from 'vitest'
import { browserTimes, fileDurations, journeyDurations, listSlowest, unitTimes } from '../scripts/slowest.ts'

test('unit files are timed from their first case to the end of their last', () => {
  const report = unitTimes.parse({
    numPassedTests: 2,
    testResults: [
      { name: '/checkout/test/a.test.ts', startTime: 1000, endTime: 3500.5, assertionResults: [] },
      { name: '/checkout/src/b.test.ts', startTime: 1000, endTime: 1000 },
    ],
  })
  expect(fileDurations(report, '/checkout')).toEqual([
    { name: 'test/a.test.ts', ms: 2500.5 },
    { name: 'src/b.test.ts', ms: 0 },
  ])
})

test('journeys are found at every depth of a report, and a second try counts', () => {
  const spec = (title: string, ...durations: number[]) => ({
    title,
    file: 'x.spec.ts',
    tests: [{ results: durations.map((duration) => ({ duration, status: 'passed' })) }],
  })
  const report = browserTimes.parse({
    config: {},
    suites: [
      { title: 'x.spec.ts', specs: [spec('one', 10)], suites: [{ specs: [spec('two', 90_000, 20)] }] },
    ],
    stats: {},
  })
  expect(journeyDurations(report)).toEqual([
    { name: 'x.spec.ts: one', ms: 10 },
    { name: 'x.spec.ts: two', ms: 90_020 },
  ])
})

test('the list has ten lines below its title, the slowest first', () => {
  const durations = Array.from({ length: 12 }, (_, index) => ({ name: `file ${index}`, ms: index * 1000 }))
  const lines = listSlowest('The slowest:', durations).split('\n')
  expect(lines).toHaveLength(11)
  expect(lines.slice(0, 3)).toEqual(['The slowest:', '   11.0 s  file 11', '   10.0 s  file 10'])
  expect(lines.at(-1)).toBe('    2.0 s  file 2')
})
