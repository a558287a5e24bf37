import type { BodySent } from '#contract/endpoints.ts'
import { callApi } from '#web/lib/api.ts'
import { useAction } from '#web/lib/use-action.ts'

/**
 * Saves the card that the platform is paid with.
 * @param chargesDue whether saving it charges what is past due, as the page says
 */
export function useTherapistCard({ chargesDue }: { chargesDue: boolean }) {
  const begin = useAction('POST /therapist/payment/begin-card')
  const save = useAction('POST /therapist/payment/add-new-card')
  return {
    begin: () => begin.send(),
    save: (body: BodySent<'POST /therapist/payment/add-new-card'>) =>
      save.send({ body: { ...body, charges_due: chargesDue } }),
  }
}

/** Subscribes, or pays what is past due. Safe to repeat. */
export function useSubscribe() {
  const subscribe = useAction('POST /therapist/subscription/subscribe')

  return {
    /** Subscribes with a card as it was shown. */
    async withCard(payment_method_id: string): Promise<void> {
      await subscribe.send({ body: { payment_method_id } })
    },
    /** Pays what is past due, with the card in use unless another is named. */
    async payPastDue(shown?: string): Promise<void> {
      const payment_method_id = shown ?? (await callApi('GET /therapist/payment/card')).payment_method_id
      await subscribe.send({ body: { payment_method_id, past_due_only: true } })
    },
  }
}
