import type { Deps } from '../../deps.ts'
import { ProductError } from '../../errors.ts'
import type { PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { declinedPaymentsOfClient } from './payments.limits.ts'

/** A payment of a session, or a charge. */
type Payment = { id: string; on_session: boolean } & ({ method_owner: string } | { account_id: string })

export type Declines = ReturnType<typeof createDeclines>

/** Counts declines of those who are there to pay: the limit guards against cards that are tried out. */
export function createDeclines({ limits, gateway }: Pick<Deps, 'limits'> & { gateway: PaymentGateway }) {
  return {
    /**
     * Asks the gateway for an authorisation, which counts if it is declined. A fault of the gateway does not. Counted before
     * the call, so that concurrent attempts cannot exceed the limit.
     * @throws 429 after too many declines, once `release` is done; as `ask`
     */
    async ask<T extends { state: string }>(
      accountId: string,
      { ask, release }: { ask(): Promise<T>; release(): Promise<unknown> },
    ): Promise<T> {
      await limits.use(declinedPaymentsOfClient, accountId).catch(async (error: unknown) => {
        await release()
        throw error
      })
      const answered = await ask().catch(async (error: unknown) => {
        await limits.giveBack(declinedPaymentsOfClient, accountId)
        throw error
      })
      if (answered.state !== 'declined') await limits.giveBack(declinedPaymentsOfClient, accountId)
      return answered
    },

    /** Counts a decline that came after the bank had asked the client. Past the limit there is nothing more to count. */
    async count(payment: Payment): Promise<void> {
      if (!payment.on_session) return
      const accountId = 'account_id' in payment ? payment.account_id : payment.method_owner
      await limits.use(declinedPaymentsOfClient, accountId).catch((error: unknown) => {
        if (!(error instanceof ProductError && error.code === 'too_many_requests')) throw error
      })
    },

    /** Whether the bank has declined a payment that waited for its client's answer, before it is voided for another one. */
    async isDeclined(payment: Payment & { client_secret: string | null }): Promise<boolean> {
      if (!payment.on_session || payment.client_secret === null) return false
      return (await gateway.inspect(payment.id))?.state === 'declined'
    },
  }
}
