import { dayInLondon, days, later } from '../../../clock.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import type { DashboardContribution } from '../../../contributions/dashboard.ts'
import { captionsTasks, factTasks, profileTasks } from './dashboard.rules.ts'
import * as store from './dashboard.store.ts'
import type { Onboarding } from '../onboarding/onboarding.service.ts'
import { isListed } from '../practitioners.rules.ts'

/** What the profile itself has to say on the dashboard. */
export function profileDashboard({
  clock,
  onboarding,
}: Pick<Deps, 'clock'> & { onboarding: Pick<Onboarding, 'missing'> }): DashboardContribution<
  'profile' | 'profile_views'
> {
  return {
    parts: {
      async profile(db, { id }) {
        const row = await store.readOwnProfile(db, id)
        if (!row) throw notFound('Your profile')
        const now = clock.now()
        const available = row.available_now_until
        return {
          practitioner_id: row.id,
          first_name: row.first_name,
          status: row.state,
          reason: row.state_reason,
          timezone: row.timezone,
          listed: isListed(row, now),
          subscribed_until: row.subscribed_until?.toISOString() ?? null,
          available_now_until: available && available > now ? available.toISOString() : null,
        }
      },

      async profile_views(db, { id, months }) {
        const views = await store.readViews(db, id, {
          from: `${months[0]}-01`,
          lastFrom: dayInLondon(later(clock.now(), -days(29))),
        })
        return {
          last_30_days: views.last_30_days,
          months: months.map((month) => ({ month, views: views.months.get(month) ?? 0 })),
        }
      },
    },

    async tasks(db, { id }) {
      const row = await store.readOwnProfile(db, id)
      if (!row) return []
      const now = clock.now()
      return [
        ...profileTasks({
          state: row.state,
          reason: row.state_reason,
          missing: row.state === 'draft' ? await onboarding.missing(db, id) : [],
        }),
        ...captionsTasks(row.lacks_captions),
        ...(row.state === 'draft' ? [] : factTasks(await store.readVettedFacts(db, id), now)),
      ]
    },
  }
}
