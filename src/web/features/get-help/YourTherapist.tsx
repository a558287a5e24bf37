import type { ReactNode } from 'react'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Countdown } from '#web/ui/Countdown.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { FoundTherapist } from './FoundTherapist.tsx'
import { HelpProblem } from './HelpProblem.tsx'
import type { CardsToPayWith } from './cards-to-pay-with.ts'

type Props = {
  practitioner: HelpPractitioner
  /** The session that holds the practitioner; absent until the client presses Pay. */
  held: FollowedAppointment | undefined
  /** Pounds. */
  fee: number
  note: { title: string; text: string } | undefined
  cards: CardsToPayWith
  /** About a payment that the bank was asking about when the page was left. */
  unfinished: ReactNode
  isBusy: boolean
  error: unknown
  onPay(how: 'saved card' | 'another card'): void
  onRunOut(): void
  onLetGo(): void
}

/** Who it is, what happens after paying, and the payment. */
export function YourTherapist({
  practitioner,
  held,
  fee,
  note,
  cards,
  unfinished,
  isBusy,
  error,
  onPay,
  onRunOut,
  onLetGo,
}: Props) {
  const letGo = useAction('POST /appointment/cancel-session', { onDone: onLetGo })
  const name = practitioner.first_name
  const payBy = held?.dispatch?.pay_by
  return (
    <>
      {note && (
        <Alert tone="warning" live="assertive" title={note.title}>
          {note.text}
        </Alert>
      )}
      <FoundTherapist practitioner={practitioner} />
      <Card as="section" aria-labelledby="pay" className="flex flex-col gap-5">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id="pay" className="text-xl">
            15 minutes, online, now
          </h2>
          <span className="font-serif text-2xl tabular-nums">{formatPounds(fee)}</span>
        </div>
        {payBy && (
          <p className="rounded-lg bg-ember-soft p-4">
            <Countdown until={payBy} label="Held for you for" onEnd={onRunOut} className="text-ember-text" />
          </p>
        )}
        {unfinished}
        {cards.choice}
        {error !== undefined && <HelpProblem error={error} />}
        <div className="flex flex-col gap-3">
          <Button
            fullWidth
            isPending={isBusy}
            pendingLabel="Paying"
            isDisabled={cards.isLoading || letGo.isPending}
            onPress={() => onPay(cards.chosenId === undefined ? 'another card' : 'saved card')}
          >
            Pay {formatPounds(fee)}
          </Button>
          {cards.chosenId !== undefined && (
            <Button
              variant="secondary"
              fullWidth
              isDisabled={isBusy || letGo.isPending}
              onPress={() => onPay('another card')}
            >
              Use another card
            </Button>
          )}
          {held && (
            <Button
              variant="quiet"
              fullWidth
              isDisabled={isBusy}
              isPending={letGo.isPending}
              onPress={() => letGo.start({ body: { appointment_id: held.session_id } })}
            >
              I no longer want this
            </Button>
          )}
          {letGo.error !== undefined && <HelpProblem error={letGo.error} />}
        </div>
        <ul className="list-disc pl-5 text-sm text-soft marker:text-ember">
          {cards.hasNone && <li>You add a card on the next page.</li>}
          <li>
            {formatPounds(fee)} is set aside on your card, and {name} is asked at once. {name} has two minutes
            to accept.
          </li>
          <li>
            If {name} cannot, we ask the next therapist who is free. You see each name, and can stop at no
            cost until someone accepts. Only then is the money taken.
          </li>
          <li>If nobody can, you get all of it back.</li>
        </ul>
      </Card>
    </>
  )
}
