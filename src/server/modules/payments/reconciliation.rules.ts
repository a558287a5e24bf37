import type { GatewayDispute, GatewayRefund } from '../../integrations/payment-gateway/port.ts'
import type { Entry } from './payments.rules.ts'

/** Rules for booking refunds and disputes that the product did not begin or end. */

export type RefundState = 'requested' | 'succeeded' | 'failed' | 'withdrawn' | 'paid_otherwise'

/** The life of a refund. A refund made at the gateway starts as `succeeded`. */
export const refundLife: Record<RefundState, readonly RefundState[]> = {
  requested: ['succeeded', 'failed', 'withdrawn'],
  succeeded: ['failed'],
  failed: ['paid_otherwise'],
  // It left although an older reading spoke against it.
  withdrawn: ['succeeded'],
  paid_otherwise: [],
}

export type DisputeState = 'open' | 'won' | 'lost'

/** The life of a dispute. An admin handles an appeal after its end. */
export const disputeLife: Record<DisputeState, readonly DisputeState[]> = {
  open: ['won', 'lost'],
  won: [],
  lost: [],
}

/** Pence. `discountPence` is the platform's share that is no longer owed. */
export type OwnRefund = {
  id: string
  amountPence: number
  discountPence: number
  state: RefundState
  gatewayRef: string | null
}

export type RefundStep =
  | { step: 'book'; ref: string; amountPence: number; discountPence: number }
  | { step: 'fail'; refund: OwnRefund; ref: string }
  | { step: 'sent'; refund: OwnRefund; ref: string; amountPence: number }
  | { step: 'reduce'; refund: OwnRefund; amountPence: number }
  | { step: 'withdraw'; refund: OwnRefund }

type Payment = { amountPence: number; discountPence: number }

/**
 * The steps that follow from the gateway's refunds of a captured payment. A refund made there is booked. A refund that
 * failed there fails here. One that left before it was reduced or withdrawn here is booked as it left. Requested refunds
 * are reduced to the rest of the payment, newest first. `lost.pence` went to the client by lost disputes; `lost.isCharged`:
 * they are taken off what is owed, as refunds are. A refund that the gateway does not list changes nothing, because the
 * reading may be older than the ledger.
 */
export function refundSteps(
  payment: Payment,
  own: readonly OwnRefund[],
  found: readonly GatewayRefund[],
  lost = { pence: 0, isCharged: false },
): RefundStep[] {
  const ofRefund = (each: GatewayRefund) =>
    own.find((refund) => refund.gatewayRef === each.ref || refund.id === each.key)
  const steps: RefundStep[] = []
  for (const each of found) {
    const refund = ofRefund(each)
    const mayFail = refund && refundLife[refund.state].includes('failed')
    if (each.state === 'failed' && refund && mayFail) steps.push({ step: 'fail', refund, ref: each.ref })
  }
  const hasFailed = (refund: OwnRefund) =>
    steps.some((each) => each.step === 'fail' && each.refund === refund)
  const made = found.filter((each) => each.state !== 'failed')
  const booked = own.filter((refund) => refund.state === 'succeeded' && !hasFailed(refund))
  const atGateway =
    sum(made.map((each) => each.amountPence)) +
    sum(
      booked
        .filter((refund) => !made.some((each) => ofRefund(each) === refund))
        .map((refund) => refund.amountPence),
    )
  const asked = own.filter(
    (refund) =>
      refund.state === 'requested' && !hasFailed(refund) && !made.some((each) => ofRefund(each) === refund),
  )
  const sent = made.flatMap((each) => {
    const refund = ofRefund(each)
    const isOther = refund?.state === 'requested' && refund.amountPence !== each.amountPence
    if (!refund || !(isOther || refund.state === 'withdrawn')) return []
    return [{ step: 'sent' as const, refund, ref: each.ref, amountPence: each.amountPence }]
  })
  steps.push(...sent)
  let excess = sum(asked.map((each) => each.amountPence)) + atGateway + lost.pence - payment.amountPence
  const kept: OwnRefund[] = [
    ...booked,
    ...own.filter((refund) => refund.state === 'paid_otherwise'),
    ...own.filter(
      (each) =>
        each.state === 'requested' &&
        !asked.includes(each) &&
        !hasFailed(each) &&
        !sent.some(({ refund }) => refund === each),
    ),
    ...sent.map(({ refund, amountPence }) => ({ ...refund, amountPence })),
  ]
  for (const refund of asked.toReversed()) {
    if (excess <= 0) kept.push(refund)
    else if (excess >= refund.amountPence) steps.push({ step: 'withdraw', refund })
    else {
      steps.push({ step: 'reduce', refund, amountPence: refund.amountPence - excess })
      kept.push({ ...refund, amountPence: refund.amountPence - excess })
    }
    excess -= refund.amountPence
  }
  const fresh = made.filter((each) => !ofRefund(each))
  const backPence = sum([...kept, ...fresh].map((each) => each.amountPence))
  const isAllBack =
    backPence === payment.amountPence || (lost.isCharged && backPence + lost.pence >= payment.amountPence)
  for (const [index, each] of fresh.entries()) {
    // The refund of the last penny includes the discount that the platform paid.
    const isLast = isAllBack && index === fresh.length - 1
    const discountPence = isLast ? payment.discountPence - sum(kept.map((refund) => refund.discountPence)) : 0
    steps.push({ step: 'book', ref: each.ref, amountPence: each.amountPence, discountPence })
  }
  return steps
}

export type OwnDispute = {
  state: DisputeState
  withdrawnPence: number
  isReinstated: boolean
  /** The gateway's fees for the dispute in the ledger. */
  feePence: number
  isFeeReturned: boolean
}

