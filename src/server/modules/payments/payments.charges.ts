import { setTimeout as sleep } from 'node:timers/promises'
import { hours, later, seconds } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { errorName, fail, type ProductError } from '../../errors.ts'
import { gatewayFaultOf, type GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import { isResumed } from '../../resumption.ts'
import * as store from './charges.store.ts'
import { unavailable } from './payments.cards.ts'
import { paymentsSettleChargeJob } from './payments.jobs.ts'
import { declinedPaymentsOfClient } from './payments.limits.ts'
import { GatewayTimeout, patiently } from './payments.patience.ts'
import type { Reconciliation } from './payments.reconciliation.ts'
import { chargeEntries, declineMessages, statesNoted } from './payments.rules.ts'
import {
  cutOff,
  isBeingAsked,
  onItsWay,
  type SettlementDependencies,
  underWay,
} from './payments.settlement.ts'
import { postLedger } from './payments.store.ts'

type Dependencies = SettlementDependencies & Pick<Deps, 'limits'> & { reconciliation: Reconciliation }

export type Charge = store.ChargeRow

/** Something that an account is to pay the platform for. Pence. */
export type WantedCharge = {
  accountId: string
  methodId: string
  purpose: store.NewCharge['purpose']
  /** Names the one thing that is paid for: it is never paid for twice. */
  subject: string
  amountPence: number
  /** Whether the person is there, so that their bank can ask them. */
  onSession: boolean
}

/** A charge that was begun, or found under way. */
export type BegunCharge = { chargeId: string; fresh: boolean }

/** Somebody who left in the middle gets their money back after this long, or, with their bank's question open, that. */
const leftAuthorised = seconds(35)
const leftAsked = hours(1)
/** So many failures in a row are worth somebody's look. */
const alarming = 10

/**
 * What accounts pay the platform itself. As with payment intents, a charge is written down before the gateway hears of
 * it, with its id as the gateway's idempotency key; whoever began it confirms it in a transaction of their own, with
 * what is paid for, and takes it; a job finishes or undoes what a crash left.
 */
export function createCharges(deps: Dependencies) {
  const { db, clock, random, queue, events, limits, gateway, log, checkpoint, reconciliation } = deps

  return {
    /**
     * Notes down a charge, or finds the one that pays for the same already. One with another card or amount that is not
     * taken yet is let go of. Whoever calls this keeps others from beginning the same. Then call `authoriseCharge`.
     */
    async beginCharge(tx: Tx, wanted: WantedCharge): Promise<BegunCharge> {
      const live = await store.lockChargeFor(tx, wanted.subject)
      const same =
        live &&
        (live.state === 'capturing' ||
          live.state === 'captured' ||
          (live.payment_method_id === wanted.methodId && live.amount_pence === wanted.amountPence))
      if (same) return { chargeId: live.id, fresh: false }
      if (live && isBeingAsked(live, clock.now())) throw underWay()
      if (live) await releaseCharge(tx, live.id)
      const now = clock.now()
      const chargeId = random.uuid(now)
      await store.insertCharge(tx, {
        id: chargeId,
        account_id: wanted.accountId,
        payment_method_id: wanted.methodId,
        gateway: gateway.name,
        purpose: wanted.purpose,
        subject: wanted.subject,
        amount_pence: wanted.amountPence,
        on_session: wanted.onSession,
        created_at: now,
      })
      return { chargeId, fresh: true }
    },

    /**
     * Asks the gateway, or waits for whoever is asking. The charge as it then stands: `authorised`, `declined`,
     * `requires_action`, or past that. @throws 429 after too many declines, 503 when the gateway cannot be reached
     */
    async authoriseCharge({ chargeId, fresh }: BegunCharge): Promise<Charge> {
      const charge = await read(chargeId)
      if (!fresh) return waitFor(charge)
      if (!charge.on_session) return askGateway(charge)
      await limits.use(declinedPaymentsOfClient, charge.account_id).catch(async (error: unknown) => {
        await inTransaction(db, (tx) => releaseCharge(tx, chargeId))
        throw error
      })
      const answered = await askGateway(charge)
      if (answered.state !== 'declined') await limits.giveBack(declinedPaymentsOfClient, charge.account_id)
      return answered
    },

    /** Goes on after extra authentication. @throws 503 */
    async confirmCharge(chargeId: string): Promise<Charge> {
      const charge = await read(chargeId)
      if (charge.state === 'requires_action' && charge.gateway_ref) {
        const found = await patiently(gateway.confirm(charge.gateway_ref)).catch((error: unknown) => {
          throw unavailable(error)
        })
        if (found.state === 'authorised' || found.state === 'declined') {
          await store.moveCharge(db, charge.id, 'requires_action', found.state, clock.now(), {
            decline_code: found.declineCode,
          })
        }
      }
      return read(chargeId)
    },

    /**
     * From here the money is to be taken: call `settleChargeSoon` once the transaction is through; a job does it after a
     * crash. False unless the charge is authorised.
     */
    async takeCharge(tx: Tx, chargeId: string): Promise<boolean> {
      if (!(await store.moveCharge(tx, chargeId, 'authorised', 'capturing', clock.now()))) return false
      await enqueueSettling(tx, chargeId)
      return true
    },

    releaseCharge,
    readCharge: read,
    settleCharge: settle,

    /** Settles now what a transaction began; what fails is left to the jobs that stand behind it. */
    async settleChargeSoon(chargeId: string): Promise<void> {
      await patiently(trySettling(chargeId)).catch((error: unknown) => {
        if (!(error instanceof GatewayTimeout)) throw error
      })
    },

    /** Finishes or undoes what a crash left behind, and lets go of what somebody left on a page. */
    async recoverCharges(): Promise<void> {
      const now = clock.now()
      const since = { authorised: later(now, -leftAuthorised), asked: later(now, -leftAsked) }
      for (const { id } of await store.listLeftCharges(db, since, 100))
        await inTransaction(db, (tx) => releaseCharge(tx, id)).then(() => trySettling(id))
      for (const { id } of await store.listUnsettledCharges(db, later(now, -cutOff), 100))
        await trySettling(id)
    },
  }

  async function read(id: string): Promise<Charge> {
    const charge = await store.findCharge(db, id)
    if (!charge) throw new Error('A charge has gone.')
    return charge
  }

  async function enqueueSettling(tx: Tx, id: string): Promise<void> {
    const startAfter = later(new Date(), seconds(10))
    await queue.enqueue(tx, paymentsSettleChargeJob, { charge_id: id }, { startAfter })
  }

  /** Lets go of a charge that has not been taken yet; the gateway hears of it after the transaction, by a job at last. */
  async function releaseCharge(tx: Tx, chargeId: string): Promise<void> {
    if (await store.releaseCharge(tx, chargeId, clock.now())) await enqueueSettling(tx, chargeId)
  }

  async function askGateway(charge: Charge): Promise<Charge> {
    const token = charge.method_ref
    if (token === null) throw new Error('A charge is to be authorised on a card that is gone.')
    await checkpoint('charge noted')
    const call = gateway
      .authorise({
        key: charge.id,
        token,
        owner: charge.account_id,
        amountPence: charge.amount_pence,
        isPresent: charge.on_session,
      })
      .catch(async (error: unknown) => {
        const fault = gatewayFaultOf(error)
        await store.noteChargeFailure(db, charge.id, fault, clock.now())
        log.warn({ err: fault, id: charge.id }, 'A charge could not be authorised.')
        throw error
      })
      .then(async (found) => {
        await checkpoint('charge authorised at the gateway')
        await note(charge, found)
      })
    await patiently(call).catch((error: unknown) => {
      throw unavailable(error)
    })
    return read(charge.id)
  }

  async function waitFor(charge: Charge): Promise<Charge> {
    let now = charge
    for (let tries = 0; tries < 100; tries++) {
      if (now.state !== 'authorising') return now
      // Nobody is asking any more, or whoever did had no answer: the same key asks for the same once more.
      const isLeft = isResumed() || now.attempts > 0 || now.updated_at <= later(clock.now(), -cutOff)
      if (isLeft) return askGateway(now)
      await sleep(50)
      now = await read(charge.id)
    }
    throw fail('request_in_progress', 'Your payment is still being carried out.', { retryAfter: 2 })
  }

  /** Writes down what the gateway made of an authorisation. */
  async function note(charge: Charge, found: GatewayPayment): Promise<void> {
    const to = statesNoted[found.state]
    const noted = await store.moveCharge(db, charge.id, 'authorising', to, clock.now(), {
      gateway_ref: found.ref,
      decline_code: found.declineCode,
      client_secret: found.clientSecret,
    })
    if (noted) return to === 'voiding' ? settle(charge.id) : undefined
    // It was let go of while the gateway was thinking: nothing may stay on the card.
    await store.moveCharge(db, charge.id, 'voided', 'voiding', clock.now())
    const now = await read(charge.id)
    if (now.state !== 'voiding') return
    await store.setChargeRef(db, charge.id, found.ref)
    await settle(charge.id)
  }

  async function trySettling(id: string): Promise<void> {
    try {
      await settle(id)
    } catch (error) {
      const fault = gatewayFaultOf(error)
      const attempts = await store.noteChargeFailure(db, id, fault, clock.now())
      const details = { err: { name: errorName(error), ...fault }, id, attempts }
      const words = 'A charge could not be settled and is left to the queue.'
      if (attempts >= alarming) log.error(details, words)
      else log.warn(details, words)
    }
  }

  /** Brings a charge whose gateway call is due or was cut off to rest. */
  async function settle(id: string): Promise<void> {
    const charge = await read(id)
    if (charge.state === 'authorising') await settleCutOff(charge)
    else if (charge.state === 'voiding') await settleVoiding(charge)
    else if (charge.state === 'capturing') await settleCapturing(charge)
  }

  async function settleCutOff(charge: Charge): Promise<void> {
    if (charge.updated_at > later(clock.now(), -cutOff)) return
    const found = await gateway.findByKey(charge.id)
    // Nobody waits for it on a page any more; a renewal goes on with what the gateway has made of it.
    if (found && !charge.on_session) return note(charge, found)
    if (await store.moveCharge(db, charge.id, 'authorising', 'voiding', clock.now())) await settle(charge.id)
  }

  async function settleVoiding(charge: Charge): Promise<void> {
    const ref = charge.gateway_ref ?? (await gateway.findByKey(charge.id))?.ref
    // A call that is still on its way may reach the gateway yet.
    if (!ref && charge.updated_at > later(clock.now(), -onItsWay)) return
    if (ref) await gateway.void(ref).catch((error: unknown) => giveBack(charge, ref, error))
    await store.moveCharge(db, charge.id, 'voiding', 'voided', clock.now(), ref ? { gateway_ref: ref } : {})
  }

  /** Refunds a charge that other hands have captured although it was let go of. @throws the error where they have not */
  async function giveBack(charge: Charge, ref: string, error: unknown): Promise<void> {
    const found = await gateway.inspect(charge.id)
    if (found?.state !== 'captured') throw error
    const amountPence = found.amountPence - found.refundedPence
    if (amountPence > 0) await gateway.refund({ key: charge.id, ref, amountPence })
    const after = await gateway.inspect(charge.id)
    if (after) await reconciliation.takeOverCharge(charge.id, after, { capture: true })
  }

  async function settleCapturing(charge: Charge): Promise<void> {
    if (!charge.gateway_ref) throw new Error('A charge is to be captured that the gateway does not know.')
    try {
      await gateway.capture(charge.gateway_ref)
    } catch (error) {
      const found = await gateway.inspect(charge.id)
      if (found?.state !== 'voided' && found?.state !== 'declined') throw error
      return reconciliation.loseChargeCapture(charge.id, found)
    }
    await checkpoint('charge captured at the gateway')
    const { id, purpose, amount_pence: amountPence, account_id: accountId } = charge
    await inTransaction(db, async (tx) => {
      if (!(await store.moveCharge(tx, id, 'capturing', 'captured', clock.now()))) return
      await postLedger(tx, 'charge', id, clock.now(), chargeEntries(purpose, amountPence))
      await events.announce(tx, 'charge.captured', { chargeId: id, purpose, accountId, amountPence })
    })
  }
}

/** What a charge that did not go through is answered with; nothing where it did, or may. */
export function refusalOf(
  charge: Pick<Charge, 'state' | 'decline_code' | 'client_secret'>,
): ProductError | undefined {
  if (charge.state === 'requires_action') {
    return fail('authentication_required', 'Your bank wants to check that it is you.', {
      details: { client_secret: charge.client_secret },
    })
  }
  if (charge.state === 'declined') {
    const reason = (charge.decline_code ?? 'card_declined') as keyof typeof declineMessages
    return fail('card_declined', declineMessages[reason] ?? declineMessages.card_declined, {
      details: { decline_code: reason },
    })
  }
  if (charge.state === 'voiding' || charge.state === 'voided') {
    return fail('not_payable', 'This payment was stopped. Nothing was charged. Please try again.')
  }
  return undefined
}
