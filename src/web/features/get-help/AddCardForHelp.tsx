import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { AddCardScreen, type CardSlot } from '#web/ui/AddCardScreen.tsx'
import { BankAsked } from '#web/ui/BankAsked.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Countdown } from '#web/ui/Countdown.tsx'
import { getHelpPath } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { helpFollowPath, helpSearchPath } from './help-paths.ts'
import { followedHelpQuery, heldLookAgainIn } from './help-queries.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { HelpProblem } from './HelpProblem.tsx'
import { HelpLoading } from './SafetyGate.tsx'
import { useHelpPayment } from './use-help-payment.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** A saved card, as far as paying with it goes. */
type CardJustSaved = { customer_id: string; name: string }

type Props = {
  sessionId: string
  /** The form; it hands over the card that it saved. */
  renderForm(form: CardSlot<CardJustSaved> & { onceLabel: string }): ReactNode
}

/** Adds a card and pays with it for the practitioner on hold. */
export function AddCardForHelp({ sessionId, renderForm }: Props) {
  const query = useQuery({
    ...followedHelpQuery(sessionId),
    refetchInterval: ({ state }) => heldLookAgainIn(state.data?.dispatch),
  })
  const { data, error, refetch } = query
  if (!data) {
    if (!error) return <HelpLoading here="Adding new card" />
    if (error instanceof ApiError && error.status === 404) return <Unknown />
    return (
      <HelpFrame step="failed" title="Adding new card" here="Adding new card">
        <QueryError title="Your session did not load" query={query} />
      </HelpFrame>
    )
  }
  const { dispatch } = data
  if (!dispatch) return <Unknown />
  if (dispatch.state !== 'claimed' || !dispatch.practitioner) {
    return <Navigate to={helpFollowPath(sessionId, dispatch.issue?.issue_id)} replace />
  }
  return (
    <PayWithNewCard
      session={data}
      practitioner={dispatch.practitioner}
      payBy={dispatch.pay_by}
      issueId={dispatch.issue?.issue_id}
      renderForm={renderForm}
      onEnd={() => void refetch()}
    />
  )
}

function PayWithNewCard({
  session,
  practitioner,
  payBy,
  issueId,
  renderForm,
  onEnd,
}: Pick<Props, 'renderForm'> & {
  session: FollowedAppointment
  practitioner: HelpPractitioner
  payBy: string | null
  issueId: number | undefined
  onEnd(): void
}) {
  const navigate = useLateNavigate()
  const payment = useHelpPayment({
    onPaid: (id) => void navigate(helpFollowPath(id, issueId), { replace: true }),
  })
  return (
    <HelpFrame step="adding a card" title="Adding new card" here="Adding new card">
      <Card as="section" aria-label="Your Therapist" className="flex flex-col gap-3">
        <div className="flex items-center gap-4">
          <Portrait name={practitioner.full_name} image={practitioner.profile_image} size={56} />
          <div className="min-w-0 grow">
            <p className="font-semibold">{practitioner.full_name}</p>
            <p className="text-sm text-soft">15 minutes, online, now</p>
          </div>
          <span className="font-serif text-xl tabular-nums">{formatPounds(session.fee)}</span>
        </div>
        {payBy && (
          <Countdown until={payBy} label="Held for you for" onEnd={onEnd} className="text-ember-text" />
        )}
      </Card>
      <AddCardScreen<CardJustSaved>
        label="Card"
        payment={payment}
        submitLabel={`Save card and pay ${formatPounds(session.fee)}`}
        retryLabel={(card) => `Try again with ${card.name}`}
        onPay={(card) => payment.pay(session, card.customer_id)}
        notice={<BankAsked session={session} payment={payment} label="Finish paying" />}
        renderForm={(slot) => renderForm({ ...slot, onceLabel: `Pay ${formatPounds(session.fee)}` })}
        renderProblem={(error, retry) => <HelpProblem error={error} actions={retry} />}
      >
        <p className="text-sm text-soft">
          {formatPounds(session.fee)} is reserved, and {practitioner.first_name} is asked straight away. You
          are charged only when a therapist has accepted, and you can stop free of charge until then.
        </p>
        <p className="text-center text-sm">
          <TextLink to={helpSearchPath(issueId)}>Back to your therapist and your saved cards</TextLink>
        </p>
      </AddCardScreen>
    </HelpFrame>
  )
}

function Unknown() {
  return (
    <HelpFrame step="unknown" title="Adding new card" here="Adding new card">
      <EmptyState
        title="There is no such session"
        illustration={<Looking className="w-44" />}
        actions={<ButtonLink to={getHelpPath}>Get help right now</ButtonLink>}
      >
        <p>We do not have a session at this address, or it is not yours. Nothing was charged.</p>
      </EmptyState>
    </HelpFrame>
  )
}
