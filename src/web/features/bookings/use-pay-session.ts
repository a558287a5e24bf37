import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Appointment } from '#contract/bookings/bookings.ts'
import { callApi } from '#web/lib/api.ts'
import { intentKeys } from '#web/lib/intent-keys.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { showToast } from '#web/ui/Toast.tsx'
import { appointmentQuery, previewQueryRoot } from './booking-queries.ts'
import { type BankChecked, useBankChecked, useIsMounted } from '#web/lib/use-bank-checked.ts'

export type PaySession = BankChecked & {
  /** Pays a held session with a saved card, and books it. `fee` in pounds, as it stands on the screen. */
  pay(session: { session_id: string; fee: number }, customerId: string): void
}

/**
 * Authorises the price, then takes the slot and the money. Pressing again after a lost connection goes on where it was:
 * each step is carried out once.
 */
export function usePaySession({ onBooked }: { onBooked(booked: Appointment): void }): PaySession {
  const client = useQueryClient()
  const isMounted = useIsMounted()
  const [payKeys] = useState(intentKeys)
  const [bookKeys] = useState(intentKeys)
  const checked = useBankChecked({
    // The hold may have been extended or released, or the price changed.
    onRefused: () => void client.invalidateQueries({ queryKey: previewQueryRoot() }),
  })

  return {
    ...checked,
    pay({ session_id, fee }, customerId) {
      const refresh = () => client.invalidateQueries({ queryKey: appointmentQuery(session_id).queryKey })
      checked.run(session_id, async () => {
        try {
          const payment = { session_id, fee_amount: fee, customer_id: customerId }
          await callApi('POST /payment/{provider}/existing-card-payment', {
            params: { provider: paymentProvider() },
            body: payment,
            idempotencyKey: payKeys.of(payment),
          })
          const booking = { appointment_id: session_id, booking_type: 'schedule' } as const
          const booked = await callApi('POST /appointment/instant-book', {
            body: booking,
            idempotencyKey: bookKeys.of(booking),
          })
          payKeys.done()
          bookKeys.done()
          client.setQueryData(
            appointmentQuery(session_id).queryKey,
            (known) => known && { ...known, ...booked },
          )
          // The time is taken wherever it is shown as free.
          void client.invalidateQueries()
          if (isMounted.current) onBooked(booked)
          else showToast('Your session is booked. You find it under My Sessions.')
        } finally {
          void refresh()
        }
      })
    },
  }
}
