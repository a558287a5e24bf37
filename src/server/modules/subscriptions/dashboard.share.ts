import type { Deps } from '../../deps.ts'
import type { DashboardShare } from '../practitioners/dashboard.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { subscriptionTask } from './subscriptions.rules.ts'
import * as store from './subscriptions.store.ts'

type Dependencies = Pick<Deps, 'clock'> & { practitioners: Pick<Practitioners, 'ofAccount'> }

/** What an approved practitioner has to do about the subscription. */
export function subscriptionsDashboard({ clock, practitioners }: Dependencies): DashboardShare {
  return {
    parts: {},
    async tasks(db, { id, accountId }) {
      const me = await practitioners.ofAccount(db, accountId)
      if (me?.state !== 'approved') return []
      const live = await store.findLive(db, id)
      const isSubscribed = me.subscribed_until !== null && me.subscribed_until > clock.now()
      const task = subscriptionTask(live && { state: live.state, pricePence: live.price_pence }, isSubscribed)
      return task ? [task] : []
    },
  }
}
