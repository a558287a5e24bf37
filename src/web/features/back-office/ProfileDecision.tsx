import { useRef, useState } from 'react'
import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { decisionKeys } from './admin-queries.ts'
import { CloseDialog } from './CloseDialog.tsx'
import { lastDayBefore, liftLead, stateLabels } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { StateTag, toneOf } from './StateTag.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'

type Question = 'approve' | 'reject' | 'suspend' | 'reinstate' | 'rename' | 'close'

/** How a profile stands, and what can be done about it. */
export function ProfileDecision({ file }: { file: PractitionerFile }) {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)
  const { status, missing } = file
  const lacking = useRef<HTMLDivElement>(null)
  return (
    <Card as="section" aria-labelledby="standing" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="standing" className="text-xl">
          Status
        </h2>
        <StateTag tone={toneOf(status)}>{stateLabels[status]}</StateTag>
        <StateTag tone={file.listed ? 'good' : 'plain'}>
          {file.listed ? 'Clients see it' : 'Clients do not see it'}
        </StateTag>
      </div>
      {file.reason && <p>{`Reason: ${file.reason}`}</p>}
      <Standing file={file} />
      {status === 'submitted' && missing.length > 0 && (
        <div ref={lacking} tabIndex={-1} role="group" aria-label="It cannot be approved yet">
          <Alert title="It cannot be approved yet">
            <ul className="list-disc pl-5">
              {missing.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Alert>
        </div>
      )}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {status === 'submitted' && (
          <>
            <Button onPress={() => (missing.length > 0 ? lacking.current?.focus() : setQuestion('approve'))}>
              Approve the profile
            </Button>
            <Button variant="secondary" onPress={() => setQuestion('reject')}>
              Do not approve
            </Button>
          </>
        )}
        {status === 'approved' && (
          <Button variant="secondary" onPress={() => setQuestion('suspend')}>
            Suspend
          </Button>
        )}
        {status === 'suspended' && (
          <Button onPress={() => setQuestion('reinstate')}>Lift the suspension</Button>
        )}
        {(status === 'submitted' || status === 'approved' || status === 'suspended') && (
          <Button variant="quiet" onPress={() => setQuestion('rename')}>
            Change the name
          </Button>
        )}
        {status !== 'closed' && (
          <Button variant="quiet" onPress={() => setQuestion('close')}>
            Close for good
          </Button>
        )}
      </div>
      {question === 'approve' && <Confirm file={file} action="approve" onClose={close} />}
      {question === 'reinstate' && <Confirm file={file} action="reinstate" onClose={close} />}
      {question === 'reject' && <Refuse file={file} onClose={close} />}
      {question === 'rename' && <RenameDialog file={file} onClose={close} />}
      {question === 'close' && <CloseDialog file={file} onClose={close} />}
      {question === 'suspend' && <SuspendDialog file={file} onClose={close} />}
    </Card>
  )
}

function Standing({ file }: { file: PractitionerFile }) {
  const isOut = file.vetted_until !== null && !file.listed && file.status === 'approved' && file.subscribed
  return (
    <ul className="text-sm text-soft">
      <li>{file.subscribed ? 'Their subscription is active.' : 'They have no active subscription.'}</li>
      {file.vetted_until && (
        <li>
          {isOut
            ? `What we accepted was valid until ${lastDayBefore(file.vetted_until)}: the profile is hidden until a newer document is accepted.`
            : `What we accepted is valid until ${lastDayBefore(file.vetted_until)}.`}
        </li>
      )}
    </ul>
  )
}

const confirmations = {
  approve: {
    title: 'Approve this profile?',
    words: () =>
      'They get an email, and clients can find and book them as soon as their subscription is active.',
    label: 'Approve',
    toast: 'Approved. They get an email.',
  },
  reinstate: {
    title: 'Lift the suspension?',
    words: liftLead,
    label: 'Lift it',
    toast: 'The suspension is lifted. They get an email.',
  },
}

function Confirm({
  file,
  action,
  onClose,
}: {
  file: PractitionerFile
  action: keyof typeof confirmations
  onClose(): void
}) {
  const id = file.practitioner_id
  const words = confirmations[action]
  // As it was when the question was asked.
  const [since] = useState(file.status_since)
  const confirm = useAction(`POST /admin/practitioners/{id}/${action}`, {
    invalidates: decisionKeys(id),
    onDone: () => showToast(words.toast),
  })

  return (
    <ActionDialog
      onClose={onClose}
      title={words.title}
      confirmLabel={words.label}
      cancelLabel="Go back"
      onConfirm={() => confirm.send({ params: { id }, body: { status_since: since } })}
      failureTitle="Nothing was changed"
    >
      <p>{words.words(file)}</p>
    </ActionDialog>
  )
}

function Refuse({ file, onClose }: { file: PractitionerFile; onClose(): void }) {
  const id = file.practitioner_id
  const [since] = useState(file.status_since)
  const reject = useAction('POST /admin/practitioners/{id}/reject', {
    invalidates: decisionKeys(id),
    onDone: () => showToast('Not approved. They get an email.'),
  })
  return (
    <ReasonDialog
      title="Do not approve this profile?"
      lead="They can change it and submit it again."
      description="It is emailed to them exactly as you write it."
      confirmLabel="Do not approve"
      limits={limitsOf('POST /admin/practitioners/{id}/reject', 'reason')}
      onConfirm={(reason) => reject.send({ params: { id }, body: { reason, status_since: since } })}
      onClose={onClose}
    />
  )
}
