import { sql } from 'kysely'
import { later, minutes } from '#server/clock.ts'
import { listCandidates } from '#server/modules/get-help/candidates.store.ts'
import { inMilliseconds, type Line } from './line.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

/** London times at which many practitioners are at work, some are, hardly any are, none are. */
const moments = ['2026-06-09T10:30', '2026-06-13T15:30', '2026-06-14T20:30', '2026-06-10T02:30']
const issueIds = [1, 12, 25, 41]

/** Matching for help right now, limited to one and to ten, beside counting every practitioner who treats the issue. */
export async function measureMatching(stage: Stage): Promise<Line[]> {
  const { db } = stage.inside
  const times: number[] = []
  const reads: number[] = []
  for (let round = 0; round < stage.rounds; round++) {
    for (const issueId of issueIds) {
      for (const moment of moments) {
        const now = new Date(`${moment}:00+01:00`)
        const wanted = { issueId, now, until: later(now, minutes(30)), dispatchId: null, preferredId: null }
        for (const most of [1, 10]) times.push(await taken(() => listCandidates(db, wanted, most)))
      }
      const everybody = sql`select count(*) from practitioner_issues i
        join practitioners p on p.id = i.practitioner_id where i.issue_id = ${issueId} and p.state = 'approved'`
      reads.push(await taken(() => everybody.execute(db)))
    }
  }
  const [usual, all] = [median(times), median(reads)]
  return [
    {
      figure: 'matching for help right now: median, slowest',
      measured: `${inMilliseconds(usual)}, ${inMilliseconds(Math.max(...times))}`,
      baseline: inMilliseconds(all),
      ratio: `${(usual / all).toFixed(2)}×`,
      target: 'at most 1×',
      met: usual <= all,
    },
  ]
}

/** Milliseconds. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
