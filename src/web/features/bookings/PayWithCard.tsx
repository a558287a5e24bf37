import { type ReactNode, useEffect, useRef, useState } from 'react'
import { focusLate } from '#web/lib/focus-late.ts'
import { focusFirstInvalid } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { BankAsked } from '#web/ui/BankAsked.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Button } from '#web/ui/Button.tsx'
import { FieldError } from '#web/ui/FieldFrame.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { BookingProblem } from './BookingProblem.tsx'
import type { PaySession } from './use-pay-session.ts'

/** The saved cards as the booking needs them. */
export type CardsToPayWith = {
  chosenId: string | undefined
  /** How many there are; undefined while that is not known. */
  count: number | undefined
  choice: ReactNode
  refresh(): Promise<readonly unknown[]>
}

type Props = {
  /** `fee` in pounds. */
  session: { session_id: string; fee: number }
  cards: CardsToPayWith
  payment: PaySession
  addCardPath: string
  otherTimesPath: string
  /** Another way out is being taken, or what the payment depends on is not known yet. */
  isWaiting?: boolean
  /** Other ways out, below. */
  children: ReactNode
}

/** The choice of a saved card, with the price on the button, or the way to add a card. */
export function PayWithCard({
  session,
  cards,
  payment,
  addCardPath,
  otherTimesPath,
  isWaiting,
  children,
}: Props) {
  const { chosenId } = cards
  const isPaying = payment.step !== 'idle'
  const choice = useRef<HTMLDivElement>(null)
  const [presses, setPresses] = useState(0)
  const ways = useRef<HTMLDivElement>(null)
  const hadCard = useRef(false)
  useEffect(() => {
    // The button that was pressed has left with the last card.
    if (cards.count === 0 && hadCard.current) focusLate(ways.current?.querySelector('a') ?? null)
    hadCard.current = (cards.count ?? 0) > 0
  }, [cards.count])
  const isCardMissing = presses > 0 && chosenId === undefined
  useEffect(() => {
    if (presses > 0 && choice.current) focusFirstInvalid(choice.current)
  }, [presses])
  return (
    <>
      <BankAsked session={session} payment={payment} label="Finish booking" isWaiting={isWaiting ?? false} />
      <div ref={choice}>
        <div data-invalid={isCardMissing ? '' : undefined} className="flex flex-col gap-2">
          {cards.choice}
          {isCardMissing && (
            <div role="alert">
              <FieldError id="card-missing">Choose a card, or use another one.</FieldError>
            </div>
          )}
        </div>
      </div>
      {payment.step !== 'asking' && payment.error !== undefined && (
        <BookingProblem error={payment.error} otherTimesPath={otherTimesPath} />
      )}
      <div ref={ways} className="flex flex-col gap-3">
        {cards.count === 0 ? (
          <ButtonLink to={addCardPath} fullWidth>
            Add a card and pay {formatPounds(session.fee)}
          </ButtonLink>
        ) : (
          <>
            <Button
              fullWidth
              isDisabled={cards.count === undefined || isWaiting}
              isPending={isPaying}
              pendingLabel="Paying and booking"
              onPress={() => {
                if (chosenId) payment.pay(session, chosenId)
                else setPresses((before) => before + 1)
              }}
            >
              Pay {formatPounds(session.fee)}
            </Button>
            <ButtonLink to={addCardPath} variant="secondary" fullWidth>
              Use another card
            </ButtonLink>
          </>
        )}
        {children}
      </div>
      <BankCheck checked={payment} />
    </>
  )
}
