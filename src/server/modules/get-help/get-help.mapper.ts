import { clientName } from '#contract/client-name.ts'
import type { HelpRequest, InstantSession } from '#contract/get-help/get-help.ts'
import type { HelpDispatch, HelpMoneyState, HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { helpMinutes } from '#contract/get-help/get-help.ts'
import { pounds } from '#contract/money.ts'
import type { KnownCard } from '../practitioners/practitioners.service.ts'
import { isLive, promisedBy } from './get-help.rules.ts'
import type { DispatchRow, OfferRow, SessionRow } from './get-help.store.ts'

const nameOf = (row: { client_first_name: string; client_last_name: string }) =>
  clientName({ firstName: row.client_first_name, lastName: row.client_last_name })

type WithIssue = { issue_id: number | null; issue_name: string | null }

const issueOf = ({ issue_id, issue_name }: WithIssue) =>
  issue_id === null || issue_name === null ? null : { issue_id, issue_name }

type Surroundings = { now: Date; practitioner: KnownCard | undefined; money: HelpMoneyState }

export function toHelpPractitioner({ issues, ...card }: KnownCard): HelpPractitioner {
  return {
    ...card,
    provider_type: card.provider_types.join(', '),
    years_of_experience: card.experience,
    issue: issues,
  }
}

export function toDispatch(row: DispatchRow, { now, practitioner, money }: Surroundings): HelpDispatch {
  const goesBack = row.state !== 'accepted' && (money === 'returning' || money === 'returned')
  return {
    dispatch_id: row.appointment_id,
    state: row.state,
    issue: issueOf(row),
    practitioner:
      (isLive(row.state) || row.state === 'accepted') && practitioner
        ? toHelpPractitioner(practitioner)
        : null,
    asked: row.asked ?? 0,
    pay_by: row.state === 'claimed' ? (row.deadline?.toISOString() ?? null) : null,
    answer_by: row.state === 'asking' ? (row.deadline?.toISOString() ?? null) : null,
    ask_until: row.ask_until?.toISOString() ?? null,
    now: now.toISOString(),
    can_stop: isLive(row.state),
    dialog_id: row.dialog_id,
    money: {
      state: money,
      amount: pounds(row.fee_pence),
      promised_by: goesBack && row.ended_at ? promisedBy(row.ended_at).toISOString() : null,
    },
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

export function toRequest(row: OfferRow, now: Date): HelpRequest {
  return {
    request_id: row.id,
    dispatch_id: row.appointment_id,
    state: row.state,
    client_name: nameOf(row),
    issue: issueOf(row),
    fee: pounds(row.fee_pence),
    duration: helpMinutes,
    asked_at: row.asked_at.toISOString(),
    answer_by: row.answer_by.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    dialog_id: row.state === 'accepted' ? row.dialog_id : null,
    now: now.toISOString(),
  }
}

export function toInstantSession(row: SessionRow): InstantSession {
  return {
    appointment_id: row.id,
    client_name: nameOf(row),
    issue: issueOf(row),
    status: row.state,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    fee: pounds(row.fee_pence),
    owed: pounds(row.state === 'cancelled' ? 0 : row.fee_pence - row.refunded_pence),
    dialog_id: row.dialog_id,
  }
}
