import type { BodyOf } from '#contract/endpoints.ts'
import type { Serve } from '../../http/serve.ts'
import type { RepeatedAbsences } from './absences.service.ts'
import type { BackOffice } from './back-office.service.ts'
import type { ChatReportsAdmin } from './chat-reports.admin.ts'
import type { NoShowsAdmin } from './no-shows.admin.ts'
import type { PaymentsAdmin } from './payments.admin.ts'
import type { PractitionersAdmin } from './practitioners.admin.ts'
import type { ReviewReportsAdmin } from './review-reports.admin.ts'
import type { VettingLapses } from './vetting-lapses.service.ts'

type Services = {
  backOffice: BackOffice
  lapses: VettingLapses
  absences: RepeatedAbsences
  reports: ReviewReportsAdmin
  payments: PaymentsAdmin
  practitioners: PractitionersAdmin
  noShows: NoShowsAdmin
  chatReports: ChatReportsAdmin
}

/** Every call of the back office. */
export function backOfficeRoutes(serve: Serve, services: Services): void {
  vettingRoutes(serve, services.backOffice, services.lapses)
  reportRoutes(serve, services.reports)
  paymentsRoutes(serve, services.payments)
  practitionersRoutes(serve, services.practitioners)
  noShowsRoutes(serve, services.noShows)
  absenceRoutes(serve, services.absences)
  chatReportsRoutes(serve, services.chatReports)
}

function vettingRoutes(serve: Serve, backOffice: BackOffice, lapses: VettingLapses): void {
  serve('GET /admin/practitioners', ({ caller, query }) => backOffice.list(caller, query))
  serve('GET /admin/practitioners/{id}', ({ caller, params }) => backOffice.file(caller, params.id))
  serve('POST /admin/practitioners/{id}/approve', ({ caller, params, body }) =>
    backOffice.decide(caller, params.id, { action: 'approve', ...body }),
  )
  serve('POST /admin/practitioners/{id}/reject', ({ caller, params, body }) =>
    backOffice.decide(caller, params.id, { action: 'reject', ...body }),
  )
  serve('POST /admin/practitioners/{id}/suspend', ({ caller, params, body }) =>
    backOffice.suspend(caller, params.id, body),
  )
  serve('POST /admin/practitioners/{id}/close', ({ caller, params, body }) =>
    backOffice.close(caller, params.id, body),
  )
  serve('POST /admin/practitioners/{id}/rename', ({ caller, params, body }) =>
    backOffice.rename(caller, params.id, body),
  )
  serve('GET /admin/vetting-lapses', ({ caller }) => lapses.list(caller))
  serve('GET /admin/practitioners/{id}/ahead', ({ caller, params }) => backOffice.ahead(caller, params.id))
  serve('POST /admin/practitioners/{id}/reinstate', ({ caller, params, body }) =>
    backOffice.decide(caller, params.id, { action: 'reinstate', ...body }),
  )
  serve('POST /admin/practitioners/{id}/ask-for-captions', ({ caller, params }) =>
    backOffice.askForCaptions(caller, params.id),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/link', ({ caller, params }) =>
    backOffice.look(caller, params.id, params.document_id),
  )
  decisionRoutes(serve, backOffice)
  serve('GET /admin/audit', ({ caller, query }) => backOffice.audit(caller, query))
}

/** Decisions about single documents and licences. */
function decisionRoutes(serve: Serve, backOffice: BackOffice): void {
  const document = (params: { document_id: string }) =>
    ({ kind: 'document', id: params.document_id }) as const
  const licence = (params: { licence_id: number }) => ({ kind: 'licence', id: params.licence_id }) as const
  const accepted = ({
    expires_on: expiresOn,
    shown,
  }: BodyOf<'POST /admin/practitioners/{id}/licences/{licence_id}/accept'>) =>
    ({ decision: 'accept', expiresOn, shown }) as const
  serve('POST /admin/practitioners/{id}/documents/{document_id}/accept', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, document(params), accepted(body)),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/reopen', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, document(params), { decision: 'reopen', reason: body.reason }),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/refuse', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, document(params), { decision: 'refuse', reason: body.reason }),
  )
  serve('POST /admin/practitioners/{id}/licences/{licence_id}/accept', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, licence(params), accepted(body)),
  )
  serve('POST /admin/practitioners/{id}/licences/{licence_id}/reopen', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, licence(params), { decision: 'reopen', reason: body.reason }),
  )
  serve('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', ({ caller, params, body }) =>
    backOffice.decideFact(caller, params.id, licence(params), { decision: 'refuse', reason: body.reason }),
  )
}

