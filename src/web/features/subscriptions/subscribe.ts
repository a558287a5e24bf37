import type { BodySent } from '#contract/endpoints.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
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
    /** The same after a new card has been saved. A practitioner who has cancelled stays cancelled, and only has another card. */
    async unlessCancelled(): Promise<void> {
      const status = await callApi('GET /therapist/subscription').then(
        (subscription) => subscription.status,
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'not_subscribed') return null
          throw error
        },
      )
      if (status !== 'cancelling') await withSavedCard()
    },
  }
}
