import { sqlState } from '../../db/transaction.ts'
import { fail } from '../../errors.ts'

export const notOffered = () =>
  fail('slot_not_offered', 'This time is not offered. Please choose one of the free times.')

export const tooManyHolds = () =>
  fail(
    'too_many_holds',
    'You are already holding two other times. Please finish or release one of them first.',
    { retryAfter: 60 },
  )

/** By another client, by time off or by the practitioner's own calendar: the client does not read which. */
export const slotTaken = () =>
  fail('slot_taken', 'This time is no longer free. Nothing was charged. Please choose another.')

export const clientBusy = () =>
  fail('client_busy', 'You have another session at this time. Please choose another time.')

/** Builds the error for a move that violated the exclusion constraint; undefined for any other error. */
export function movedIntoTaken(error: unknown) {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  if (code !== '23P01') return undefined
  return constraint === 'reservations_client_overlap' ? clientBusy() : slotTaken()
}

/** Builds the error for a hold that the database refused with the commit; undefined for any other error. */
export function refusalOf(error: unknown) {
  const code = sqlState(error)
  if (code === 'HE011') return slotTaken()
  return code === 'HE012' ? clientBusy() : undefined
}