function chatReportsRoutes(serve: Serve, admin: ChatReportsAdmin): void {
  serve('GET /admin/chat-reports', ({ caller, query }) => admin.list(caller, query))
  serve('POST /admin/chat-reports/{id}/look', ({ caller, params }) => admin.look(caller, params.id))
  serve('POST /admin/chat-reports/{id}/settle', ({ caller, params, body }) =>
    admin.resolve(caller, params.id, body.reason),
  )
}

function noShowsRoutes(serve: Serve, admin: NoShowsAdmin): void {
  serve('GET /admin/no-shows', ({ caller, query }) => admin.list(caller, query))
  serve('POST /admin/no-shows/{appointment_id}/uphold', ({ caller, params, body }) =>
    admin.decide(caller, params.appointment_id, 'upheld', body.reason),
  )
  serve('POST /admin/no-shows/{appointment_id}/overturn', ({ caller, params, body }) =>
    admin.decide(caller, params.appointment_id, 'overturned', body.reason),
  )
}

function paymentsRoutes(serve: Serve, admin: PaymentsAdmin): void {
  serve('GET /admin/payments', ({ caller, query }) => admin.list(caller, query))
  serve('GET /admin/payments/late-returns', ({ caller }) => admin.lateReturns(caller))
  serve('GET /admin/payments/incidents', ({ caller }) => admin.incidents(caller))
  serve('POST /admin/payments/incidents/{id}/resolve', ({ caller, params, body }) =>
    admin.resolveIncident(caller, params.id, body),
  )
  serve('POST /admin/payments/{id}/refund', ({ caller, params, body }) =>
    admin.refund(caller, params.id, body),
  )
  serve('POST /admin/sessions/{appointment_id}/cancel', ({ caller, params, body }) =>
    admin.cancelSession(caller, params.appointment_id, body),
  )
}

function practitionersRoutes(serve: Serve, admin: PractitionersAdmin): void {
  serve('GET /admin/payouts', ({ caller, query }) => admin.payouts(caller, query))
  serve('POST /admin/payouts/{id}', ({ caller, params, body }) => admin.payOut(caller, params.id, body))
  serve('GET /admin/payouts/recorded', ({ caller, query }) => admin.recordedPayouts(caller, query))
  serve('POST /admin/payouts/recorded/{payout_id}/reverse', ({ caller, params, body }) =>
    admin.reversePayout(caller, params.payout_id, body),
  )
  serve('GET /admin/video-orders', ({ caller, query }) => admin.videoOrders(caller, query))
  serve('POST /admin/video-orders/{id}/done', ({ caller, params, body }) =>
    admin.finishVideo(caller, params.id, body),
  )
  serve('POST /admin/video-orders/{id}/dates', ({ caller, params, body }) =>
    admin.proposeDates(caller, params.id, body),
  )
  serve('POST /admin/video-orders/{id}/video', ({ caller, params, receive }) =>
    receive((file) => admin.uploadVideo(caller, params.id, file)),
  )
  serve('POST /admin/video-orders/{id}/video-link', ({ caller, params }) =>
    admin.videoLink(caller, params.id),
  )
  serve('POST /admin/video-orders/{id}/undo', ({ caller, params, body }) =>
    admin.undoVideo(caller, params.id, body),
  )
}

function reportRoutes(serve: Serve, admin: ReviewReportsAdmin): void {
  serve('GET /admin/reports', ({ caller, query }) => admin.list(caller, query))
  serve('POST /admin/reports/{id}/hide', ({ caller, params, body }) =>
    admin.decide(caller, params.id, { decision: 'hide', ...body }),
  )
  serve('POST /admin/reports/{id}/dismiss', ({ caller, params, body }) =>
    admin.decide(caller, params.id, { decision: 'dismiss', ...body }),
  )
  serve('POST /admin/reports/{id}/restore', ({ caller, params }) =>
    admin.decide(caller, params.id, { decision: 'restore' }),
  )
}

function absenceRoutes(serve: Serve, absences: RepeatedAbsences): void {
  serve('GET /admin/absences', ({ caller }) => absences.list(caller))
  serve('POST /admin/practitioners/{id}/resolve-absences', ({ caller, params, body }) =>
    absences.resolve(caller, params.id, body),
  )
}
