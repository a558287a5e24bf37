import type { Serve } from '../../http/serve.ts'
import type { BackOffice } from './back-office.service.ts'
import type { VettingLapses } from './vetting-lapses.service.ts'

export function backOfficeRoutes(serve: Serve, backOffice: BackOffice, lapses: VettingLapses): void {
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
