import { defineModule, type Given } from '../../module.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { PaidSessions } from '../bookings/paid-sessions/paid-sessions.service.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { NoShows } from '../bookings/no-shows/no-shows.service.ts'
import type { ChatModeration } from '../chat/chat.moderation.ts'
import type { Dispatch } from '../get-help/get-help.dispatch.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Documents } from '../practitioners/documents/documents.service.ts'
import type { PractitionerAccount } from '../practitioners/practitioner-account.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Vetting } from '../practitioners/vetting/vetting.service.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import type { SeriesOfSessions } from '../series/series.sessions.ts'
import type { VideoOrders } from '../subscriptions/video-orders.service.ts'
import { createRepeatedAbsences } from './absences.service.ts'
import { createAuditChain } from './audit-chain.service.ts'
import { backOfficeAuditCheckJob, backOfficeSweepJob } from './back-office.jobs.ts'
import { backOfficeRoutes } from './back-office.routes.ts'
import { backOfficePersonalData } from './back-office.personal-data.ts'
import { createBackOffice } from './back-office.service.ts'
import { createChatReportsAdmin } from './chat-reports.admin.ts'
import { createIncidentAlarm } from './incidents.service.ts'
import { createLateReturnsAlarm } from './late-returns.service.ts'
import { createNoShowsAdmin } from './no-shows.admin.ts'
import { createPaymentsAdmin } from './payments.admin.ts'
import { createPayouts } from './payouts.service.ts'
import { createPractitionersAdmin } from './practitioners.admin.ts'
import { createReviewReportsAdmin } from './review-reports.admin.ts'
import { createDecisionAlarm } from './decisions.service.ts'
import { createVettingLapses } from './vetting-lapses.service.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  adminMails: AdminMails
  practitioners: Practitioners
  practitionerAccount: PractitionerAccount
  vetting: Vetting
  documents: Documents
  payments: Payments
  videoOrders: VideoOrders
  freezes: Freezes
  noShows: NoShows
  paidSessions: PaidSessions
  chatModeration: ChatModeration
  reviews: Reviews
  dispatch: Dispatch
  seriesOfSessions: SeriesOfSessions
}

export const backOfficeModule = defineModule('back-office', (given: Given<Needs>) => {
  const paidSessions = given.paidSessions
  const backOffice = createBackOffice(given)
  const lateReturns = createLateReturnsAlarm({ ...given, paidSessions })
  const incidents = createIncidentAlarm(given)
  const decisions = createDecisionAlarm(given)
  const lapses = createVettingLapses(given)
  const absences = createRepeatedAbsences(given)
  const auditChain = createAuditChain(given)
  const payouts = createPayouts(given)
  return {
    services: { backOffice, lateReturns },
    routes: (serve) =>
      backOfficeRoutes(serve, {
        backOffice,
        lapses,
        absences,
        reports: createReviewReportsAdmin(given),
        payments: createPaymentsAdmin({ ...given, paidSessions }),
        practitioners: createPractitionersAdmin({ ...given, payouts }),
        noShows: createNoShowsAdmin(given),
        chatReports: createChatReportsAdmin({ ...given, moderation: given.chatModeration }),
      }),
    jobs(handle) {
      handle(backOfficeAuditCheckJob, () => auditChain.check())
      handle(backOfficeSweepJob, async () => {
        await lateReturns.sweep()
        await lapses.sweep()
      })
    },
    on: {
      'decision.asked': (tx, asked) => decisions.note(tx, asked),
      'payment.incident': (tx, incident) => incidents.note(tx, incident),
      'session.missed-by-practitioner': (tx, event) => absences.note(tx, event),
      'admin.acted': (tx, { action, subject, ...actor }) => backOffice.note(tx, actor, { action, subject }),
    },
    lookups: { payable: payouts.payable },
    personalData: backOfficePersonalData,
  }
})
