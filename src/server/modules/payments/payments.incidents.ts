import type { GatewayIncident } from '#contract/back-office/payments.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { fail, notFound } from '../../errors.ts'
import * as incidents from './incidents.store.ts'
import type { PaidSession } from '../../contributions/lookups.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { discountLeftOf } from './payments.captured.ts'
import { chargeDisputes } from './payments.disputes.ts'
import { createPayee } from './payments.payee.ts'
import { chargeRefundEntries, refundEntries } from './payments.rules.ts'
import { postLedger } from './ledger.store.ts'
import { lockIntent } from './payments.store.ts'
import { type IncidentDecision, incidentDecisions } from './reconciliation.rules.ts'
import * as store from './reconciliation.store.ts'

/** Above this count an admin checks the gateway rather than a list. */
const listed = 50

/** A refund that the bank sent back. `restPence`: what was paid and has not gone back, nor will. */
type FailedRefund = { paymentKey: string; ref: string; restPence: number }

/** Incidents: changes at the gateway outside the product, for an admin to decide. */
export function createIncidents({
  clock,
  random,
  events,
  lookups,
}: Pick<FinishingDependencies, 'clock' | 'random' | 'events' | 'lookups'>) {
  const { payeeOf, sessionOf } = createPayee(lookups)
  return {
    async openIncidents(db: Db): Promise<{ data: GatewayIncident[]; total: number }> {
      const rows = await incidents.listOpenIncidents(db, listed)
      return { data: await present(db, rows), total: rows[0]?.total ?? 0 }
    },

    openIncident: async (db: Db, id: string): Promise<GatewayIncident | undefined> => {
      const row = await incidents.findOpenIncident(db, id)
      return row && (await present(db, [row]))[0]
    },

    /**
     * Resolves an incident and posts its decision to the ledger. Returns the incident.
     * @throws 404; 409 `transition_refused` for a decision that is not allowed, such as during an open dispute
     */
    async resolveIncident(tx: Tx, id: string, decision: IncidentDecision): Promise<GatewayIncident> {
      const locked = await incidents.lockIncident(tx, id)
      // A refund requested at the same moment is counted, or finds what is decided here.
      const key = locked?.payment_key
      if (key && !(await lockIntent(tx, key))) await store.lockCharge(tx, key)
      const row = locked && (await incidents.findOpenIncident(tx, id))
      if (!locked) throw notFound('This entry')
      if (!row) throw fail('changed_elsewhere', 'This has been dealt with meanwhile.')
      if (!decisionsOn(row).includes(decision)) {
        throw fail(
          'transition_refused',
          row.dispute_state === 'open'
            ? 'The bank has not decided the dispute of this payment yet.'
            : 'This cannot be decided in this way.',
        )
      }
      const now = clock.now()
      if (decision === 'paid_otherwise') {
        const failed = {
          paymentKey: String(locked.payment_key),
          ref: row.subject,
          restPence: row.rest_pence ?? 0,
        }
        if (row.charge_purpose === null) await payOtherwise(tx, failed, now)
        else await payChargeOtherwise(tx, { ...failed, amountPence: row.amount_pence ?? 0 }, now)
      }
      if (decision === 'borne_by_platform' || decision === 'borne_by_practitioner') {
        const dispute = await store.lockLostDispute(tx, row.gateway, row.subject)
        if (!dispute) throw fail('transition_refused', 'This dispute is not lost.')
        await store.decideDispute(
          tx,
          dispute.id,
          decision === 'borne_by_practitioner' ? 'practitioner' : 'platform',
        )
        const { payment_intent_id: intentId, appointment_id: appointmentId } = dispute
        if (intentId !== null && appointmentId !== null) {
          const amountPence = await chargeDisputes(tx, { intentId }, sessionOf, now)
          if (decision === 'borne_by_practitioner' && amountPence > 0) {
            const { practitionerId, startsAt } = await sessionOf(tx, appointmentId)
            await events.announce(tx, 'dispute.charged', { practitionerId, amountPence, startsAt })
          }
        }
      }
      await incidents.resolveIncident(tx, { id }, decision, now)
      const [incident] = await present(tx, [row])
      if (!incident) throw notFound('This entry')
      return incident
    },
  }

  /** Books the part of a session's failed refund that went to the client by bank transfer. @throws 409 `transition_refused` */
  async function payOtherwise(
    tx: Tx,
    { paymentKey, ref, restPence }: FailedRefund,
    now: Date,
  ): Promise<void> {
    const refund = await store.findFailedRefund(tx, paymentKey, ref)
    if (!refund) throw hasNotFailed()
    const { payment_intent_id: intentId } = refund
    const discountPence = await discountLeftOf(tx, refund)
    // The rest of it has gone back in another way since.
    const amountPence = Math.min(refund.amount_pence, restPence)
    await store.moveRefund(tx, refund.id, 'failed', 'paid_otherwise', {
      amount_pence: amountPence,
      discount_pence: discountPence,
    })
    const movement = {
      practitionerId: await payeeOf(tx, refund.appointment_id),
      amountPence,
      discountPence,
    }
    await postLedger(tx, 'refund_paid_otherwise', refund.id, now, refundEntries(movement))
    await chargeDisputes(tx, { intentId }, sessionOf, now)
  }

  /** As `payOtherwise`, for what a practitioner paid the platform. */
  async function payChargeOtherwise(
    tx: Tx,
    { paymentKey, ref, restPence, amountPence: failedPence }: FailedRefund & { amountPence: number },
    now: Date,
  ): Promise<void> {
    const charge = await store.lockCharge(tx, paymentKey)
    const amountPence = Math.min(failedPence, restPence)
    const refundId =
      charge &&
      (await incidents.payChargeRefundOtherwise(tx, {
        id: random.uuid(now),
        charge_id: charge.id,
        gateway_ref: ref,
        amount_pence: amountPence,
        created_at: now,
      }))
    if (!charge || refundId === undefined) throw hasNotFailed()
    const entries = chargeRefundEntries(charge.purpose, amountPence)
    await postLedger(tx, 'charge_refund_paid_otherwise', refundId, now, entries)
  }

  async function present(db: Db, rows: incidents.IncidentRow[]): Promise<GatewayIncident[]> {
    const ids = rows.flatMap(({ session_id }) => session_id ?? [])
    const sessions = await lookups().paidSessions(db, ids)
    return rows.map((row) => toIncident(row, sessions.get(row.session_id ?? '')))
  }
}

