import { relative } from 'node:path'
import { z } from 'zod'

/** What a run's JSON report says of how long its parts took, in milliseconds. */
export type Duration = { name: string; ms: number }

/** The part of vitest's JSON report that has the times of files. */
export const unitTimes = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
})

type Suite = {
  specs: { title: string; file: string; tests: { results: { duration: number }[] }[] }[]
  suites?: Suite[] | undefined
}
const suite: z.ZodType<Suite> = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
  get suites() {
    return z.array(suite).optional()
  },
})

/** The part of Playwright's JSON report that has the times of journeys. */
export const browserTimes = z.object({ suites: z.array(suite) })

/** From the first case's start to the last one's end, by file. */
export function fileDurations(report: z.infer<typeof unitTimes>, root: string): Duration[] {
  return report.testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    ms: endTime - startTime,
  }))
}

/** All tries of a journey together. */
export function journeyDurations(report: z.infer<typeof browserTimes>): Duration[] {
  const specs = (each: Suite): Suite['specs'] => [...each.specs, ...(each.suites ?? []).flatMap(specs)]
  return report.suites.flatMap(specs).map(({ title, file, tests }) => ({
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
