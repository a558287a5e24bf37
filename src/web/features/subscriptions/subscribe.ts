import type { BodySent } from '#contract/endpoints.ts'
import type { CardBeginning } from '#contract/payments.ts'
import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'

/** Begins saving the card that the platform is paid with. */
export function beginTherapistCard(): Promise<CardBeginning> {
  return callApi('POST /therapist/payment/begin-card')
}

/** Saves the card that the platform is paid with. */
export function saveTherapistCard(
  body: BodySent<'POST /therapist/payment/add-new-card'>,
  idempotencyKey: string,
): Promise<TherapistCard> {
  return callApi('POST /therapist/payment/add-new-card', { body, idempotencyKey })
}

/** Subscribes with the card that is saved, or pays what is past due. Safe to repeat. */
export async function subscribeWithSavedCard(): Promise<void> {
  const { payment_method_id } = await callApi('GET /therapist/payment/card')
  await callApi('POST /therapist/subscription/subscribe', { body: { payment_method_id } })
}

/** The same after a new card has been saved. A practitioner who has cancelled stays cancelled, and only has another card. */
export async function subscribeUnlessCancelled(): Promise<void> {
  const status = await callApi('GET /therapist/subscription').then(
    (subscription) => subscription.status,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_subscribed') return null
      throw error
    },
  )
  if (status !== 'cancelling') await subscribeWithSavedCard()
}
