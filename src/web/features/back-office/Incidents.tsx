import { useQuery } from '@tanstack/react-query'
import type { GatewayIncident } from '#contract/back-office/payments.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { incidentsQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { TaskAlert } from './TaskAlert.tsx'
import { useRowDialog } from './use-row-dialog.tsx'

type Decision = GatewayIncident['decisions'][number]

const kindLabels: Record<GatewayIncident['kind'], { title: string; words: string }> = {
  refund: {
    title: 'Refunded in the provider’s dashboard',
    words: 'It is in the accounts. The session has not changed: cancel it if it should not take place.',
  },
  capture: {
    title: 'Captured in the provider’s dashboard',
    words: 'It is in the accounts, and is refunded automatically if the session is not booked.',
  },
  release: {
    title: 'Booked and not paid',
    words: 'The authorisation ended at the provider before the money was taken.',
  },
  refund_failed: {
    title: 'A refund did not reach the card',
    words:
      'The bank sent the money back. Pay the client by bank transfer, or refund it again below; what is owed for the session is withheld.',
  },
  dispute: {
    title: 'Disputed by the client’s bank',
    words: 'Answer it in the provider’s dashboard in time. What is owed for it is withheld meanwhile.',
  },
  mismatch: {
    title: 'The provider and our accounts disagree',
    words: 'The provider shows something different for this payment, and nothing explains it.',
  },
}

/** Of a refund that failed, once all of the payment has gone back in another way. */
const allBackWords =
  'The bank sent the money back, and the client has got it in another way since. Nothing more is to be paid: mark it as dealt with.'

/** The same of what a practitioner paid. A server of the release before does not say how much of it has gone back. */
const chargeBackWords =
  'The bank sent the money back. Look in the provider’s dashboard whether the practitioner has got it in another way since: if not, pay it by bank transfer.'

/** Of a refund that failed, while the bank has not decided a dispute of the same payment. */
const disputedRefundWords =
  'The bank sent the money back, and the payment is disputed. Wait until the bank has decided: a dispute that is lost returns the money.'

/** The same of what a practitioner paid Hearth, where it is not about a session. */
const chargeLabels: Partial<Record<GatewayIncident['kind'], { title: string; words: string }>> = {
  refund: {
    title: 'Refunded in the provider’s dashboard',
    words:
      'It is in the accounts, and the practitioner has been emailed. A subscription runs to the end of the month that was paid for.',
  },
  capture: {
    title: 'Captured in the provider’s dashboard',
    words: 'It is in the accounts.',
  },
  release: {
    title: 'Not paid',
    words:
      'The authorisation ended at the provider before the money was taken, but what it was for counts as paid. Ask the practitioner to pay, or leave it.',
  },
  refund_failed: {
    title: 'A refund did not reach the card',
    words: 'The bank sent the money back. Pay the practitioner by bank transfer.',
  },
  dispute: {
    title: 'Disputed by the practitioner’s bank',
    words: 'Answer it in the provider’s dashboard in time. The practitioner has been emailed.',
  },
}

type DecisionLabels = { button: string; title: string; lead: string; toast: string }

const decisionLabels: Record<Decision, DecisionLabels> = {
  noted: {
    button: 'Mark as dealt with',
    title: 'Mark this as dealt with?',
    lead: 'It leaves this list. Nothing changes in the accounts.',
    toast: 'It is dealt with.',
  },
  paid_otherwise: {
    button: 'It was paid by bank transfer',
    title: 'Was it paid by bank transfer?',
    lead: 'The accounts will show that the client has the money, and the practitioner is owed that much less. What has gone back in another way since is not counted again. It cannot be undone.',
    toast: 'It is in the accounts.',
  },
  borne_by_platform: {
    button: 'Hearth pays',
    title: 'Should Hearth pay for this loss?',
    lead: 'The practitioner is still owed for the session, unless it is cancelled. It cannot be undone.',
    toast: 'Hearth pays for it.',
  },
  borne_by_practitioner: {
    button: 'The practitioner pays',
    title: 'Should the practitioner pay for this loss?',
    lead: 'The practitioner is no longer owed for this session, and sees that in their statement. It cannot be undone.',
    toast: 'The practitioner pays for it.',
  },
}

