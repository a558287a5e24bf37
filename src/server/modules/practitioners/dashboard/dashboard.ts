import type { DashboardOverview, DashboardParts, Earnings } from '#contract/practitioners/dashboard.ts'
import type { AllDashboardParts, DashboardContribution } from '../../../contributions/dashboard.ts'
import type { Deps } from '../../../deps.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { lastMonths } from '../../../months.ts'
import { inOrder, monthsShown } from './dashboard.rules.ts'
import type { Practitioners } from '../practitioners.service.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'requireOwn'>
  parts(): AllDashboardParts
  tasks(): readonly NonNullable<DashboardContribution['tasks']>[]
}

export type Dashboard = ReturnType<typeof createDashboard>

/** A practitioner's dashboard, made of every module's contribution. */
export function createDashboard({ db, clock, practitioners, parts, tasks }: Dependencies) {
  return {
    /** @throws 404 for an account without a profile */
    async overview(caller: SignedIn): Promise<DashboardOverview> {
      const owner = await ownerOf(caller)
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

    /** What a practitioner has earned, without anything about clients. @throws 404 for an account without a profile */
    async earnings(caller: SignedIn): Promise<Earnings> {
      const owner = await ownerOf(caller)
      const all = parts()
      const [months, owed] = await Promise.all([all.earnings(db, owner), all.owed(db, owner)])
      return { months, owed }
    },
  }

  async function ownerOf(caller: SignedIn) {
    const { id, timezone } = await practitioners.requireOwn(db, caller)
    return {
      id,
      accountId: caller.accountId,
      timezone,
      months: lastMonths(clock.now(), timezone, monthsShown),
    }
  }
}
