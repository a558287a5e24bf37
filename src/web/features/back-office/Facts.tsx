import { useState } from 'react'
import type { PractitionerFile, VettedDocument, VettedLicence } from '#contract/back-office/back-office.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Card } from '#web/ui/Card.tsx'
import { Section } from '#web/ui/Section.tsx'
import { decisionKeys } from './admin-queries.ts'
import { DocumentView } from './DocumentView.tsx'
import { FactDecision } from './FactDecision.tsx'
import {
  formatLondonDay,
  factStateLabels,
  factLabels,
  formatInstant,
  formatSize,
  isRenewal,
} from './admin-labels.ts'
import { StateTag, toneOf } from './StateTag.tsx'

/** Documents and licences, those that wait first, each to be accepted or refused. */
export function Facts({ file }: { file: PractitionerFile }) {
  const documents = waitingFirst(file.documents)
  const licences = waitingFirst(file.licences)
  return (
    <>
      <Section title="Documents" size="2xl" className="flex flex-col gap-4">
        {documents.length === 0 && <p className="text-soft">None sent yet.</p>}
        {documents.map((document) => (
          <DocumentCard key={document.document_id} file={file} document={document} />
        ))}
      </Section>
      <Section title="Licences and registrations" size="2xl" className="flex flex-col gap-4">
        {licences.length === 0 && <p className="text-soft">None added yet.</p>}
        {licences.map((licence) => (
          <LicenceCard key={licence.licence_id} file={file} licence={licence} />
        ))}
      </Section>
    </>
  )
}

type Shown = { full_name: string; expires_on: string | null }

/**
 * Accepts a document or licence as it was when the admin began to compare it: a name that changes on the page meanwhile is
 * easily missed. Once that is refused, and said, as it is shown then.
 */
function useAccept(
  { full_name }: PractitionerFile,
  { status, expires_on }: VettedDocument | VettedLicence,
  send: (body: { expires_on: string | null; shown: Shown }) => Promise<unknown>,
) {
  const present = { full_name, expires_on }
  const [compared, setCompared] = useState<{ status: string; shown: Shown | undefined }>({
    status,
    shown: present,
  })
  if (compared.status !== status) setCompared({ status, shown: present })
  return async (day: string | null) => {
    try {
      await send({ expires_on: day, shown: compared.shown ?? present })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_elsewhere')
        setCompared({ status, shown: undefined })
      throw error
    }
  }
}

function DocumentCard({ file, document }: { file: PractitionerFile; document: VettedDocument }) {
  const id = file.practitioner_id
  const invalidates = decisionKeys(id)
  const accept = useAction('POST /admin/practitioners/{id}/documents/{document_id}/accept', { invalidates })
  const refuse = useAction('POST /admin/practitioners/{id}/documents/{document_id}/refuse', { invalidates })
  const reopen = useAction('POST /admin/practitioners/{id}/documents/{document_id}/reopen', { invalidates })
  const name = factLabels[document.kind]
  const params = { id, document_id: document.document_id }
  const onAccept = useAccept(file, document, (body) => accept.send({ params, body }))
  return (
    <Card as="article" className="flex flex-col gap-4">
      <FactHeading
        name={name}
        fact={document}
        details={[
          `Sent ${formatInstant(document.uploaded_at)}`,
          `${document.content_type === 'application/pdf' ? 'PDF' : 'Picture'}, ${formatSize(document.size)}`,
        ]}
      />
      <DocumentView practitionerId={id} documentId={document.document_id} name={name} />
      <FactDecision
        name={name}
        fact={document}
        profile={file.status}
        needsDay={document.kind === 'insurance_certificate'}
        onAccept={onAccept}
        refusal={limitsOf('POST /admin/practitioners/{id}/documents/{document_id}/refuse', 'reason')}
        onRefuse={(reason) => refuse.send({ params, body: { reason } })}
        reopening={limitsOf('POST /admin/practitioners/{id}/documents/{document_id}/reopen', 'reason')}
        onReopen={(reason) => reopen.send({ params, body: { reason } })}
      />
    </Card>
  )
}

function LicenceCard({ file, licence }: { file: PractitionerFile; licence: VettedLicence }) {
  const id = file.practitioner_id
  const invalidates = decisionKeys(id)
  const accept = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/accept', { invalidates })
  const refuse = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', { invalidates })
  const reopen = useAction('POST /admin/practitioners/{id}/licences/{licence_id}/reopen', { invalidates })
  const params = { id, licence_id: licence.licence_id }
  const onAccept = useAccept(file, licence, (body) => accept.send({ params, body }))
  const isRenewed = isRenewal(licence, file.licences)
  return (
    <Card as="article" className="flex flex-col gap-4">
      <FactHeading
        name={`${isRenewed ? 'Renewal of ' : ''}${licence.licence}, ${licence.licence_number}`}
        fact={licence}
        details={[licence.provider_type, `Entered ${formatInstant(licence.added_at)}`]}
      />
      <FactDecision
        name={`${isRenewed ? 'Renewal of licence' : 'Licence'} ${licence.licence_number}`}
        fact={licence}
        profile={file.status}
        onAccept={onAccept}
        refusal={limitsOf('POST /admin/practitioners/{id}/licences/{licence_id}/refuse', 'reason')}
        onRefuse={(reason) => refuse.send({ params, body: { reason } })}
        reopening={limitsOf('POST /admin/practitioners/{id}/licences/{licence_id}/reopen', 'reason')}
        onReopen={(reason) => reopen.send({ params, body: { reason } })}
      />
    </Card>
  )
}

type HeadingProps = { name: string; fact: VettedDocument | VettedLicence; details: string[] }

function FactHeading({ name, fact: { status, expires_on: expiresOn, reason }, details }: HeadingProps) {
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
