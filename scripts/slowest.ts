import { relative } from 'node:path'
import { z } from 'zod'

/** What a run's JSON report says of how long its parts took, in milliseconds. */
export type Duration = { name: string; ms: number }

/** The part of vitest's JSON report that has the times of files, and what became of their cases. */
export const unitTimes = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

type Suite = {
  specs: { title: string; file: string; tests: { status: string; results: { duration: number }[] }[] }[]
  suites?: Suite[] | undefined
}
const suite: z.ZodType<Suite> = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(z.object({ status: z.string(), results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
  get suites() {
    return z.array(suite).optional()
  },
})

/** The part of Playwright's JSON report that has the times of journeys, and what became of them. */
export const browserTimes = z.object({ suites: z.array(suite) })

/** From the first case's start to the last one's end, by file. */
export function fileDurations(report: z.infer<typeof unitTimes>, root: string): Duration[] {
  return report.testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    ms: endTime - startTime,
  }))
}

const specsOf = (each: Suite): Suite['specs'] => [...each.specs, ...(each.suites ?? []).flatMap(specsOf)]

/** All tries of a journey together. */
export function journeyDurations(report: z.infer<typeof browserTimes>): Duration[] {
  return report.suites.flatMap(specsOf).map(({ title, file, tests }) => ({
    name: `${file}: ${title}`,
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
}

/** The ten slowest, the slowest first, a line each in seconds. */
export function listSlowest(title: string, durations: readonly Duration[]): string {
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, 10)
  return [title, ...slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)].join(
    '\n',
  )
}

/** Cases that failed, and files that failed beside their cases, for instance since they could not be read. */
export function failedUnits(report: z.infer<typeof unitTimes>, root: string): string[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    const cases = assertionResults.filter((each) => each.status === 'failed')
    if (cases.length === 0 && status === 'failed') return [file]
    return cases.map(({ fullName }) => `${file}: ${fullName}`)
  })
}

/** Journeys that failed (`unexpected`), or passed at the second try alone (`flaky`). */
export function journeysThat(
  outcome: 'unexpected' | 'flaky',
  report: z.infer<typeof browserTimes>,
): string[] {
  return report.suites
    .flatMap(specsOf)
    .filter(({ tests }) => tests.some(({ status }) => status === outcome))
    .map(({ title, file }) => `${file}: ${title}`)
}
