import type { Db } from '../../db/connection.ts'

/** What the adapter remembers: which customer stands for an account, and which payment intent for a key. */
export function stripeBooks(db: Db) {
  return {
    async customerOf(owner: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('stripe_gateway.customers')
        .select('ref')
        .where('owner', '=', owner)
        .executeTakeFirst()
      return row?.ref
    },

    /** Inserts a customer. Returns the stored one, which a concurrent call may have inserted first. */
    async keepCustomer(owner: string, ref: string, now: Date): Promise<string> {
      const row = await db
        .insertInto('stripe_gateway.customers')
        .values({ owner, ref, created_at: now })
        // Returns the existing row.
        .onConflict((conflict) => conflict.column('owner').doUpdateSet({ owner }))
        .returning('ref')
        .executeTakeFirstOrThrow()
      return row.ref
    },

    /** Replaces a customer that is gone at Stripe, unless a concurrent call has. */
    async replaceCustomer(
      owner: string,
      { gone, ref, now }: { gone: string; ref: string; now: Date },
    ): Promise<void> {
      await db
        .updateTable('stripe_gateway.customers')
        .set({ ref, created_at: now })
        .where('owner', '=', owner)
        .where('ref', '=', gone)
        .execute()
    },

    async deleteCustomer(owner: string): Promise<void> {
      await db.deleteFrom('stripe_gateway.customers').where('owner', '=', owner).execute()
    },

    async paymentOf(key: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('stripe_gateway.payments')
        .select('ref')
        .where('idempotency_key', '=', key)
        .executeTakeFirst()
      return row?.ref
    },

    /** Notes a payment intent down, and answers the one that counts for the key. */
    async keepPayment(key: string, ref: string, now: Date): Promise<string> {
      const row = await db
        .insertInto('stripe_gateway.payments')
        .values({ idempotency_key: key, ref, created_at: now })
        .onConflict((conflict) => conflict.column('idempotency_key').doUpdateSet({ idempotency_key: key }))
        .returning('ref')
        .executeTakeFirstOrThrow()
      return row.ref
    },

    async keyOf(ref: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('stripe_gateway.payments')
        .select('idempotency_key')
        .where('ref', '=', ref)
        .executeTakeFirst()
      return row?.idempotency_key
    },
  }
}
