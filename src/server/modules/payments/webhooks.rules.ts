import type { GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import type { IntentState } from './payments.rules.ts'

/**
 * What to do about a payment after a webhook event, by the state found at the gateway:
 * - `finish`: a step of ours is under way or was cut off; finishing it takes the usual course.
 * - `authorised`, `declined`: the bank has decided; we store its decision.
 * - `let go`: the authorisation has ended at the gateway; we void ours.
 * - `void`: the gateway still holds an authorisation that we have ended; we void it there.
 * - `captured`: the payment was captured outside the product before we did; it is booked now, and kept or refunded
 *   later.
 * - `give back`: the payment was captured outside the product after we had ended it; it is booked and refunded.
 * - `alarm`: the gateway contradicts the ledger; an admin decides.
 */
export type HintStep =
  | 'finish'
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
  authorising: all('finish'),
  capturing: all('finish'),
  voiding: all('finish'),
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
    // Authorisations expire at the gateway after some days.
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

/** The step for an event. The result does not depend on the order or the delay of events: no state goes back. */
export function stepAfterEvent(here: IntentState, there: AtGateway): HintStep {
  return steps[here][there]
}

function all(step: HintStep): Record<AtGateway, HintStep> {
  return { requires_action: step, authorised: step, declined: step, voided: step, captured: step }
}

function nobodyWaits(): Record<AtGateway, HintStep> {
  return {
    // A client can still authenticate with the bank after we have voided the payment.
    requires_action: 'void',
    authorised: 'void',
    declined: 'nothing',
    voided: 'nothing',
    captured: 'give back',
  }
}
