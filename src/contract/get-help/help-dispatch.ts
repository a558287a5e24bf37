import { z } from 'zod'
import { Id, Instant, Pounds } from '../common.ts'
import { PractitionerCard } from '../practitioners/practitioners.ts'

export const HelpIssue = z.object({ issue_id: Id, issue_name: z.string() })

/** A practitioner whom the search found, who is held, asked, or has accepted. */
export const HelpPractitioner = PractitionerCard.omit({ next_available: true, available_hours: true }).extend(
  {
    /** The `provider_types` in one text. */
    provider_type: z.string(),
    /** As `experience`. */
    years_of_experience: z.number().int(),
    /** All issues that they treat. */
    issue: z.array(HelpIssue),
  },
)
export type HelpPractitioner = z.infer<typeof HelpPractitioner>

/**
 * - `claimed`: a practitioner is held for the client, who has until `pay_by` to pay.
 * - `asking`: paid; the practitioner has until `answer_by` to accept, then the next one is asked.
 * - `accepted`: the session is confirmed for now.
 * - `nobody`: no practitioner is left to ask; the payment is returned automatically.
 * - `stopped`: by the client, at no cost.
 * - `expired`: not paid in time; nothing was charged.
 */
export const helpStates = ['claimed', 'asking', 'accepted', 'nobody', 'stopped', 'expired'] as const
export const HelpState = z.enum(helpStates)
export type HelpState = z.infer<typeof HelpState>

/**
 * State of the payment: authorised until a practitioner accepts, then captured; otherwise returned. It stays
 * captured where a part of a session that began is refunded: that is in its `refund`.
 */
export const helpMoneyStates = ['not_paid', 'reserved', 'taken', 'returning', 'returned'] as const
export const HelpMoneyState = z.enum(helpMoneyStates)
export type HelpMoneyState = z.infer<typeof HelpMoneyState>

/** Progress of the search for a practitioner. */
export const HelpDispatch = z.object({
  /** The appointment's id. */
  dispatch_id: z.uuid(),
  state: HelpState,
  issue: HelpIssue.nullable(),
  /** The practitioner who is held, asked or has accepted; null once the search has ended without one. */
  practitioner: HelpPractitioner.nullable(),
  /** How many have been asked so far, this one among them. */
  asked: z.number().int(),
  pay_by: Instant.nullable(),
  answer_by: Instant.nullable(),
  /** Time of the last request: no further practitioner is asked after it. */
  ask_until: Instant.nullable(),
  /** The server's clock, for countdowns: the browser's may be wrong. */
  now: Instant,
  /** Whether it can still be stopped at no cost, by `cancel-session`. */
  can_stop: z.boolean(),
  /** The chat with the practitioner, once accepted. */
  dialog_id: z.string().nullable(),
  money: z.object({
    state: HelpMoneyState,
    amount: Pounds,
    /** By when it is back with the card's bank, where it goes back without a session: 24 hours after the search has ended. */
    promised_by: Instant.nullable(),
  }),
  ended_at: Instant.nullable(),
})
export type HelpDispatch = z.infer<typeof HelpDispatch>
