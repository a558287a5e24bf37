import { setTimeout as sleep } from 'node:timers/promises'
import { later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, type ProductError } from '../../errors.ts'
import { attempt } from '../../jobs/attempt.ts'
import { gatewayFaultOf, type GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import { isResumed } from '../../resumption.ts'
import * as store from './charges.store.ts'
import { noteFailure, setGatewayRef } from './gateway-payments.store.ts'
import { paymentsFinishChargeJob } from './payments.jobs.ts'
import type { Declines } from './payments.declines.ts'
import { afterCaller, orUnavailable, patiently, waitUntilDeadline } from './payments.patience.ts'
import type { Reconciliation } from './payments.reconciliation.ts'
import { chargeEntries, declineMessages, statesNoted } from './payments.rules.ts'
import type { FinishingDependencies } from './payments.deps.ts'
import { cutOff, isBeingAsked, onItsWay, reportFailure, underWay } from './payments.finishing.ts'
import { postLedger } from './ledger.store.ts'

type Dependencies = FinishingDependencies & { reconciliation: Reconciliation; declines: Declines }

export type Charge = store.ChargeRow

/** A payment that an account owes the platform. Pence. */
export type WantedCharge = {
  accountId: string
  methodId: string
  purpose: Charge['purpose']
  /** Identifies the one item that is paid for. An item is paid at most once. */
  subject: string
  amountPence: number
  /** Whether the account holder is present, so that the bank can ask them to authenticate. */
  onSession: boolean
}

/** A new charge, or the same one found under way. */
export type BegunCharge = { chargeId: string; fresh: boolean }

/**
 * Payments from accounts to the platform itself. As with payment intents, a charge is stored before the gateway call,
 * and its id is the gateway's idempotency key. The caller captures it in the same transaction that stores the
 * purchase. A job finishes or voids charges after a crash.
 */
export function createCharges(deps: Dependencies) {
  const { db, clock, random, queue, events, gateway, log, checkpoint, reconciliation, declines } = deps

  return {
    /**
     * Inserts a charge, or finds the live one for the same subject. An uncaptured charge with another card or amount
     * is voided. The caller must hold a lock against concurrent calls for the subject, and then calls
     * `authoriseCharge`.
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
     * Authorises the charge at the gateway, or waits for a concurrent authorisation. Returns the charge in
     * `authorised`, `declined`, `requires_action` or a later state.
     * @throws 429 after too many declines, 503 when the gateway cannot be reached
     */
    async authoriseCharge({ chargeId, fresh }: BegunCharge): Promise<Charge> {
      const charge = await read(chargeId)
      if (!fresh) return waitFor(charge)
      if (!charge.on_session) return askGateway(charge)
      return declines.ask(charge.account_id, {
        ask: () => askGateway(charge),
        release: () => inTransaction(db, (tx) => releaseCharge(tx, chargeId)),
      })
    },

    /** Continues after extra authentication. @throws 503 */
    async confirmCharge(chargeId: string): Promise<Charge> {
      const charge = await read(chargeId)
      if (charge.state === 'requires_action' && charge.gateway_ref) {
        const found = await orUnavailable(gateway.confirm(charge.gateway_ref))
        if (found.state === 'authorised' || found.state === 'declined') {
          const isNews = await store.moveCharge(db, charge.id, 'requires_action', found.state, clock.now(), {
            decline_code: found.declineCode,
          })
          if (isNews && found.state === 'declined') await declines.count(charge)
        }
      }
      return read(chargeId)
    },

    /**
     * Begins the capture. The caller calls `finishChargeSoon` after the commit; a job does it after a crash. Returns
     * false unless the charge is authorised.
     */
    async takeCharge(tx: Tx, chargeId: string): Promise<boolean> {
      if (!(await store.moveCharge(tx, chargeId, 'authorised', 'capturing', clock.now()))) return false
      await enqueueFinish(tx, chargeId)
      return true
    },

    releaseCharge,
    readCharge: read,
    finishCharge: finish,

    /** Finishes a charge after the commit. Jobs retry failures. */
    async finishChargeSoon(chargeId: string): Promise<void> {
      await waitUntilDeadline(tryFinishing(chargeId))
    },

    tryFinishingCharge: tryFinishing,

    /** Voids a charge that was abandoned on the page. Returns whether it succeeded. */
    async tryVoidingCharge(id: string): Promise<boolean> {
      let isVoided = false
      await attempt(log, 'letting a charge go', async () => {
        await inTransaction(db, (tx) => releaseCharge(tx, id))
        isVoided = await tryFinishing(id)
      })
      return isVoided
    },
  }

  async function read(id: string): Promise<Charge> {
    const charge = await store.findCharge(db, id)
    if (!charge) throw new Error('A charge has gone.')
    return charge
  }

  async function enqueueFinish(tx: Tx, id: string): Promise<void> {
    await queue.enqueue(tx, paymentsFinishChargeJob, { charge_id: id }, afterCaller())
  }

  /** Begins to void an uncaptured charge. The gateway call follows after the commit; a job makes it at the latest. */
  async function releaseCharge(tx: Tx, chargeId: string): Promise<void> {
    if (await store.releaseCharge(tx, chargeId, clock.now())) await enqueueFinish(tx, chargeId)
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
        await noteFailure(db, 'platform_charges', charge.id, fault, clock.now())
        log.warn({ err: fault, id: charge.id }, 'A charge could not be authorised.')
        throw error
      })
      .then(async (found) => {
        await checkpoint('charge authorised at the gateway')
        await note(charge, found)
      })
    await orUnavailable(call)
    return read(charge.id)
  }

  async function waitFor(charge: Charge): Promise<Charge> {
    let now = charge
    for (let tries = 0; tries < 100; tries++) {
      if (now.state !== 'authorising') return now
      // The earlier call failed or its process ended, so this one calls the gateway again with the same idempotency
      // key.
      const isLeft = isResumed() || now.attempts > 0 || now.updated_at <= later(clock.now(), -cutOff)
      if (isLeft) return askGateway(now)
      await sleep(50)
      now = await read(charge.id)
    }
    throw fail('request_in_progress', 'Your payment is still going through.', { retryAfter: 2 })
  }

  /** Stores the gateway's result of an authorisation. */
  async function note(charge: Charge, found: GatewayPayment): Promise<void> {
    const to = statesNoted[found.state]
    const noted = await store.moveCharge(db, charge.id, 'authorising', to, clock.now(), {
      gateway_ref: found.ref,
      decline_code: found.declineCode,
      client_secret: found.clientSecret,
    })
    if (noted) return to === 'voiding' ? finish(charge.id) : undefined
    // The charge was voided during the gateway call, so its authorisation must be voided too.
    await store.moveCharge(db, charge.id, 'voided', 'voiding', clock.now())
    const now = await read(charge.id)
    if (now.state !== 'voiding') return
    await setGatewayRef(db, 'platform_charges', charge.id, found.ref)
    await finish(charge.id)
  }

  /** Counts a failure, also one to finish within `cutOff`. Returns whether it succeeded. */
  async function tryFinishing(id: string): Promise<boolean> {
    try {
      await patiently(finish(id), cutOff)
      return true
    } catch (error) {
      const attempts = await noteFailure(db, 'platform_charges', id, gatewayFaultOf(error), clock.now())
      reportFailure(log, error, 'A charge could not be finished and is left to the queue.', { id, attempts })
      return false
    }
  }

  /** Finishes a charge whose gateway call is due or was cut off. */
  async function finish(id: string): Promise<void> {
    const charge = await read(id)
    if (charge.state === 'authorising') await finishCutOff(charge)
    else if (charge.state === 'voiding') await finishVoiding(charge)
    else if (charge.state === 'capturing') await finishCapturing(charge)
  }

  async function finishCutOff(charge: Charge): Promise<void> {
    if (charge.updated_at > later(clock.now(), -cutOff)) return
    const found = await gateway.findByKey(charge.id)
    // A renewal continues with the gateway's result. An on-session charge is voided, because its page has gone.
    if (found && !charge.on_session) return note(charge, found)
    if (await store.moveCharge(db, charge.id, 'authorising', 'voiding', clock.now())) await finish(charge.id)
  }

  async function finishVoiding(charge: Charge): Promise<void> {
    const ref = charge.gateway_ref ?? (await gateway.findByKey(charge.id))?.ref
    // The first call may still reach the gateway.
    if (!ref && charge.updated_at > later(clock.now(), -onItsWay)) return
    const wasDeclined = await declines.isDeclined(charge)
    if (ref) {
      try {
        await gateway.void(ref)
      } catch (error) {
        if (!(await giveBack(charge, ref, error))) return
      }
    }
    const patch = ref ? { gateway_ref: ref } : {}
    const isNews = await store.moveCharge(db, charge.id, 'voiding', 'voided', clock.now(), patch)
    if (isNews && wasDeclined) await declines.count(charge)
  }

  /**
   * Books and refunds a voided charge that was captured outside the product. Returns false while the refund cannot leave, as
   * the gateway's balance is too small. @throws the given error if it was not captured
   */
  async function giveBack(charge: Charge, ref: string, error: unknown): Promise<boolean> {
    const found = await gateway.inspect(charge.id)
    if (found?.state !== 'captured') throw error
    // Before the refund, so that the capture is in the ledger and an incident while the refund fails.
    await reconciliation.takeOverCharge(charge.id, found, { capture: true })
    const asked = found.refunds.find(({ key }) => key === charge.id)
    const amountPence = asked?.amountPence ?? found.amountPence - found.refundedPence
    if (amountPence > 0 && asked?.state !== 'failed') {
      const made = await gateway.refund({ key: charge.id, ref, amountPence })
      if (made.awaitsFunds) return false
    }
    const after = await gateway.inspect(charge.id)
    if (after) await reconciliation.takeOverCharge(charge.id, after)
    return true
  }

  async function finishCapturing(charge: Charge): Promise<void> {
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

/** The error for a charge that failed; undefined if it succeeded or still may. */
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
    return fail('not_payable', 'This payment was stopped, and none of it is kept. Please try again.')
  }
  return undefined
}
