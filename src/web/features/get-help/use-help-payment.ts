import { useQueryClient } from '@tanstack/react-query'
import type { CreatedSession } from '#contract/bookings/bookings.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { type BankChecked, sessionAct, unfinishedAct, useBankChecked } from '#web/lib/use-bank-checked.ts'
import { helpRoot } from './help-queries.ts'

export type HelpPayment = BankChecked & {
  /** Sets the price aside on a saved card; the therapist is asked at once. `fee` in pounds, as it stands on the screen. */
  pay(session: { session_id: string; fee: number }, customerId: string): void
  /** Has the therapist asked, once the bank that was asking when the page was left has approved the payment. */
  goOn(session: { session_id: string }): void
}

/** Pays for the practitioner on hold. Pressing again after a lost connection repeats the same payment. */
export function useHelpPayment({ onPaid }: { onPaid(sessionId: string): void }): HelpPayment {
  const client = useQueryClient()
  const payment = useAction('POST /payment/{provider}/existing-card-payment')
  const refresh = () => void client.invalidateQueries({ queryKey: helpRoot() })
  const checked = useBankChecked({ onRefused: refresh })
  const paid = (sessionId: string) => {
    onPaid(sessionId)
    refresh()
  }
  return {
    ...checked,
    pay({ session_id, fee }, customerId) {
      const carryOut = async () => {
        await payment.send({
          params: { provider: paymentProvider() },
          body: { session_id, fee_amount: fee, customer_id: customerId },
        })
        paid(session_id)
      }
      checked.run(sessionAct(session_id, carryOut))
    },
    goOn: ({ session_id }) => checked.run(unfinishedAct(session_id, async () => paid(session_id))),
  }
}

/** Holds a practitioner for five minutes: the one shown if still free, else the next. The result names the one held. */
export function useClaim() {
  const { send, isPending, error, reset } = useAction('POST /appointment/create-session')
  return {
    isClaiming: isPending,
    error,
    /** Returns undefined if the server refused, and passes the error code to `onRefused`. */
    async claim(
      issueId: number,
      shown: { practitioner_id: number },
      onRefused: (code: ApiError['code'] | undefined) => boolean,
    ): Promise<CreatedSession | undefined> {
      if (isPending) return undefined
      const body = {
        practitioner_id: null,
        fee: helpFee,
        booking_type: 'get-help-right-now',
        issue_id: issueId,
        preferred_practitioner_id: shown.practitioner_id,
        timezone: viewerZone(),
      } as const
      return send({ body }).catch((thrown: unknown) => {
        const isHandled = onRefused(thrown instanceof ApiError ? thrown.code : undefined)
        if (isHandled) reset()
        return undefined
      })
    },
  }
}

/** Pounds. The server takes its own price and refuses another. */
export const helpFee = 25
