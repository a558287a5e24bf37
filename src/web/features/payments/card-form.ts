import type { CardBeginning } from '#contract/payments.ts'

/** A card as our server gets it: its details for the sandbox, the provider's payment method id for a real gateway. */
export type CardBody = (
  | { card_number: string; expiry_month: number; expiry_year: number; cvv_number: string }
  | { payment_method_id: string }
) & {
  /** False: for one session only. */
  remember?: false
}

/** What both card forms are given. */
export type CardFormProps<SavedCard> = {
  /** Asks for what the payment provider's own script takes a card with. */
  begin(): Promise<CardBeginning>
  save(body: CardBody): Promise<SavedCard>
  /** The tick, and below it why it takes it. */
  rememberLabel: string
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
