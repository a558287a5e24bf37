import { days, hours, later, minutes } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { seriesTerms } from '../../modules/series/series.terms.ts'
import type { Tx } from '../connection.ts'
import type { DemoSeries } from './demo/history.ts'
import { insertRows } from './insert-rows.ts'

type Options = {
  random: Random
  clientId: string
  /** Id of the first practitioner of the directory; the others count on. */
  firstId: number
}

/** Inserts a weekly series whose dates are reserved and not paid yet, with the client's consent to it. */
export async function insertSeries(
  tx: Tx,
  series: DemoSeries,
  { random, clientId, firstId }: Options,
): Promise<void> {
  const { agreedAt, service, dates } = series
  const practitionerId = firstId + series.practitioner
  const card = await tx
    .selectFrom('payment_methods')
    .select('id')
    .where('account_id', '=', clientId)
    .executeTakeFirstOrThrow()
  const seriesId = random.uuid(agreedAt)
  await insertRows(tx, 'session_series', [
    {
      id: seriesId,
      client_id: clientId,
      practitioner_id: practitionerId,
      service_id: service.serviceId,
      appointment_type: service.appointmentType,
      location_id: null,
      weekday: series.weekday,
      start_minute: series.hour * 60,
      duration_minutes: service.durationMinutes,
      every_weeks: 1,
      timezone: 'Europe/London',
      first_on: dates[0]?.onDate ?? '',
      extended_to: dates.at(-1)?.onDate ?? null,
      fee_pence: service.feePence,
      payment_method_id: card.id,
      state: 'active' as const,
      proposed_by: 'client' as const,
      agreed_at: agreedAt,
      terms_version: seriesTerms.version,
      created_at: agreedAt,
    },
  ])
  const sessions = dates.flatMap(({ onDate, startsAt, state }) =>
    startsAt
      ? [
          {
            onDate,
            state,
            startsAt,
            endsAt: later(startsAt, minutes(service.durationMinutes)),
            id: random.uuid(agreedAt),
            reservationId: random.uuid(agreedAt),
          },
        ]
      : [],
  )
  await insertRows(
    tx,
    'reservations',
    sessions.map(({ reservationId, startsAt, endsAt }) => ({
      id: reservationId,
      practitioner_id: practitionerId,
      client_id: clientId,
      during: `[${startsAt.toISOString()},${endsAt.toISOString()})`,
      state: 'booked' as const,
      created_at: agreedAt,
      pause_minutes: 0,
    })),
  )
  await insertRows(
    tx,
    'appointments',
    sessions.map(({ id, reservationId, startsAt, endsAt, state }) => ({
      id,
      client_id: clientId,
      practitioner_id: practitionerId,
      booking_type: 'schedule' as const,
      state: 'reserved' as const,
      service_id: service.serviceId,
      appointment_type: service.appointmentType,
      reservation_id: reservationId,
      starts_at: startsAt,
      ends_at: endsAt,
      fee_pence: service.feePence,
      discount_pence: 0,
      hold_extended: false,
      first_booked_at: agreedAt,
      series_id: seriesId,
      pay_at: later(startsAt, -days(2)),
      pay_by: later(startsAt, -hours(24)),
      charge_at: later(startsAt, -days(2)),
      pay_failures: 0,
      payment_method_id: card.id,
      sequence: state === 'moved' ? 1 : 0,
      created_at: agreedAt,
      client_timezone: 'Europe/London',
    })),
  )
  await insertRows(
    tx,
    'series_dates',
    dates.map(({ onDate, state }) => ({
      series_id: seriesId,
      on_date: onDate,
      appointment_id: sessions.find((session) => session.onDate === onDate)?.id ?? null,
      state,
      changed_by: state === 'planned' ? ('system' as const) : ('client' as const),
      changed_at: agreedAt,
    })),
  )
  await insertRows(tx, 'consents', [
    {
      id: random.uuid(agreedAt),
      account_id: clientId,
      scope: 'series',
      subject: seriesId,
      text_version: seriesTerms.version,
      given_at: agreedAt,
    },
  ])
}
