import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedSession } from '#contract/bookings/bookings.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { intentKeys } from '#web/lib/intent-keys.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { viewerZone } from '#web/lib/time.ts'
import { type BankChecked, useBankChecked } from '#web/lib/use-bank-checked.ts'
import { helpRoot } from './help-queries.ts'

export type HelpPayment = BankChecked & {
  /** Sets the price aside on a saved card; the therapist is asked at once. `fee` in pounds, as it stands on the screen. */
  pay(session: { session_id: string; fee: number }, customerId: string): void
}

/** Pays for the practitioner on hold. Pressing again after a lost connection repeats the same payment. */
export function useHelpPayment({ onPaid }: { onPaid(sessionId: string): void }): HelpPayment {
  const client = useQueryClient()
  const [keys] = useState(intentKeys)
  const refresh = () => void client.invalidateQueries({ queryKey: helpRoot() })
  const checked = useBankChecked({ onRefused: refresh })
  return {
    ...checked,
    pay({ session_id, fee }, customerId) {
      checked.run(session_id, async () => {
        const body = { session_id, fee_amount: fee, customer_id: customerId }
        await callApi('POST /payment/{provider}/existing-card-payment', {
          params: { provider: paymentProvider() },
          body,
          idempotencyKey: keys.of(body),
        })
        keys.done()
        onPaid(session_id)
        refresh()
      })
    },
  }
}

/** Holds a practitioner for five minutes: the one shown if still free, else the next. The result names the one held. */
export function useClaim() {
  const [keys] = useState(intentKeys)
  const [isClaiming, setClaiming] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    isClaiming,
    error,
    clearError: () => setError(undefined),
    /** Returns undefined if the server refused, and passes the error code to `onRefused`. */
    async claim(
      issueId: number,
      shown: { practitioner_id: number },
      onRefused: (code: ApiError['code'] | undefined) => boolean,
    ): Promise<CreatedSession | undefined> {
      if (isClaiming) return undefined
      setClaiming(true)
      setError(undefined)
      try {
        const body = {
          practitioner_id: null,
          fee: helpFee,
          booking_type: 'get-help-right-now',
          issue_id: issueId,
          preferred_practitioner_id: shown.practitioner_id,
          timezone: viewerZone(),
        } as const
        const created = await callApi('POST /appointment/create-session', {
          body,
          idempotencyKey: keys.of(body),
        })
        keys.done()
        return created
      } catch (thrown) {
        // A refusal is the end of this try; the next one is another.
        if (thrown instanceof ApiError && thrown.status === 409) keys.done()
        const isHandled = onRefused(thrown instanceof ApiError ? thrown.code : undefined)
        if (!isHandled) setError(thrown)
        return undefined
      } finally {
        setClaiming(false)
      }
    },
  }
}

/** Pounds. The server takes its own price and refuses another. */
export const helpFee = 25
