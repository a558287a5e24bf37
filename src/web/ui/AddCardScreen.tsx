import { type ReactNode, useState } from 'react'
import { ApiError } from '../lib/api-error.ts'
import type { BankChecked } from '../lib/use-bank-checked.ts'
import { BankCheck } from './BankCheck.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'

/** What a page gives the card form on it. The form hands over the card that it saved. */
export type CardSlot<Saved> = {
  submitLabel: string
  isBusy: boolean
  onSaved(card: Saved): void
}

type Props<Saved> = {
  payment: BankChecked
  submitLabel: string
  /** On the button that tries the same card again. */
  retryLabel(card: Saved): string
  /** Whether a card that the bank has declined may be tried again. */
  retriesDeclined?: boolean
  /** Pays with the card as soon as it is saved, and again after a failure. */
  onPay(card: Saved): void
  /** Above the form. */
  notice?: ReactNode
  renderForm(slot: CardSlot<Saved>): ReactNode
  renderProblem(error: unknown, retry: ReactNode): ReactNode
  /** What a screen reader calls it. */
  label?: string
  /** Below the form. */
  children?: ReactNode
  /** Layout only. */
  className?: string
}

/** Adds a card and pays with it at once. If only the payment fails, the same card can be tried again. */
export function AddCardScreen<Saved>({
  payment,
  submitLabel,
  retryLabel,
  retriesDeclined = false,
  onPay,
  notice,
  renderForm,
  renderProblem,
  label,
  children,
  className = '',
}: Props<Saved>) {
  const [card, setCard] = useState<Saved>()
  const isPaying = payment.step !== 'idle'
  const canRetry = retriesDeclined || !isDeclined(payment.error)
  return (
    <Card as="section" aria-label={label} className={`flex flex-col gap-5 ${className}`}>
      {notice}
      {!isPaying &&
        payment.error !== undefined &&
        renderProblem(
          payment.error,
          card && canRetry && (
            <Button size="small" variant="secondary" onPress={() => onPay(card)}>
              {retryLabel(card)}
            </Button>
          ),
        )}
      {renderForm({
        submitLabel,
        isBusy: isPaying,
        onSaved(saved) {
          setCard(saved)
          onPay(saved)
        },
      })}
      {children}
      <BankCheck checked={payment} />
    </Card>
  )
}

/** A client who failed the bank's authentication may retry with the same card. Any other decline is final for the card. */
function isDeclined(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === 'card_declined' &&
    error.details.decline_code !== 'authentication_failed'
  )
}
