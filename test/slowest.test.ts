import { expect, test } from 'vitest'
import {
  browserTimes,
  failedUnits,
  fileDurations,
  journeyDurations,
  journeysThat,
  listSlowest,
  unitTimes,
} from '../scripts/slowest.ts'

test('unit files are timed from their first case to the end of their last', () => {
  const report = unitTimes.parse({
    numPassedTests: 2,
    testResults: [
      {
        name: '/checkout/test/a.test.ts',
        startTime: 1000,
        endTime: 3500.5,
        status: 'passed',
        assertionResults: [],
      },
      {
        name: '/checkout/src/b.test.ts',
        startTime: 1000,
        endTime: 1000,
        status: 'passed',
        assertionResults: [],
      },
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
    tests: [{ status: 'expected', results: durations.map((duration) => ({ duration, status: 'passed' })) }],
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

test('failed cases are named with their file, and a file that failed beside them by itself', () => {
  const file = (name: string, status: string, ...cases: [string, string][]) => ({
    name: `/checkout/${name}`,
    startTime: 0,
    endTime: 0,
    status,
    assertionResults: cases.map(([fullName, status]) => ({ fullName, status })),
  })
  const report = unitTimes.parse({
    testResults: [
      file('a.test.ts', 'failed', ['holds one', 'passed'], ['holds two', 'failed']),
      file('b.test.ts', 'failed'),
      file('c.test.ts', 'passed', ['holds three', 'passed']),
    ],
  })
  expect(failedUnits(report, '/checkout')).toEqual(['a.test.ts: holds two', 'b.test.ts'])
})

test('journeys that failed are named, and those that passed at the second try', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'x.spec.ts',
    tests: [{ status, results: [{ duration: 1 }] }],
  })
  const report = browserTimes.parse({
    suites: [
      { specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'flaky')] }] },
      { specs: [spec('three', 'unexpected')] },
    ],
  })
  expect(journeysThat('flaky', report)).toEqual(['x.spec.ts: two'])
  expect(journeysThat('unexpected', report)).toEqual(['x.spec.ts: three'])
})
