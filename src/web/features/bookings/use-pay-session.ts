import { useQueryClient } from '@tanstack/react-query'
import type { Appointment } from '#contract/bookings/bookings.ts'
import type { WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { useAction } from '#web/lib/use-action.ts'
import { showToast } from '#web/ui/Toast.tsx'
import { appointmentQuery, previewQueryRoot } from './booking-queries.ts'
import {
  type BankChecked,
  sessionAct,
  unfinishedAct,
  useBankChecked,
  useIsMounted,
} from '#web/lib/use-bank-checked.ts'

export type PaySession = BankChecked & {
  /** Pays a held session with a saved card, and books it. `fee` in pounds, as it stands on the screen. */
  pay(session: { session_id: string; fee: number }, customerId: string): void
  /** Books a session whose payment the bank was asking about when the page was left. */
  goOn(session: { session_id: string }): void
}

/**
 * Authorises the price, then takes the slot and the money. Pressing again after a lost connection goes on where it was:
 * each step is carried out once.
 */
export function usePaySession({
  onBooked,
  replaces,
}: {
  onBooked(booked: Appointment): void
  /** The session that the page shows to be cancelled for this one; null for none. */
  replaces: WaitlistOffer['swap']
}): PaySession {
  const client = useQueryClient()
  const isMounted = useIsMounted()
  const payment = useAction('POST /payment/{provider}/existing-card-payment')
  const booking = useAction('POST /appointment/instant-book')
  const checked = useBankChecked({
    // The hold may have been extended or released, or the price changed.
    onRefused: () => void client.invalidateQueries({ queryKey: previewQueryRoot() }),
  })

  /** Takes the slot and the money, once `authorise` has set it aside. */
  async function book(session_id: string, authorise?: () => Promise<unknown>): Promise<void> {
    try {
      await authorise?.()
      const booked = await booking.send({
        body: {
          appointment_id: session_id,
          booking_type: 'schedule',
          replaces_appointment_id: replaces?.appointment_id ?? null,
          replaces_starts_at: replaces?.starts_at ?? null,
        },
      })
      client.setQueryData(appointmentQuery(session_id).queryKey, (known) => known && { ...known, ...booked })
      // The time is taken wherever it is shown as free.
      void client.invalidateQueries()
      if (isMounted.current) onBooked(booked)
      else showToast('Your session is booked. You can find it in My Sessions.')
    } finally {
      void client.invalidateQueries({ queryKey: appointmentQuery(session_id).queryKey })
    }
  }

  return {
    ...checked,
    pay({ session_id, fee }, customerId) {
      const authorise = () =>
        payment.send({
          params: { provider: paymentProvider() },
          body: { session_id, fee_amount: fee, customer_id: customerId },
        })
      checked.run(sessionAct(session_id, () => book(session_id, authorise)))
    },
    goOn: ({ session_id }) => checked.run(unfinishedAct(session_id, () => book(session_id))),
  }
}
