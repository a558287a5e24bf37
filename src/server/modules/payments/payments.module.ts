import { defineModule, type Given } from '../../module.ts'
import {
  paymentsCompareJob,
  paymentsCompareRestJob,
  paymentsDeleteCardsJob,
  paymentsLookAgainJob,
  paymentsRecoverJob,
  paymentsRefundJob,
  paymentsRemoveCardJob,
  paymentsFinishChargeJob,
  paymentsFinishJob,
} from './payments.jobs.ts'
import { paymentsPersonalData } from './payments.personal-data.ts'
import { paymentRoutes } from './payments.routes.ts'
import { createPayments } from './payments.service.ts'
import { sumPayable } from './ledger.store.ts'
import { servePaymentWebhook } from './webhook.pages.ts'

export const paymentsModule = defineModule('payments', (platform: Given) => {
  const { gateway } = platform
  const payments = createPayments({ ...platform, lookups: platform.contributions.lookups })
  const personalData = paymentsPersonalData(platform)
  return {
    services: { payments },
    routes: (serve) => paymentRoutes(serve, payments),
    async pages(app) {
      if (gateway.readWebhookEvent) {
        await servePaymentWebhook(app, { provider: gateway.name, take: payments.receiveWebhook })
      }
    },
    jobs(handle) {
      handle(paymentsFinishJob, ({ intent_id }) => payments.finish(intent_id))
      handle(paymentsRefundJob, ({ refund_id }) => payments.finishRefund(refund_id))
      handle(paymentsFinishChargeJob, ({ charge_id }) => payments.finishCharge(charge_id))
      handle(paymentsLookAgainJob, ({ payment_key }) => payments.lookAgain(payment_key))
      handle(paymentsRecoverJob, ({ once }) => payments.recoverNow({ andSoon: !once }))
      handle(paymentsCompareJob, () => payments.compare())
      handle(paymentsCompareRestJob, () => payments.compareRest())
      handle(paymentsRemoveCardJob, ({ method_id }) => payments.removeAtGateway(method_id))
      handle(paymentsDeleteCardsJob, ({ account_id }) => personalData.deleteCards(account_id))
    },
    tidy: () => payments.tidyWebhookEvents(),
    personalData,
    dashboard: { parts: { owed: async (db, { id }) => (await sumPayable(db, id)) / 100 } },
  }
})