/** The same of what a practitioner paid Hearth. */
const chargeDecisionLabels: Partial<Record<Decision, DecisionLabels>> = {
  paid_otherwise: {
    ...decisionLabels.paid_otherwise,
    lead: 'The accounts and the invoice will show that the practitioner has the money. What has gone back in another way since is not counted again. It cannot be undone.',
  },
}

const paidForLabels = { session: 'Session', subscription: 'Subscription', video_production: 'Video' } as const

/** Changes made outside the product at the payment provider that await a decision. Renders nothing if there are none. */
export function Incidents() {
  const query = useQuery(incidentsQuery())
  const { open, dialog } = useRowDialog<Deciding>((deciding, onClose) => (
    <DecisionDialog {...deciding} onClose={onClose} />
  ))
  return (
    <>
      <TaskAlert
        query={query}
        one="Something happened at the payment provider"
        many="things happened at the payment provider"
        failure="Changes at the payment provider did not load"
        label="At the payment provider"
        renderTask={(incident) => (
          <Incident
            key={incident.incident_id}
            incident={incident}
            onDecide={(decision) => open({ incident, decision })}
          />
        )}
      />
      {dialog}
    </>
  )
}

type Deciding = { incident: GatewayIncident; decision: Decision }

const isOfCharge = ({ paid_for: paidFor }: GatewayIncident) =>
  paidFor === 'subscription' || paidFor === 'video_production'

function Incident({ incident, onDecide }: { incident: GatewayIncident; onDecide(decision: Decision): void }) {
  const { kind, payer, amount, dispute } = incident
  const isCharge = isOfCharge(incident)
  const { title, words } = (isCharge && chargeLabels[kind]) || kindLabels[kind]
  const isLost = dispute === 'lost'
  const isAllBack =
    kind === 'refund_failed' &&
    incident.paid_for !== null &&
    amount !== null &&
    !incident.decisions.includes('paid_otherwise')
  const isRefundDisputed = kind === 'refund_failed' && dispute === 'open'
  const backWords = isCharge ? chargeBackWords : allBackWords
  const lead = isRefundDisputed ? disputedRefundWords : isAllBack ? backWords : words
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="flex items-baseline justify-between gap-4 text-base font-semibold">
        <span className="min-w-0 break-words">{isLost ? 'A dispute is lost' : title}</span>
        {amount !== null && <span className="tabular-nums">{formatPounds(amount)}</span>}
      </p>
      <p>
        {!isLost
          ? lead
          : isCharge
            ? 'Hearth pays for it: mark it once it is dealt with.'
            : 'Decide who pays for it: until then, what is owed for the session is withheld.'}
      </p>
      <p className="break-words text-soft">
        {payer ? (
          <span className="block">
            {payer.full_name}
            {payer.email && `, ${payer.email}`}
          </span>
        ) : (
          <span className="block">For a payment we do not have on record</span>
        )}
        {incident.paid_for && (
          <span className="block">
            {paidForLabels[incident.paid_for]}
            {incident.session_starts_at && ` of ${formatInstant(incident.session_starts_at)}`}
          </span>
        )}
        <span className="block break-all">
          {incident.reference}, since {formatInstant(incident.at)}
        </span>
      </p>
      {incident.decisions.length > 0 && (
        <div className="mt-1 flex flex-wrap gap-2">
          {incident.decisions.map((decision) => (
            <Button
              key={decision}
              size="small"
              variant="secondary"
              aria-label={`${decisionLabels[decision].button}: ${incident.reference}`}
              onPress={() => onDecide(decision)}
            >
              {decisionLabels[decision].button}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}

function DecisionDialog({ incident, decision, onClose }: Deciding & { onClose(): void }) {
  const resolve = useAction('POST /admin/payments/incidents/{id}/resolve', {
    invalidates: [['admin', 'payments']],
  })
  const { button, title, lead, toast } =
    (isOfCharge(incident) && chargeDecisionLabels[decision]) || decisionLabels[decision]
  return (
    <ReasonDialog
      title={title}
      lead={lead}
      description="It is kept in the audit log."
      confirmLabel={button}
      variant="primary"
      pendingLabel="One moment"
      failureTitle="Nothing was decided"
      limits={limitsOf('POST /admin/payments/incidents/{id}/resolve', 'reason')}
      onConfirm={async (reason) => {
        await resolve.send({ params: { id: incident.incident_id }, body: { decision, reason } })
        showToast(toast)
      }}
      onClose={onClose}
    />
  )
}
