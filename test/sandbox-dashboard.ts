import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'

/** Changes payments in the sandbox's books as the provider's dashboard or a bank would. */
export function sandboxDashboard(db: Db) {
  const payment = async (ref: string) =>
    db.selectFrom('sandbox_gateway.payments').selectAll().where('ref', '=', ref).executeTakeFirstOrThrow()
  const disputed = async (ref: string) => {
    const { rows } = await sql<{ pence: number }>`select coalesce(sum(withdrawn_pence), 0)::int as pence
      from sandbox_gateway.disputes where payment_ref = ${ref} and state <> 'won'`.execute(db)
    return rows[0]?.pence ?? 0
  }

  return {
    /** Refunds as much as is left, at most the amount. Returns the refund's name, or undefined when nothing is left. */
    async refund(ref: string, atMostPence = Number.MAX_SAFE_INTEGER): Promise<string | undefined> {
      const { state, amount_pence, refunded_pence } = await payment(ref)
      const amount = Math.min(atMostPence, amount_pence - refunded_pence - (await disputed(ref)))
      if (state !== 'captured' || amount <= 0) return undefined
      const name = `re_dashboard_${crypto.randomUUID()}`
      await db
        .insertInto('sandbox_gateway.refunds')
        .values({ ref: name, idempotency_key: name, payment_ref: ref, amount_pence: amount })
        .execute()
      await db
        .updateTable('sandbox_gateway.payments')
        .set({ refunded_pence: refunded_pence + amount })
        .where('ref', '=', ref)
        .execute()
      return name
    },

    /** The bank sends a refund back. */
    async failRefund(name: string): Promise<void> {
      const refund = await db
        .updateTable('sandbox_gateway.refunds')
        .set({ state: 'failed' })
        .where('ref', '=', name)
        .where('state', '=', 'succeeded')
        .returning(['payment_ref', 'amount_pence'])
        .executeTakeFirst()
      if (!refund) return
      await db
        .updateTable('sandbox_gateway.payments')
        .set((eb) => ({ refunded_pence: eb('refunded_pence', '-', refund.amount_pence) }))
        .where('ref', '=', refund.payment_ref)
        .execute()
    },

    async move(ref: string, to: 'captured' | 'voided'): Promise<void> {
      await db
        .updateTable('sandbox_gateway.payments')
        .set({ state: to })
        .where('ref', '=', ref)
        .where('state', '=', 'authorised')
        .execute()
    },

    /** Disputes what is left, for which the gateway takes a fee. Returns the dispute's name, or undefined when nothing is. */
    async dispute(ref: string, feePence = 0): Promise<string | undefined> {
      const { state, amount_pence, refunded_pence } = await payment(ref)
      const amount = amount_pence - refunded_pence - (await disputed(ref))
      if (state !== 'captured' || amount <= 0) return undefined
      const name = `du_dashboard_${crypto.randomUUID()}`
      await db
        .insertInto('sandbox_gateway.disputes')
        .values({
          ref: name,
          payment_ref: ref,
          amount_pence: amount,
          withdrawn_pence: amount,
          fee_pence: feePence,
          state: 'open',
        })
        .execute()
      return name
    },

    async closeDispute(name: string, state: 'won' | 'lost'): Promise<void> {
      await db
        .updateTable('sandbox_gateway.disputes')
        .set({ state, ...(state === 'won' ? { withdrawn_pence: 0 } : {}) })
        .where('ref', '=', name)
        .where('state', '=', 'open')
        .execute()
    },

    /** What the gateway holds of everything: captured, less refunds, disputes and their fees. Pence. */
    async balance(): Promise<number> {
      const { rows } = await sql<{ pence: number }>`
        select (coalesce((select sum(amount_pence - refunded_pence) from sandbox_gateway.payments
            where state = 'captured'), 0)
          - coalesce((select sum(withdrawn_pence + fee_pence) from sandbox_gateway.disputes), 0))::int as pence`.execute(
        db,
      )
      return rows[0]?.pence ?? 0
    },
  }
}
