import type { Lookups } from '../../contributions/lookups.ts'
import type { Tx } from '../../db/connection.ts'
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
  for (const uncharged of await store.listUncharged(tx, which))
    pence += await charge(tx, uncharged, await sessionOf(tx, uncharged.appointment_id), now)
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

async function charge(
  tx: Tx,
  { source_id: sourceId, payment_intent_id: intentId, ...uncharged }: store.Uncharged,
  { practitionerId, isCalledOff }: Session,
  now: Date,
): Promise<number> {
  if (!isCalledOff && !uncharged.is_theirs) return 0
  const amountPence = disputeCharge({
    bornePence: isCalledOff ? uncharged.decided_pence : uncharged.theirs_pence,
    chargedPence: (await store.sumCharged(tx, [intentId])).get(intentId)?.amountPence ?? 0,
    // What has been refunded, they are not owed as it is.
    owedPence: await store.owedOfPayment(tx, intentId),
    limitPence: uncharged.limit_pence,
  })
  const discountPence = await store.discountWithoutPayment(tx, intentId)
  const entries = chargedDisputeEntries({ practitionerId, amountPence, discountPence })
  if (entries.length > 0) await postLedger(tx, 'dispute_charged', sourceId, now, entries)
  return amountPence + discountPence
}

/** Does the same for all payments of which it has not been done, as by the release before. */
export async function chargeAllDisputes({
  db,
  clock,
  log,
  lookups,
}: Pick<FinishingDependencies, 'db' | 'clock' | 'log'> & {
  lookups(): Pick<Lookups, 'paidSessions'>
}): Promise<void> {
  const uncharged = await store.listUncharged(db)
  const sessions = await lookups().paidSessions(
    db,
    uncharged.map((each) => each.appointment_id),
  )
  for (const each of uncharged) {
    const session = sessions.get(each.appointment_id)
    if (!session || !(session.isCalledOff || each.is_theirs)) continue
    await attempt(log, 'taking a dispute off what is owed', () =>
      inTransaction(db, async (tx) => {
        await lockIntent(tx, each.payment_intent_id)
        await chargeDisputes(tx, { intentId: each.payment_intent_id }, async () => session, clock.now())
      }),
    )
  }
}