const hasNotFailed = () => fail('transition_refused', 'This refund has not failed.')

function decisionsOn(row: incidents.IncidentRow): IncidentDecision[] {
  const dispute = row.dispute_state && { state: row.dispute_state, isOfSession: row.session_id !== null }
  // A charge's money is the platform's own, so its dispute posts nothing.
  const isOwed = row.amount_pence !== null && (row.rest_pence ?? 0) > 0
  const isKnown = row.kind === 'refund_failed' ? isOwed : row.is_known
  return incidentDecisions({ kind: row.kind, isResolved: false, isKnown, dispute: dispute ?? undefined })
}

function toIncident(row: incidents.IncidentRow, session: PaidSession | undefined): GatewayIncident {
  const payer = session?.client ?? {
    firstName: row.payer_first_name ?? '',
    lastName: row.payer_last_name ?? '',
    email: row.payer_email,
  }
  const name = `${payer.firstName} ${payer.lastName}`.trim()
  return {
    incident_id: row.id,
    kind: row.kind,
    reference: row.subject,
    amount: row.amount_pence === null ? null : row.amount_pence / 100,
    at: row.noted_at.toISOString(),
    session_id: row.session_id,
    session_starts_at: session?.startsAt?.toISOString() ?? null,
    practitioner_id: session?.practitionerId ?? null,
    payer: row.is_known ? { full_name: name || 'A former client', email: payer.email } : null,
    paid_for:
      row.session_id !== null
        ? 'session'
        : row.charge_purpose === 'subscription' || row.charge_purpose === 'video_production'
          ? row.charge_purpose
          : null,
    dispute: row.dispute_state,
    decisions: decisionsOn(row),
  }
}
