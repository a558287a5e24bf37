import type { DashboardOverview, DashboardParts } from '#contract/practitioners/dashboard.ts'
import type { AllDashboardParts, DashboardContribution } from '../../../contributions/dashboard.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { lastMonths } from '../../../months.ts'
import { inOrder, monthsShown } from './dashboard.rules.ts'
import type { Practitioners } from '../practitioners.service.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'ofAccount'>
  parts(): AllDashboardParts
  tasks(): readonly NonNullable<DashboardContribution['tasks']>[]
}

export type Dashboard = ReturnType<typeof createDashboard>

/** A practitioner's dashboard, made of every module's contribution. */
export function createDashboard({ db, clock, practitioners, parts, tasks }: Dependencies) {
  return {
    /** @throws 404 for an account without a profile */
    async overview(caller: SignedIn): Promise<DashboardOverview> {
      const practitioner = await practitioners.ofAccount(db, caller.accountId)
      if (!practitioner) throw notFound('Your profile')
      const { id, timezone } = practitioner
      const months = lastMonths(clock.now(), timezone, monthsShown)
      const owner = { id, accountId: caller.accountId, timezone, months }
      const all: AllDashboardParts = parts()
      const of = <K extends keyof DashboardParts>(name: K): Promise<DashboardParts[K]> => all[name](db, owner)
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
        ...tasks().map((list) => list(db, owner)),
      ])
      return {
        profile,
        upcoming,
        earnings,
        owed,
        profile_views,
        reviews,
        enquiries_count,
        response_minutes,
        tasks: inOrder(listed.flat()),
      }
    },
  }
}
