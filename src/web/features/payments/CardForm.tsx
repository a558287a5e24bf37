import { isSandbox, paymentProvider } from '#web/lib/payment-provider.ts'
import { useAction } from '#web/lib/use-action.ts'
import { OwnCardForm } from './OwnCardForm.tsx'
import { StripeCardForm } from './StripeCardForm.tsx'
import type { CardBody, CardFormProps } from './card-form.ts'

type Remember = 'rememberLabel' | 'rememberNote'

/** Saves a card for a client, to pay sessions with. */
export function useClientCard() {
  const begin = useAction('POST /payment/{provider}/begin-card')
  const save = useAction('POST /payment/{provider}/add-new-card')
  const params = { provider: paymentProvider() }
  return {
    begin: () => begin.send({ params }),
    save: (body: CardBody) => save.send({ params, body }),
  }
}

/**
 * Saves a card. Nothing is sent until it is chosen whether the card is remembered: where it pays a session, for that one
 * only is the other choice. The number and the code go to the payment provider and are kept nowhere else.
 */
export function CardForm<SavedCard>({
  rememberLabel = 'Remember the card for the next sessions',
  rememberNote = 'Please tick this to go on. Nothing is sent until you do.',
  ...form
}: Omit<CardFormProps<SavedCard>, Remember> & Partial<Pick<CardFormProps<SavedCard>, Remember>>) {
  const Form = isSandbox() ? OwnCardForm : StripeCardForm
  return <Form<SavedCard> {...form} rememberLabel={rememberLabel} rememberNote={rememberNote} />
}
