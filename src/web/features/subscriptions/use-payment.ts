import { useQueryClient } from '@tanstack/react-query'
import type { BodySent } from '#contract/endpoints.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { type BankChecked, useBankChecked } from '#web/lib/use-bank-checked.ts'

/** What is paid here. */
export type Purpose = BodySent<'POST /therapist/payment/confirm-authentication'>['purpose']

export type Payment = BankChecked & {
  /** Pays by a call that charges the card in use. */
  pay(call: () => Promise<unknown>): void
}

/** Something that charges the card in use, and may be stopped by the bank's question in between. */
export function usePayment(purpose: Purpose, onPaid: () => void): Payment {
  const client = useQueryClient()
  const checked = useBankChecked({
    onRefused(error) {
      if (isOtherNow(error)) void client.invalidateQueries()
    },
  })
  const confirmed = useAction('POST /therapist/payment/confirm-authentication')
  const paidBy = (call: () => Promise<unknown>) => async () => {
    await call()
    await client.invalidateQueries()
    onPaid()
  }
  return {
    ...checked,
    pay: (call) =>
      checked.run({
        carryOut: paidBy(call),
        confirm: paidBy(() => confirmed.send({ body: { purpose } })),
      }),
  }
}

/** Whether what is paid for is no longer as the page shows it. */
export const isOtherNow = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'price_changed' || error.code === 'changed_elsewhere')
