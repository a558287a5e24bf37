import type { NoShowDispute } from '#contract/back-office/no-shows.ts'
import { pounds } from '#contract/money.ts'
import type { KnownAttendance } from '../../../contributions/lookups.ts'
import type { OnlineRoom } from '../../practitioners/practitioners.rules.ts'
import { toClient, toKnownTimes } from '../bookings.mapper.ts'
import type { DisputeRow } from './no-shows.store.ts'

/** Who decided, the back office knows. */
export type DisputeOfNoShow = Omit<NoShowDispute, 'decided_by' | 'decision_reason'>

/** A no-show that a client disputes, as the back office sees it. */
export function toDispute(
  row: DisputeRow,
  attendance: KnownAttendance | undefined,
  onlineRoom: OnlineRoom | undefined,
): DisputeOfNoShow {
  const seen = attendance?.seen ?? { client: false, practitioner: false }
  const wasInItsRoom = seen.client || seen.practitioner
  return {
    appointment_id: row.appointment_id,
    state: row.state,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    declared_at: row.declared_at.toISOString(),
    disputed_at: row.disputed_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    client_words: row.client_words,
    client: toClient(row),
    practitioner: {
      practitioner_id: row.practitioner_id,
      full_name: `${row.practitioner_first_name} ${row.practitioner_last_name}`.trim(),
      email: row.practitioner_email,
    },
    appointment_type: row.appointment_type,
    room: row.appointment_type === 'online' ? (wasInItsRoom ? 'hearth' : (onlineRoom?.kind ?? null)) : null,
    seen,
    attendance: toKnownTimes(attendance),
    paid: pounds(row.paid_pence),
    refunded: pounds(row.refunded_pence),
  }
}
