import type { BodyOf } from '#contract/endpoints.ts'
import type { Tx } from '../../db/connection.ts'
import { fail } from '../../errors.ts'
import { isSamePlan, type Plan, planOf } from './series.dates.ts'
import type { PriceRow } from './series-prices.store.ts'
import * as store from './series.store.ts'
import { seriesTerms } from './series.terms.ts'

export const over = () => fail('series_over', 'These regular sessions have ended.')

export const notChangeable = () => fail('not_changeable', 'This cannot be changed at the moment.')

/** A change of the hour, of which dates before it would be asked another price that goes on with the new hour. */
export const unanswered = () =>
  fail('not_changeable', 'A new price begins before that day. Please reply to it first.')

export const movedMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'This session was moved meanwhile, so it was not skipped. Please look at its new time.',
  )

export const chosenMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'Another time was chosen for this date meanwhile, so nothing has changed. Please look at its new time.',
  )

export const agreedMeanwhile = () =>
  fail(
    'changed_elsewhere',
    'These sessions were agreed meanwhile, so nothing was declined. You can end them here.',
  )

/** Why a series is not active. */
export function notOpen(row: store.SeriesRow) {
  if (row.state === 'ended') return over()
  if (row.state === 'proposed') {
    return row.proposed_until &&
      row.series_rule !== 'open' &&
      row.accepted_at === null &&
      row.proposed_by === 'client'
      ? fail('not_changeable', 'The practitioner has not answered yet.')
      : fail('series_over', 'The time to answer has run out.')
  }
  return notChangeable()
}

/** @throws 409 `changed_elsewhere` for another price than the one that was shown */
export function requirePriceShown(
  price: PriceRow | undefined,
  shown: BodyOf<'POST /series/{series_id}/price'>['shown'],
): void {
  if (!price || !shown) return
  if (price.fee_pence === Math.round(shown.fee * 100) && price.from_date === shown.from_date) return
  throw fail('changed_elsewhere', 'Another price is asked by now. Please look at it before you reply.')
}

/** @throws 409 `changed_elsewhere` where a series does not end with the session that was shown as its last one */
export function requireLastShown(
  row: Pick<store.SeriesRow, 'state' | 'last_on'>,
  next: { starts_at: Date; on_date: string } | undefined,
  shown: string | undefined,
): void {
  if (shown === undefined) return
  // Repeated, it ends with that session already.
  const endsWithNext = row.state === 'active' && (row.last_on ?? next?.on_date) === next?.on_date
  if (endsWithNext && next?.starts_at.getTime() === Date.parse(shown)) return
  throw fail(
    'changed_elsewhere',
    'The next session has changed meanwhile, so nothing has ended. Please look at these regular sessions again.',
  )
}

/**
 * Refuses an offer of an hour that the two have a live series at, unless that is the same offer, still open.
 * @throws 409 `conflict`
 */
export function requireSameOffer(known: store.SeriesRow | undefined, plan: Plan): void {
  if (known?.state !== 'proposed') {
    throw fail(
      'conflict',
      'This client keeps this hour with you already. You can change its price or end it under Regular sessions.',
    )
  }
  if (known.proposed_by === 'client') {
    throw fail(
      'conflict',
      'This client has asked for this hour already. Please reply to that under Regular sessions.',
    )
  }
  if (isSamePlan(planOf(known), plan)) return
  throw fail(
    'conflict',
    'You have offered this hour already, on other terms. Withdraw that offer under Regular sessions, then send this one.',
  )
}

/** @throws 409 `changed_elsewhere` where a series was changed to another plan than the one that is asked for */
export function requireChangedTo(next: store.SeriesRow | undefined, plan: Plan): void {
  if (next && next.state !== 'ended' && isSamePlan(planOf(next), plan)) return
  throw fail(
    'changed_elsewhere',
    'These regular sessions were changed meanwhile, and not to this hour. Please look at them again.',
  )
}

/** @throws 409 `changed_elsewhere` for another series than the one that was shown */
export function requireSeriesShown(
  row: store.SeriesRow,
  shown: BodyOf<'POST /series/{series_id}/agree'>['shown'],
): void {
  if (!shown) return
  const isShown =
    row.first_on === shown.first_on &&
    row.every_weeks === shown.every_weeks &&
    row.duration_minutes === shown.duration_minutes &&
    row.service_id === shown.service_id &&
    row.appointment_type === shown.appointment_type &&
    row.location_id === shown.location_id &&
    row.fee_pence === Math.round(shown.fee * 100)
  if (isShown) return
  throw fail(
    'changed_elsewhere',
    'Other regular sessions are offered for this hour. Please look at them before you agree.',
  )
}

/** @throws 409 `changed_elsewhere` for terms of another version than today's */
export function requireTermsRead(version: string): void {
  if (version === seriesTerms.version) return
  throw fail('changed_elsewhere', 'The terms have changed. Please read them again.', {
    details: { terms_version: seriesTerms.version },
  })
}

/** Refuses to give up a place that a live series uses. @throws 409 `place_in_use` */
export async function requirePlacesFree(
  tx: Tx,
  { practitionerId, locationIds }: { practitionerId: number; locationIds: number[] },
): Promise<void> {
  if (!(await store.usesPlace(tx, practitionerId, locationIds))) return
  throw fail(
    'place_in_use',
    'Regular sessions take place here. End them or agree on another place before you remove it.',
  )
}