export type DisputeMovement = 'dispute_withdrawn' | 'dispute_reinstated' | 'dispute_lost'

/**
 * The new state of a dispute, and its movements in the ledger. No state goes back, because the reading may be older
 * than the ledger. `isContradicted`: the gateway has changed the dispute after its end, as after an appeal.
 */
export function followDispute(
  own: OwnDispute,
  found: Pick<GatewayDispute, 'state' | 'withdrawnPence' | 'feePence'>,
): { after: OwnDispute; movements: DisputeMovement[]; feeChangePence: number; isContradicted: boolean } {
  const state = disputeLife[own.state].includes(found.state) ? found.state : own.state
  const movements: DisputeMovement[] = []
  let { withdrawnPence, isReinstated } = own
  if (withdrawnPence === 0 && found.withdrawnPence > 0 && state !== 'won') {
    withdrawnPence = found.withdrawnPence
    movements.push('dispute_withdrawn')
  }
  if (state === 'won' && withdrawnPence > 0 && found.withdrawnPence === 0 && !isReinstated) {
    isReinstated = true
    movements.push('dispute_reinstated')
  }
  if (state === 'lost' && withdrawnPence > 0 && (own.state !== 'lost' || own.withdrawnPence === 0))
    movements.push('dispute_lost')
  const isContradicted = own.state === 'lost' && found.state === 'won'
  let { feePence, isFeeReturned } = own
  if (!isFeeReturned && found.feePence > feePence) feePence = found.feePence
  // A sum below the booked one is an older reading, unless the bank has decided for the platform.
  else if (!isFeeReturned && found.feePence < feePence && state === 'won' && found.state === 'won') {
    feePence = found.feePence
    isFeeReturned = true
  }
  const after = { state, withdrawnPence, isReinstated, feePence, isFeeReturned }
  return { after, movements, feeChangePence: feePence - own.feePence, isContradicted }
}

/** Whether refunds of a payment need not wait for a dispute: an open inquiry, for which nothing was ever withdrawn. */
export const isRefundableIn = (after: OwnDispute, found: Pick<GatewayDispute, 'isRefundable'>): boolean =>
  after.state === 'open' && after.withdrawnPence === 0 && found.isRefundable

/** The sum that the gateway withdraws from the platform's balance for a dispute, returns, or keeps. */
export function disputeEntries(movement: DisputeMovement, amountPence: number): Entry[] {
  const pairs = {
    dispute_withdrawn: ['disputed_funds', 'gateway_balance'],
    dispute_reinstated: ['gateway_balance', 'disputed_funds'],
    dispute_lost: ['dispute_losses', 'disputed_funds'],
  } as const
  const [debit, credit] = pairs[movement]
  return [
    { account: debit, practitioner_id: null, amount_pence: amountPence },
    { account: credit, practitioner_id: null, amount_pence: -amountPence },
  ]
}

/** The gateway's fee for a dispute; negative if returned. The platform bears it. */
export function disputeFeeEntries(changePence: number): Entry[] {
  return [
    { account: 'dispute_fees', practitioner_id: null, amount_pence: changePence },
    { account: 'gateway_balance', practitioner_id: null, amount_pence: -changePence },
  ]
}

/**
 * How much of the lost disputes of a payment is taken off what its practitioner is owed: what they bear and was not taken off
 * before, at most what is still owed of the payment. Pence. `limitPence`: the sum of the dispute in question.
 */
export function disputeCharge({
  bornePence,
  chargedPence,
  owedPence,
  limitPence,
}: {
  bornePence: number
  chargedPence: number
  owedPence: number
  limitPence: number | null
}): number {
  return Math.max(0, Math.min(bornePence - chargedPence, owedPence, limitPence ?? owedPence))
}

/**
 * A lost dispute borne by its practitioner, or of a session that does not take place: the session is no longer owed to
 * them, nor is the platform's discount.
 */
export function chargedDisputeEntries({
  practitionerId,
  amountPence,
  discountPence,
}: {
  practitionerId: number
  amountPence: number
  discountPence: number
}): Entry[] {
  return [
    {
      account: 'practitioner_payable' as const,
      practitioner_id: practitionerId,
      amount_pence: amountPence + discountPence,
    },
    { account: 'dispute_losses' as const, practitioner_id: null, amount_pence: -amountPence },
    { account: 'referral_discounts' as const, practitioner_id: null, amount_pence: -discountPence },
  ].filter((entry) => entry.amount_pence !== 0)
}

export type IncidentKind = 'refund' | 'capture' | 'release' | 'refund_failed' | 'dispute' | 'mismatch'
export type IncidentDecision = 'noted' | 'paid_otherwise' | 'borne_by_platform' | 'borne_by_practitioner'

/**
 * The decisions that an admin may make about an incident. The bank decides an open dispute of a session first: a lost
 * one returns the money of a failed refund too. The platform bears a dispute of a payment that is owed to no practitioner.
 */
export function incidentDecisions(incident: {
  kind: IncidentKind
  isResolved: boolean
  /** Of the payment. Absent for a dispute that was not read at the gateway, or whose payment is unknown here. */
  dispute?: { state: DisputeState; isOfSession: boolean } | undefined
  isKnown: boolean
}): IncidentDecision[] {
  const { kind, isResolved, dispute, isKnown } = incident
  if (isResolved) return []
  if (kind === 'refund_failed' && dispute?.state === 'open') return []
  if (kind === 'refund_failed') return isKnown ? ['noted', 'paid_otherwise'] : ['noted']
  if (kind !== 'dispute' || !isKnown) return ['noted']
  if (dispute?.state !== 'lost') return []
  return dispute.isOfSession ? ['borne_by_platform', 'borne_by_practitioner'] : ['borne_by_platform']
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, each) => total + each, 0)
}
