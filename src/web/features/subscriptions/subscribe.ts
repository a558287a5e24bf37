import type { BodySent } from '#contract/endpoints.ts'
import { callApi } from '#web/lib/api.ts'
import { useAction } from '#web/lib/use-action.ts'

/**
 * Saves the card that the platform is paid with.
 * @param paysNext whether the page pays with the card as soon as it is saved, so that saving it need not charge what is past due
 */
export function useTherapistCard({ paysNext }: { paysNext: boolean }) {
  const begin = useAction('POST /therapist/payment/begin-card')
  const save = useAction('POST /therapist/payment/add-new-card')
  return {
    begin: () => begin.send(),
    save: (body: BodySent<'POST /therapist/payment/add-new-card'>) =>
      save.send({ body: paysNext ? { ...body, charges_due: false } : body }),
  }
}

/** Subscribes, or pays what is past due. Safe to repeat. */
export function useSubscribe() {
  const subscribe = useAction('POST /therapist/subscription/subscribe')

  async function withSavedCard(more: { past_due_only?: true } = {}): Promise<void> {
    const { payment_method_id } = await callApi('GET /therapist/payment/card')
    await subscribe.send({ body: { payment_method_id, ...more } })
  }

  return {
    withSavedCard: () => withSavedCard(),
    payPastDue: () => withSavedCard({ past_due_only: true }),
  }
}
