import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { NoShowDispute } from '#contract/back-office/no-shows.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { noShowsQuery } from './admin-queries.ts'
import { attendanceLabel, formatInstant, upholdLead } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { StateTag } from './StateTag.tsx'
import { useOutcome } from './use-outcome.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { useShown } from './use-shown.ts'

/** No-shows that clients dispute: to be decided, or decided. */
export function NoShows() {
  const shown = useShown('/admin/no-shows?', { open: 'To decide', decided: 'Decided' })
  const { show: status, page, hrefFor, choices } = shown
  const { outcome, onDecided } = useOutcome(status)
  const { open, dialog } = useRowDialog<Asked>((asked, onClose) => (
    <DecisionDialog asked={asked} onDecided={onDecided} onClose={onClose} />
  ))
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks label="Which disputes" choices={choices} />
      {outcome}
      <ListFrame
        query={useQuery(noShowsQuery(status, page))}
        label="Disputed no-shows"
        empty={{
          title: status === 'open' ? 'No disputes to decide' : 'No disputes decided yet',
          words: 'Clients who were marked as not having come can dispute it for 14 days.',
        }}
        hrefFor={hrefFor}
      >
        {(dispute) => (
          <DisputeCard
            key={dispute.appointment_id}
            dispute={dispute}
            onAsk={(decision) => open({ dispute, decision })}
          />
        )}
      </ListFrame>
      {dialog}
    </div>
  )
}

const decisions = {
  uphold: {
    title: 'Uphold the no-show?',
    lead: upholdLead,
    confirmLabel: 'Uphold it',
    outcome: 'The no-show is upheld. Both have been told.',
  },
  overturn: {
    title: 'Decide for the client?',
    lead: () =>
      'The session is cancelled and refunded in full, and the fee is no longer owed. Both are told. This cannot be undone.',
    confirmLabel: 'Overturn and refund',
    outcome: 'The no-show is overturned. Both have been told.',
  },
} as const

const tags = {
  disputed: { tone: 'waiting', label: 'To decide' },
  upheld: { tone: 'plain', label: 'Upheld' },
  overturned: { tone: 'good', label: 'Overturned' },
} as const

type Decision = keyof typeof decisions
type Asked = { dispute: NoShowDispute; decision: Decision }

function DisputeCard({ dispute, onAsk }: { dispute: NoShowDispute; onAsk(decision: Decision): void }) {
  const { practitioner, state } = dispute
  const { tone, label } = tags[state]
  const whose = `${dispute.client.full_name}, ${formatInstant(dispute.starts_at)}`
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-[min(14rem,100%)] grow basis-0">
          <h2 className="text-xl">{`Session on ${formatInstant(dispute.starts_at)}`}</h2>
          <Person side="Client" email={dispute.client.email}>
            {dispute.client.full_name}
          </Person>
          <Person side="Practitioner" email={practitioner.email}>
            <TextLink to={`/admin/practitioner?id=${practitioner.practitioner_id}`}>
              {practitioner.full_name}
            </TextLink>
          </Person>
          <p className="text-sm text-soft">
            {`Declared ${formatInstant(dispute.declared_at)}, disputed ${formatInstant(dispute.disputed_at)}`}
            {dispute.decided_at && `, decided ${formatInstant(dispute.decided_at)}`}
            {dispute.decided_by && ` by ${dispute.decided_by}`}
          </p>
          {dispute.decision_reason && (
            <p className="text-sm break-words">{`Reason: ${dispute.decision_reason}`}</p>
          )}
          <p className="text-sm text-soft tabular-nums">
            {`Paid ${formatPounds(dispute.paid)}`}
            {dispute.refunded > 0 && `, refunded ${formatPounds(dispute.refunded)}`}
          </p>
        </div>
        <StateTag tone={tone}>{label}</StateTag>
      </div>
      <p className="text-pretty">{attendanceLabel(dispute)}</p>
      <blockquote className="border-l-4 border-line pl-4 break-words whitespace-pre-line">
        {dispute.client_words ?? 'The client has deleted their account, and what they wrote with it.'}
      </blockquote>
      {state === 'disputed' && (
        <div className="flex flex-wrap gap-3">
          <Button
            size="small"
            variant="secondary"
            aria-label={`Uphold the no-show: ${whose}`}
            onPress={() => onAsk('uphold')}
          >
            Uphold the no-show
          </Button>
          <Button
            size="small"
            variant="danger"
            aria-label={`Overturn and refund: ${whose}`}
            onPress={() => onAsk('overturn')}
          >
            Overturn and refund
          </Button>
        </div>
      )}
    </li>
  )
}

function DecisionDialog({
  asked: { dispute, decision },
  onDecided,
  onClose,
}: {
  asked: Asked
  onDecided(text: string): void
  onClose(): void
}) {
  const decide = useAction(`POST /admin/no-shows/{appointment_id}/${decision}`, {
    invalidates: [['admin', 'no-shows']],
  })
  const { title, lead, confirmLabel, outcome } = decisions[decision]
  return (
    <ReasonDialog
      title={title}
      lead={lead(dispute)}
      description="It is kept in the audit log. The client and the practitioner do not see it."
      confirmLabel={confirmLabel}
      limits={limitsOf('POST /admin/no-shows/{appointment_id}/uphold', 'reason')}
      onConfirm={async (reason) => {
        await decide.send({ params: { appointment_id: dispute.appointment_id }, body: { reason } })
        onDecided(outcome)
      }}
      onClose={onClose}
    />
  )
}

function Person({ side, email, children }: { side: string; email: string | null; children: ReactNode }) {
  return (
    <p className="text-sm break-words">
      {`${side}: `}
      {children}
      {email && (
        <>
          {', '}
          <a href={`mailto:${email}`} className="break-all">
            {email}
          </a>
        </>
      )}
    </p>
  )
}
