import type { GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import type { IntentState } from './payments.rules.ts'

/**
 * What is to be done about a payment that the gateway has hinted at, once it has been read there:
 * - `settle`: a step of ours is under way, or was cut off; it is brought to its end as it would be anyway.
 * - `authorised`, `declined`: the bank has its answer; we take it over.
 * - `let go`: there is nothing on the card any more.
 * - `void`: something is on the card that nobody here waits for.
 * - `captured`: the money was taken by other hands while we still wait; it is booked, and taken or given back by us later.
 * - `give back`: the money was taken by other hands, and nobody here waits for it; it is booked and refunded.
 * - `alarm`: the gateway contradicts what is booked, which is for a person to look at.
 */
export type HintStep =
  | 'settle'
  | 'authorised'
  | 'declined'
  | 'let go'
  | 'void'
  | 'captured'
  | 'give back'
  | 'alarm'
  | 'nothing'

type AtGateway = GatewayPayment['state']

const steps: Record<IntentState, Record<AtGateway, HintStep>> = {
  authorising: all('settle'),
  capturing: all('settle'),
  voiding: all('settle'),
  requires_action: {
    requires_action: 'nothing',
    authorised: 'authorised',
    declined: 'declined',
    voided: 'let go',
    captured: 'captured',
  },
  authorised: {
    requires_action: 'nothing',
    authorised: 'nothing',
    // Authorisations end by themselves after some days.
    declined: 'let go',
    voided: 'let go',
    captured: 'captured',
  },
  captured: {
    requires_action: 'alarm',
    authorised: 'alarm',
    declined: 'alarm',
    voided: 'alarm',
    captured: 'nothing',
  },
  declined: nobodyWaits(),
  voided: nobodyWaits(),
}

/** Never back: whatever came first, and however late a hint is, it ends where it would have. */
export function stepAfterHint(here: IntentState, there: AtGateway): HintStep {
  return steps[here][there]
}

function all(step: HintStep): Record<AtGateway, HintStep> {
  return { requires_action: step, authorised: step, declined: step, voided: step, captured: step }
}

function nobodyWaits(): Record<AtGateway, HintStep> {
  return {
    // Somebody who has been let go of can still answer their bank.
    requires_action: 'void',
    authorised: 'void',
    declined: 'nothing',
    voided: 'nothing',
    captured: 'give back',
  }
}
