import type { Lookups } from '../../contributions/lookups.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { attempt } from '../../jobs/attempt.ts'
import { postLedger } from './ledger.store.ts'
import { chargedDisputeEntries, disputeCharge } from './reconciliation.rules.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { lockIntent } from './payments.store.ts'
import * as store from './reconciliation.store.ts'

type Session = { practitionerId: number; isCalledOff: boolean }

/**
 * Takes lost disputes off what practitioners are owed, of a payment or of those of an appointment, as far as the ledger has
 * not done so: disputes that an admin has charged them with, and all that are decided where the session does not take
 * place, since the client has the money, as by a refund. At most what is still owed of a payment. The caller holds the locks
 * of the payments. Returns how much, in pence.
 */
export async function chargeDisputes(
  tx: Tx,
  which: { appointmentId: string } | { intentId: string },
  sessionOf: (tx: Tx, appointmentId: string) => Promise<Session>,
  now: Date,
): Promise<number> {
  let pence = 0
  for (const source of await store.listChargeSources(tx, which)) {
    const entries = await entriesOf(tx, source, await sessionOf(tx, source.appointment_id))
    if (entries.length > 0) await postLedger(tx, 'dispute_charged', source.source_id, now, entries)
    for (const entry of entries) if (entry.account === 'practitioner_payable') pence += entry.amount_pence
  }
  return pence
}

/** Whether decided disputes of a payment are taken off what its practitioner is owed. */
export async function isChargedWithDisputes(
  tx: Tx,
  intent: { id: string; appointment_id: string },
  sessionOf: (tx: Tx, appointmentId: string) => Promise<Session>,
): Promise<boolean> {
  const bearers = await store.listBearers(tx, intent.id)
  if (bearers.length === 0) return false
  return bearers.includes('practitioner') || (await sessionOf(tx, intent.appointment_id)).isCalledOff
}

/** The entries of a charge; none if nothing is left to take off. */
async function entriesOf(
  db: Db,
  { payment_intent_id: intentId, ...source }: store.ChargeSource,
  { practitionerId, isCalledOff }: Session,
) {
  if (!isCalledOff && !source.is_theirs) return []
  const amountPence = disputeCharge({
    bornePence: isCalledOff ? source.decided_pence : source.theirs_pence,
    chargedPence: (await store.sumCharged(db, [intentId])).get(intentId)?.amountPence ?? 0,
    // What has been refunded, they are not owed as it is.
    owedPence: await store.owedOfPayment(db, intentId),
    limitPence: source.limit_pence,
  })
  const discountPence = await store.discountWithoutPayment(db, intentId)
  return chargedDisputeEntries({ practitionerId, amountPence, discountPence })
}

/** Does the same for all payments that have something left to take off, as the release before leaves it. Locks no others. */
export async function chargeAllDisputes({
  db,
  clock,
  log,
  lookups,
}: Pick<FinishingDependencies, 'db' | 'clock' | 'log'> & {
  lookups(): Pick<Lookups, 'paidSessions'>
}): Promise<void> {
  const sources = await store.listChargeSources(db)
  const sessions = await lookups().paidSessions(
    db,
    sources.map((each) => each.appointment_id),
  )
  const handled = new Set<string>()
  for (const source of sources) {
    const { payment_intent_id: intentId, appointment_id: appointmentId } = source
    const session = sessions.get(appointmentId)
    if (!session || handled.has(intentId)) continue
    await attempt(log, 'taking a dispute off what is owed', async () => {
      if ((await entriesOf(db, source, session)).length === 0) return
      handled.add(intentId)
      await inTransaction(db, async (tx) => {
        await lockIntent(tx, intentId)
        await chargeDisputes(tx, { intentId }, async () => session, clock.now())
      })
    })
  }
}
