import { helpMinutes, type HelpRequestState } from '#contract/get-help/get-help.ts'
import type { HelpMoneyState, HelpState } from '#contract/get-help/help-dispatch.ts'
import { hours, later, minutes } from '../../clock.ts'
import { type Step, stepsOf } from '../../life.ts'

const answer = minutes(2)

export const lifetimes = {
  /** How long a practitioner is held for a client who has not paid yet. */
  claim: minutes(5),
  /** Granted once, when the bank asks the client to authenticate. */
  claimExtension: minutes(5),
  /** How long a practitioner has to answer. */
  answer,
  /** How long after the payment further practitioners are asked. */
  asking: minutes(15),
  /** How long a practitioner is kept free from the moment they are claimed: no session begins in it. */
  window: minutes(30),
  /** The same once the client has paid: no longer than answering and the session may take. */
  paidWindow: answer + minutes(helpMinutes),
  /** How long a client who comes back still sees a search that has ended. */
  shown: hours(1),
}

/** The time by which a release or refund is promised. */
export const promisedBy = (ended: Date): Date => later(ended, hours(24))

/**
 * The states of a search for help. Every change of state goes through this table. `deadline`: how long until the system goes
 * on from the new state by itself, in milliseconds.
 */
export const dispatchLife: readonly (Step<HelpState> & { deadline?: number })[] = [
  { from: 'claimed', to: 'asking', by: 'client', when: 'paid', deadline: lifetimes.answer },
  { from: 'claimed', to: 'stopped', by: 'client', when: 'at any time, or by starting another' },
  { from: 'claimed', to: 'expired', by: 'system', when: 'not paid by the deadline' },
  { from: 'claimed', to: 'nobody', by: 'system', when: 'paid, and nobody is free any more' },
  {
    from: 'claimed',
    to: 'expired',
    by: 'system',
    when: 'its practitioner is suspended, and nobody else is free',
  },
  {
    from: 'asking',
    to: 'asking',
    by: 'practitioner',
    when: 'declined, and another is free',
    deadline: lifetimes.answer,
  },
  {
    from: 'asking',
    to: 'asking',
    by: 'system',
    when: 'no answer by the deadline, and another is free',
    deadline: lifetimes.answer,
  },
  { from: 'asking', to: 'accepted', by: 'practitioner', when: 'accepted before the deadline' },
  { from: 'asking', to: 'nobody', by: 'practitioner', when: 'declined, and nobody else is free' },
  { from: 'asking', to: 'nobody', by: 'system', when: 'no answer by the deadline, and nobody else is free' },
  { from: 'asking', to: 'nobody', by: 'system', when: 'its payment has ended outside the product' },
  { from: 'asking', to: 'stopped', by: 'client', when: 'at any time before somebody accepts' },
]

/** A request to one practitioner. */
export const offerLife: readonly Step<HelpRequestState>[] = [
  { from: 'open', to: 'accepted', by: 'practitioner', when: 'before the deadline' },
  { from: 'open', to: 'declined', by: 'practitioner', when: 'before the deadline' },
  { from: 'open', to: 'lapsed', by: 'system', when: 'no answer by the deadline' },
  { from: 'open', to: 'withdrawn', by: 'client', when: 'the search was stopped' },
  {
    from: 'open',
    to: 'withdrawn',
    by: 'system',
    when: 'its practitioner is suspended or no longer available, or its payment has ended',
  },
]

export const assertDispatchStep = stepsOf('A search for help', dispatchLife)
export const assertOfferStep = stepsOf('A request for help', offerLife)

export const isLive = (state: HelpState): boolean => state === 'claimed' || state === 'asking'

/** Whether a deadline has passed. The exact time of the deadline counts as passed. */
export const isDue = (deadline: Date | null, now: Date): boolean => deadline !== null && deadline <= now

/** What a claim keeps a practitioner free for: from now on, longer than paying, answering and the session may take. */
export function claimWindow(
  now: Date,
  lengthMs: number = lifetimes.window,
): { startsAt: Date; endsAt: Date } {
  return { startsAt: now, endsAt: later(now, lengthMs) }
}

type Money = {
  intents: readonly { state: string; gateway_ref: string | null; awaits_bank: boolean }[]
  /** Whether a practitioner was asked for the money. */
  isPaid: boolean
  refund: 'requested' | 'succeeded' | undefined
}

/** What the payments of an appointment come to. */
export function moneyState({ intents, isPaid, refund }: Money): HelpMoneyState {
  const has = (...states: string[]) => intents.some(({ state }) => states.includes(state))
  if (has('capturing', 'captured')) {
    if (refund === undefined) return 'taken'
    return refund === 'requested' ? 'returning' : 'returned'
  }
  if (has('authorised')) return 'reserved'
  // What waited for the client's answer to the bank, or is unknown to the gateway, was never on the card.
  const released = intents.filter(({ awaits_bank }) => isPaid || !awaits_bank)
  if (released.some(({ state }) => state === 'voiding')) return 'returning'
  return released.some(({ state, gateway_ref }) => state === 'voided' && gateway_ref !== null)
    ? 'returned'
    : 'not_paid'
}
