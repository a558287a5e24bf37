import type { PractitionerFile, VettedDocument, VettedLicence } from '#contract/back-office/back-office.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Card } from '#web/ui/Card.tsx'
import { decisionKeys } from './admin-queries.ts'
import { DocumentView } from './DocumentView.tsx'
import { FactDecision, FactReopen } from './FactDecision.tsx'
import { formatLondonDay, factStateLabels, factLabels, formatInstant, formatSize } from './admin-labels.ts'
import { StateTag, toneOf } from './StateTag.tsx'

/** Documents and licences, those that wait first, each to be accepted or refused. */
export function Facts({ file }: { file: PractitionerFile }) {
  const canDecide = file.status !== 'draft'
  const documents = waitingFirst(file.documents)
  const licences = waitingFirst(file.licences)
  return (
    <>
      <section aria-labelledby="documents" className="flex flex-col gap-4">
        <h2 id="documents" className="text-2xl">
          Documents
        </h2>
        {documents.length === 0 && <p className="text-soft">None sent yet.</p>}
        {documents.map((document) => (
          <DocumentCard
            key={document.document_id}
            id={file.practitioner_id}
            document={document}
            canDecide={canDecide}
            canReopen={file.status === 'submitted'}
          />
        ))}
      </section>
      <section aria-labelledby="licences" className="flex flex-col gap-4">
        <h2 id="licences" className="text-2xl">
          Licences and registrations
        </h2>
        {licences.length === 0 && <p className="text-soft">None added yet.</p>}
        {licences.map((licence) => (
          <LicenceCard
            key={licence.licence_id}
            id={file.practitioner_id}
            licence={licence}
            canDecide={canDecide}
            canReopen={file.status === 'submitted'}
          />
        ))}
      </section>
    </>
  )
}

function DocumentCard({
  id,
  document,
  canDecide,
  canReopen,
}: {
  id: number
  document: VettedDocument
  canDecide: boolean
  canReopen: boolean
}) {
  const invalidates = decisionKeys(id)
  const accept = useAction('POST /admin/practitioners/{id}/documents/{document_id}/accept', { invalidates })
  const refuse = useAction('POST /admin/practitioners/{id}/documents/{document_id}/refuse', { invalidates })
  const reopen = useAction('POST /admin/practitioners/{id}/documents/{document_id}/reopen', { invalidates })
  const name = factLabels[document.kind]
  const params = { id, document_id: document.document_id }
  return (
    <Card as="article" className="flex flex-col gap-4">
      <FactHeading
        name={name}
        status={document.status}
        details={[
          `Sent ${formatInstant(document.uploaded_at)}`,
          `${document.content_type === 'application/pdf' ? 'PDF' : 'Picture'}, ${formatSize(document.size)}`,
        ]}
        expiresOn={document.expires_on}
        reason={document.reason}
      />
      <DocumentView practitionerId={id} documentId={document.document_id} name={name} />
      {canDecide && document.status === 'waiting' && (
        <FactDecision
          name={name}
          expiresOn={document.expires_on}
          needsDay={document.kind === 'insurance_certificate'}
          onAccept={(expires_on) => accept.send({ params, body: { expires_on } })}
          refusal={limitsOf('POST /admin/practitioners/{id}/documents/{document_id}/refuse', 'reason')}
          onRefuse={(reason) => refuse.send({ params, body: { reason } })}
        />
      )}
      {canReopen && document.status === 'accepted' && (
        <FactReopen
          name={name}
          limits={limitsOf('POST /admin/practitioners/{id}/documents/{document_id}/reopen', 'reason')}
          onReopen={(reason) => reopen.send({ params, body: { reason } })}
        />
      )}
    </Card>
  )
}

function LicenceCard({
  id,
  licence,
  canDecide,
  canReopen,
}: {
  id: number
  licence: VettedLicence
  canDecide: boolean
  canReopen: boolean
}) {
  const invalidates = decisionKeys(id)
  const accept = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/accept', { invalidates })
  const refuse = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', { invalidates })
  const reopen = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/reopen', { invalidates })
  const name = `Licence ${licence.licence_number}`
  const params = { id, licence_id: licence.licence_id }
  return (
    <Card as="article" className="flex flex-col gap-4">
      <FactHeading
        name={`${licence.licence}, ${licence.licence_number}`}
        status={licence.status}
        details={[licence.provider_type, `Entered ${formatInstant(licence.added_at)}`]}
        expiresOn={licence.expires_on}
        reason={licence.reason}
      />
      {canDecide && licence.status === 'waiting' && (
        <FactDecision
          name={name}
          expiresOn={licence.expires_on}
          onAccept={(expires_on) => accept.send({ params, body: { expires_on } })}
          refusal={limitsOf('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', 'reason')}
          onRefuse={(reason) => refuse.send({ params, body: { reason } })}
        />
      )}
      {canReopen && licence.status === 'accepted' && (
        <FactReopen
          name={name}
          limits={limitsOf('POST /admin/practitioners/{id}/licences/{licence_id}/reopen', 'reason')}
          onReopen={(reason) => reopen.send({ params, body: { reason } })}
        />
      )}
    </Card>
  )
}

function FactHeading({
  name,
  status,
  details,
  expiresOn,
  reason,
}: {
  name: string
  status: VettedDocument['status']
  details: string[]
  expiresOn: string | null
  reason: string | null
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <h3 className="text-xl break-words">{name}</h3>
        <p className="text-sm text-soft">{details.join(' · ')}</p>
        {expiresOn && <p className="text-sm">Valid until {formatLondonDay(expiresOn)}</p>}
        {reason && <p className="mt-1 text-sm">{`Refused: ${reason}`}</p>}
      </div>
      <StateTag tone={toneOf(status)}>{factStateLabels[status]}</StateTag>
    </header>
  )
}

function waitingFirst<Fact extends { status: string }>(facts: readonly Fact[]): Fact[] {
  return facts.toSorted((a, b) => Number(b.status === 'waiting') - Number(a.status === 'waiting'))
}
