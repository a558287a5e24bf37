import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { PaymentDesk } from '../bookings/bookings.desk.ts'
import type { Freezes } from '../bookings/bookings.freeze.ts'
import type { NoShows } from '../bookings/no-shows.service.ts'
import type { ChatModeration } from '../chat/chat.moderation.ts'
import type { Dispatch } from '../get-help/get-help.dispatch.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Documents } from '../practitioners/documents.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Vetting } from '../practitioners/vetting.service.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import type { VideoOrders } from '../subscriptions/video-orders.service.ts'
import { createAuditChain } from './audit-chain.service.ts'
import {
  backOfficeAuditCheckJob,
  backOfficeIncidentJob,
  backOfficeLateReturnsJob,
  backOfficeSweepJob,
  backOfficeVettingLapseJob,
} from './back-office.jobs.ts'
import { backOfficeRoutes } from './back-office.routes.ts'
import { createBackOffice } from './back-office.service.ts'
import { createChatDesk } from './chat-desk.service.ts'
import { createIncidentAlarm } from './incidents.service.ts'
import { createLateReturnsAlarm } from './late-returns.service.ts'
import { createNoShowDesk } from './no-show-desk.service.ts'
import { createPaymentsDesk } from './payments-desk.service.ts'
import { createPracticeDesk } from './practice-desk.service.ts'
import { createReportDesk } from './reports.service.ts'
import { createVettingLapses } from './vetting-lapses.service.ts'

type Needs = {
  accounts: Accounts
  practitioners: Practitioners
  vetting: Vetting
  documents: Documents
  payments: Payments
  videoOrders: VideoOrders
  freezes: Freezes
  noShows: NoShows
  paidSessions: PaymentDesk
  chatModeration: ChatModeration
  reviews: Reviews
  dispatch: Dispatch
}

export const backOfficeModule = defineModule('back-office', (given: Given<Needs>) => {
  const desk = given.paidSessions
  const backOffice = createBackOffice(given)
  const lateReturns = createLateReturnsAlarm({ ...given, desk })
  const incidents = createIncidentAlarm(given)
  const lapses = createVettingLapses(given)
  const auditChain = createAuditChain(given)
  return {
    services: { backOffice, lateReturns },
    routes: (serve) =>
      backOfficeRoutes(serve, {
        backOffice,
        lapses,
        reports: createReportDesk(given),
        payments: createPaymentsDesk({ ...given, desk }),
        practice: createPracticeDesk(given),
        noShows: createNoShowDesk(given),
        chatReports: createChatDesk({ ...given, moderation: given.chatModeration }),
      }),
    jobs(handle) {
      handle(backOfficeAuditCheckJob, () => auditChain.check())
      handle(backOfficeIncidentJob, ({ incident_id }) => incidents.send(incident_id))
      handle(backOfficeSweepJob, async () => {
        await lateReturns.sweep()
        await lapses.sweep()
      })
      handle(backOfficeVettingLapseJob, ({ practitioner_id, lapses_at }) =>
        lapses.send(practitioner_id, lapses_at),
      )
      handle(backOfficeLateReturnsJob, () => lateReturns.send())
    },
    on: {
      'payment.incident': (tx, { incidentId }) => incidents.note(tx, incidentId),
      'admin.acted': (tx, { action, subject, ...actor }) => backOffice.note(tx, actor, { action, subject }),
    },
  }
})
