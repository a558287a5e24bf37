import { useForm } from '#web/lib/form.ts'
import type { DocumentKind, PrivateDocument, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { serverNow } from '#web/lib/clock.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatDay } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { StepForm } from '../StepForm.tsx'
import { PresentFile, UploadField } from '../UploadField.tsx'
import { useNeededFile } from '../use-needed-file.ts'

/** The step for the practitioner's proof of identity. */
export function IdentityStep({ profile }: { profile: TherapistProfile }) {
  return (
    <DocumentForm
      profile={profile}
      kind="identity"
      label="Identity document"
      endpoint="POST /therapist/upload-document-file"
      missing="Upload a document that shows who you are."
    />
  )
}

/** A background check. */
export function DbsStep({ profile }: { profile: TherapistProfile }) {
  return (
    <DocumentForm
      profile={profile}
      kind="dbs"
      label="DBS certificate"
      endpoint="POST /therapist/upload-profile-dbs"
      missing="Upload your DBS check."
    />
  )
}

type Props = {
  profile: TherapistProfile
  kind: DocumentKind
  label: string
  endpoint: 'POST /therapist/upload-document-file' | 'POST /therapist/upload-profile-dbs'
  missing: string
}

function DocumentForm({ profile, kind, label, endpoint, missing }: Props) {
  const form = useForm()
  const documents = documentsOf(profile, kind)
  const isThere = documents.some(({ status }) => status !== 'refused')
  const { check, error } = useNeededFile(!isThere, missing)
  return (
    <StepForm form={form} check={check}>
      <UploadField
        label={label}
        kind="document"
        endpoint={endpoint}
        field="file"
        present={documents.length > 0 && <Documents documents={documents} status={profile.status} />}
        error={error}
      />
    </StepForm>
  )
}

/** Those of a kind, newest first. */
export function documentsOf(profile: TherapistProfile, kind: DocumentKind): PrivateDocument[] {
  return profile.documents.filter((each) => each.kind === kind)
}

const statusLabels = { waiting: 'Waiting for our check', accepted: 'Checked', refused: 'Not accepted' }

type DocumentsProps = { documents: readonly PrivateDocument[]; status: TherapistProfile['status'] }

/** What was sent, how it stands, and a look at it. */
export function Documents({ documents, status }: DocumentsProps) {
  // A profile that needs a change is submitted again.
  const isToSubmit = status === 'draft' || status === 'rejected'
  return (
    <ul className="flex flex-col gap-3">
      {documents.map((document) => (
        <li key={document.document_id}>
          <PresentFile
            title={
              isToSubmit && document.status === 'waiting'
                ? 'We will check it when you submit your profile'
                : statusLabels[document.status]
            }
          >
            <p>
              Sent on {formatDay(document.uploaded_at, 'Europe/London', new Date(serverNow()))}
              {document.expires_on &&
                `, valid until ${formatDay(`${document.expires_on}T12:00:00Z`, 'UTC', new Date(serverNow()))}`}
            </p>
            <OpenDocument id={document.document_id} />
          </PresentFile>
        </li>
      ))}
    </ul>
  )
}

/** Opens a private document by a link that is good for a minute. */
function OpenDocument({ id }: { id: string }) {
  const link = useAction('POST /documents/{id}/link')
  const open = () => {
    // Opened at once, or the browser would take it for a pop-up.
    const tab = window.open('', '_blank')
    void link.send({ params: { id } }).then(
      ({ url }) => {
        if (tab) tab.location.href = url
        else window.location.assign(url)
      },
      () => tab?.close(),
    )
  }
  return (
    <div className="mt-1 flex flex-col gap-2">
      <Button
        variant="quiet"
        size="small"
        className="-ml-4 self-start"
        isPending={link.isPending}
        onPress={open}
      >
        View it
      </Button>
      {link.error !== undefined && <FieldError id={`${id}-failure`}>{messageOf(link.error)}</FieldError>}
    </div>
  )
}
