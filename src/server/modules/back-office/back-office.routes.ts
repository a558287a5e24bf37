import type { Serve } from '../../http/serve.ts'
import type { BackOffice } from './back-office.service.ts'
import type { ChatDesk } from './chat-desk.service.ts'
import type { NoShowDesk } from './no-show-desk.service.ts'
import type { PaymentsDesk } from './payments-desk.service.ts'
import type { PracticeDesk } from './practice-desk.service.ts'
import type { ReportDesk } from './reports.service.ts'
import type { VettingLapses } from './vetting-lapses.service.ts'

type Services = {
  backOffice: BackOffice
  lapses: VettingLapses
  reports: ReportDesk
  payments: PaymentsDesk
  practice: PracticeDesk
  noShows: NoShowDesk
  chatReports: ChatDesk
}

/** Every call of the back office. */
export function backOfficeRoutes(serve: Serve, services: Services): void {
  vettingRoutes(serve, services.backOffice, services.lapses)
  reportRoutes(serve, services.reports)
  paymentsDeskRoutes(serve, services.payments)
  practiceDeskRoutes(serve, services.practice)
  noShowDeskRoutes(serve, services.noShows)
  chatDeskRoutes(serve, services.chatReports)
}

function vettingRoutes(serve: Serve, backOffice: BackOffice, lapses: VettingLapses): void {
  serve('GET /admin/practitioners', ({ caller, query }) => backOffice.list(caller, query))
  serve('GET /admin/practitioners/{id}', ({ caller, params }) => backOffice.file(caller, params.id))
  serve('POST /admin/practitioners/{id}/approve', ({ caller, params }) =>
    backOffice.decide(caller, params.id, 'approve'),
  )
  serve('POST /admin/practitioners/{id}/reject', ({ caller, params, body }) =>
    backOffice.decide(caller, params.id, 'reject', body.reason),
  )
  serve('POST /admin/practitioners/{id}/suspend', ({ caller, params, body }) =>
    backOffice.suspend(caller, params.id, body),
  )
  serve('POST /admin/practitioners/{id}/close', ({ caller, params, body }) =>
    backOffice.close(caller, params.id, body),
  )
  serve('GET /admin/vetting-lapses', ({ caller }) => lapses.list(caller))
  serve('GET /admin/practitioners/{id}/ahead', ({ caller, params }) => backOffice.ahead(caller, params.id))
  serve('POST /admin/practitioners/{id}/reinstate', ({ caller, params }) =>
    backOffice.decide(caller, params.id, 'reinstate'),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/link', ({ caller, params }) =>
    backOffice.look(caller, params.id, params.document_id),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/accept', ({ caller, params, body }) =>
    backOffice.decideFact(
      caller,
      params.id,
      { kind: 'document', id: params.document_id },
      { decision: 'accept', expiresOn: body.expires_on },
    ),
  )
  serve('POST /admin/practitioners/{id}/documents/{document_id}/refuse', ({ caller, params, body }) =>
    backOffice.decideFact(
      caller,
      params.id,
      { kind: 'document', id: params.document_id },
      { decision: 'refuse', reason: body.reason },
    ),
  )
  serve('POST /admin/practitioners/{id}/licences/{licence_id}/accept', ({ caller, params, body }) =>
    backOffice.decideFact(
      caller,
      params.id,
      { kind: 'licence', id: params.licence_id },
      { decision: 'accept', expiresOn: body.expires_on },
    ),
  )
  serve('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', ({ caller, params, body }) =>
    backOffice.decideFact(
      caller,
      params.id,
      { kind: 'licence', id: params.licence_id },
      { decision: 'refuse', reason: body.reason },
    ),
  )
  serve('GET /admin/audit', ({ caller, query }) => backOffice.audit(caller, query))
}

function chatDeskRoutes(serve: Serve, desk: ChatDesk): void {
  serve('GET /admin/chat-reports', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/chat-reports/{id}/look', ({ caller, params }) => desk.look(caller, params.id))
  serve('POST /admin/chat-reports/{id}/settle', ({ caller, params, body }) =>
    desk.resolve(caller, params.id, body.reason),
  )
}

function noShowDeskRoutes(serve: Serve, desk: NoShowDesk): void {
  serve('GET /admin/no-shows', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/no-shows/{appointment_id}/uphold', ({ caller, params, body }) =>
    desk.decide(caller, params.appointment_id, 'upheld', body.reason),
  )
  serve('POST /admin/no-shows/{appointment_id}/overturn', ({ caller, params, body }) =>
    desk.decide(caller, params.appointment_id, 'overturned', body.reason),
  )
}

function paymentsDeskRoutes(serve: Serve, desk: PaymentsDesk): void {
  serve('GET /admin/payments', ({ caller, query }) => desk.list(caller, query))
  serve('GET /admin/payments/late-returns', ({ caller }) => desk.lateReturns(caller))
  serve('GET /admin/payments/incidents', ({ caller }) => desk.incidents(caller))
  serve('POST /admin/payments/incidents/{id}/resolve', ({ caller, params, body }) =>
    desk.resolveIncident(caller, params.id, body),
  )
  serve('POST /admin/payments/{id}/refund', ({ caller, params, body }) =>
    desk.refund(caller, params.id, body),
  )
  serve('POST /admin/sessions/{appointment_id}/cancel', ({ caller, params, body }) =>
    desk.cancelSession(caller, params.appointment_id, body.reason),
  )
}

function practiceDeskRoutes(serve: Serve, desk: PracticeDesk): void {
  serve('GET /admin/payouts', ({ caller, query }) => desk.payouts(caller, query))
  serve('POST /admin/payouts/{id}', ({ caller, params, body }) => desk.payOut(caller, params.id, body))
  serve('GET /admin/video-orders', ({ caller, query }) => desk.videoOrders(caller, query))
  serve('POST /admin/video-orders/{id}/done', ({ caller, params }) => desk.finishVideo(caller, params.id))
  serve('POST /admin/video-orders/{id}/dates', ({ caller, params, body }) =>
    desk.proposeDates(caller, params.id, body),
  )
  serve('POST /admin/video-orders/{id}/video', ({ caller, params, receive }) =>
    receive((file) => desk.uploadVideo(caller, params.id, file)),
  )
  serve('POST /admin/video-orders/{id}/video-link', ({ caller, params }) => desk.videoLink(caller, params.id))
  serve('POST /admin/video-orders/{id}/undo', ({ caller, params, body }) =>
    desk.undoVideo(caller, params.id, body),
  )
}

function reportRoutes(serve: Serve, desk: ReportDesk): void {
  serve('GET /admin/reports', ({ caller, query }) => desk.list(caller, query))
  serve('POST /admin/reports/{id}/hide', ({ caller, params, body }) =>
    desk.decide(caller, params.id, 'hide', body.reason),
  )
  serve('POST /admin/reports/{id}/dismiss', ({ caller, params }) => desk.decide(caller, params.id, 'dismiss'))
  serve('POST /admin/reports/{id}/restore', ({ caller, params }) => desk.decide(caller, params.id, 'restore'))
}
