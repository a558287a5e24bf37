import { defineModule, type Given } from '../../module.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Documents } from '../practitioners/documents/documents.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { emptyClosedOrders } from './closed-orders.ts'
import { createStatements } from './subscriptions.statements.ts'
import { createInvoices } from './subscriptions.invoices.ts'
import { subscriptionsRenewJob, subscriptionsSweepJob } from './subscriptions.jobs.ts'
import { createBillingOutbox } from './subscriptions.outbox.ts'
import { subscriptionRoutes } from './subscriptions.routes.ts'
import { cardTasks, subscriptionTask } from './subscriptions.rules.ts'
import { createSubscriptions } from './subscriptions.service.ts'
import { findLive } from './subscriptions.store.ts'
import { createVideos } from './subscriptions.video.ts'
import { createVideoOrders } from './video-orders.service.ts'

type Needs = {
  mails: Mails
  adminMails: AdminMails
  accounts: Accounts
  practitioners: Practitioners
  documents: Documents
  payments: Payments
}

export const subscriptionsModule = defineModule('subscriptions', (given: Given<Needs>) => {
  const { clock, payments, practitioners, subscriptionPence } = given
  const outbox = createBillingOutbox(given)
  const deps = { ...given, outbox }
  const subscriptions = createSubscriptions({ ...deps, pricePence: subscriptionPence })
  const videos = createVideos(deps)
  const videoOrders = createVideoOrders({ ...deps, videos })
  const invoices = createInvoices(deps)
  const statements = createStatements({ ...deps, lookups: given.contributions.lookups })
  return {
    services: { subscriptions, videoOrders },
    routes: (serve) =>
      subscriptionRoutes(serve, { subscriptions, videos, videoOrders, invoices, statements }),
    tidy: () => emptyClosedOrders(given),
    jobs(handle) {
      handle(subscriptionsSweepJob, () => subscriptions.sweep())
      handle(subscriptionsRenewJob, ({ subscription_id }) => subscriptions.advance(subscription_id))
    },
    on: {
      'practitioner.approved': (tx, { practitionerId }) => subscriptions.vetted(tx, practitionerId),
      'practitioner.vetting-changed': (tx, { practitionerId }) => subscriptions.vetted(tx, practitionerId),
      'practitioner.closed': (tx, { practitionerId }) => subscriptions.closed(tx, practitionerId),
      'charge.captured': (tx, charge) => invoices.captured(tx, charge),
      'charge.refunded': (tx, refund) => invoices.refunded(tx, refund),
      'charge.disputed': (tx, dispute) => invoices.disputed(tx, dispute),
      'dispute.charged': (tx, { practitionerId, amountPence, startsAt }) =>
        outbox.note(tx, practitionerId, 'dispute_charged', {
          amount_pence: amountPence,
          session_at: startsAt?.toISOString() ?? null,
        }),
    },
    dashboard: {
      async tasks(db, { id, accountId }) {
        const me = await practitioners.ofAccount(db, accountId)
        if (me?.state !== 'approved') return []
        const live = await findLive(db, id)
        const isSubscribed = me.subscribed_until !== null && me.subscribed_until > clock.now()
        // A lapse has a task of its own, and nothing is charged until its end.
        const task = (await practitioners.isVetted(db, id))
          ? subscriptionTask(live && { state: live.state, pricePence: live.price_pence }, isSubscribed)
          : undefined
        if (task) return [task]
        const card = live?.state === 'active' ? await payments.cardInUse(db, accountId) : undefined
        return card ? cardTasks(card, clock.now()) : []
      },
    },
  }
})
