import type { Card, CardBeginning } from '#contract/payments/payments.ts'
import { callApi } from '#web/lib/api.ts'
import { isSandbox, paymentProvider } from '#web/lib/payment-provider.ts'
import { OwnCardForm } from './OwnCardForm.tsx'
import { StripeCardForm } from './StripeCardForm.tsx'

/** A card as our server gets it: its details for the sandbox, the provider's payment method id for a real gateway. */
export type CardBody = (
  | { card_number: string; expiry_month: number; expiry_year: number; cvv_number: string }
  | { payment_method_id: string }
) & {
  /** False: for one session only. */
  remember?: false
}

export type CardFormProps<SavedCard> = {
  /** Asks for what the payment provider's own script takes a card with. */
  begin(): Promise<CardBeginning>
  /** Sends the card; safe to repeat with the same key. */
  save(body: CardBody, idempotencyKey: string): Promise<SavedCard>
  /** Below the tick: why it takes it. */
  rememberNote: string
  /** On the button: what saving the card brings about. */
  submitLabel: string
  /** While what follows the saving is under way. */
  isBusy?: boolean | undefined
  /** On the button for a card that pays one session. Where it is absent, a card is always remembered. */
  onceLabel?: string | undefined
  /** The card is saved. The form keeps what was typed but the security code, should the bank decline it. */
  onSaved(card: SavedCard, kept: { isRemembered: boolean }): void
}

/** Begins saving a card for a client. */
export function beginClientCard(): Promise<CardBeginning> {
  return callApi('POST /payment/{provider}/begin-card', { params: { provider: paymentProvider() } })
}

/** Saves a card for a client, to pay sessions with. */
export function saveClientCard(body: CardBody, idempotencyKey: string): Promise<Card> {
  return callApi('POST /payment/{provider}/add-new-card', {
    params: { provider: paymentProvider() },
    body,
    idempotencyKey,
  })
}

/**
 * Saves a card. The button works only once it is chosen whether the card is remembered, and nothing is sent before:
 * where it pays a session, for that one only is the other choice. The number and the code go to the payment provider and are kept nowhere else.
 */
export function CardForm<SavedCard>({
  rememberNote = 'Sessions are paid with a saved card, so it takes this tick to go on. Without it nothing is sent.',
  ...form
}: Omit<CardFormProps<SavedCard>, 'rememberNote'> & { rememberNote?: string }) {
  return isSandbox() ? (
    <OwnCardForm {...form} rememberNote={rememberNote} />
  ) : (
    <StripeCardForm {...form} rememberNote={rememberNote} />
  )
}
