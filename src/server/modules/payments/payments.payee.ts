import type { Lookups } from '../../contributions/lookups.ts'
import type { Tx } from '../../db/connection.ts'

type Amounts = { amount_pence: number; discount_pence: number }

/** Reads whom the payment of a session is owed to, for a movement of the ledger. */
export function createPayee(lookups: () => Pick<Lookups, 'paidSessions'>) {
  return { sessionOf, payeeOf, movement }

  async function sessionOf(tx: Tx, appointmentId: string) {
    const session = (await lookups().paidSessions(tx, [appointmentId])).get(appointmentId)
    if (!session) throw new Error('The session of a payment has gone.')
    return session
  }

  async function payeeOf(tx: Tx, appointmentId: string): Promise<number> {
    return (await sessionOf(tx, appointmentId)).practitionerId
  }

  async function movement(tx: Tx, of: { appointment_id: string }, amounts: Amounts) {
    return {
      practitionerId: await payeeOf(tx, of.appointment_id),
      amountPence: amounts.amount_pence,
      discountPence: amounts.discount_pence,
    }
  }
}
