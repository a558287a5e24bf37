import type { DashboardOverview, DashboardParts, DashboardTask } from '#contract/dashboard.ts'
import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { lastMonths } from './dashboard.rules.ts'
import type { Practitioners } from './practitioners.service.ts'

/** Whose dashboard it is. */
export type DashboardOwner = {
  id: number
  accountId: string
  timezone: string
  /** The months that it looks back on in that zone, `2026-06`, this one last. */
  months: readonly [oldest: string, ...string[]]
}

type Part<K extends keyof DashboardParts> = (db: Db, owner: DashboardOwner) => Promise<DashboardParts[K]>

/**
 * What a module has to say on the dashboard: parts of the overview by name, and what needs doing. `app.ts` puts the
 * shares together; that every part is there, the compiler sees.
 */
export type DashboardShare<K extends keyof DashboardParts = never> = {
  parts: { [P in K]: Part<P> }
  tasks?(db: Db, owner: DashboardOwner): Promise<DashboardTask[]>
}

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'ofAccount'>
  parts: { [K in keyof DashboardParts]: Part<K> }
  /** In the order in which they are listed where they are equally urgent. */
  tasks: readonly Pick<DashboardShare, 'tasks'>[]
}

export type Dashboard = ReturnType<typeof createDashboard>

/** A practitioner's dashboard, made of what every module knows. */
export function createDashboard({ db, clock, practitioners, parts, tasks }: Dependencies) {
  return {
    /** @throws 404 for an account without a profile */
    async overview(caller: SignedIn): Promise<DashboardOverview> {
      const practitioner = await practitioners.ofAccount(db, caller.accountId)
      if (!practitioner) throw notFound('Your profile')
      const { id, timezone } = practitioner
      const owner = { id, accountId: caller.accountId, timezone, months: lastMonths(clock.now(), timezone) }
      const of = <K extends keyof DashboardParts>(name: K): Promise<DashboardParts[K]> =>
        parts[name](db, owner)
      const [
        profile,
        upcoming,
        earnings,
        owed,
        profile_views,
        reviews,
        enquiries_count,
        response_minutes,
        ...listed
      ] = await Promise.all([
        of('profile'),
        of('upcoming'),
        of('earnings'),
        of('owed'),
        of('profile_views'),
        of('reviews'),
        of('enquiries_count'),
        of('response_minutes'),
        ...tasks.map((share) => share.tasks?.(db, owner) ?? []),
      ])
      const all = listed.flat()
      return {
        profile,
        upcoming,
        earnings,
        owed,
        profile_views,
        reviews,
        enquiries_count,
        response_minutes,
        tasks: [
          ...all.filter(({ urgency }) => urgency === 'now'),
          ...all.filter(({ urgency }) => urgency === 'soon'),
        ],
      }
    },
  }
}
