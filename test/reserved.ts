import { inTransaction } from '#server/db/transaction.ts'
import type { WantedDate } from '#server/modules/bookings/reserved/reserved.service.ts'
import type { TestApp } from './build-test-app.ts'
import type { Client, Practitioner } from './factories.ts'

export const aSeries = '018f0000-0000-7000-8000-000000000001'

type Who = { client: Pick<Client, 'id'>; practitioner: Pick<Practitioner, 'id'>; card: string | null }

/** A date of a series, online for 50 minutes at £60. */
export const dateOf = (
  { client, practitioner, card }: Who,
  startsAt: string | Date,
  change: Partial<WantedDate> = {},
): WantedDate => ({
  seriesId: aSeries,
  clientId: client.id,
  practitionerId: practitioner.id,
  serviceId: 1,
  appointmentType: 'online',
  locationId: null,
  startsAt: new Date(startsAt),
  durationMinutes: 50,
  feePence: 6000,
  timezone: 'Europe/London',
  mayLieOutsideSchedule: false,
  methodId: card,
  ...change,
})

/** Inserts the series of a date unless it is there. It has ended, so that only bookings follow the date. */
export async function insertSeriesOf(app: TestApp, date: WantedDate): Promise<void> {
  const now = app.clock.now()
  await app.db
    .insertInto('session_series')
    .values({
      id: date.seriesId,
      client_id: date.clientId,
      practitioner_id: date.practitionerId,
      service_id: date.serviceId,
      appointment_type: date.appointmentType,
      location_id: date.locationId,
      weekday: 2,
      start_minute: 600,
      duration_minutes: date.durationMinutes,
      every_weeks: 1,
      timezone: date.timezone,
      first_on: now.toISOString().slice(0, 10),
      fee_pence: date.feePence,
      state: 'ended',
      proposed_by: 'client',
      ended_at: now,
      ended_by: 'system',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Reserves a date of a series, as its module does. Returns the appointment's id. */
export async function reserveDate(
  app: TestApp,
  who: Who,
  startsAt: string | Date,
  change?: Partial<WantedDate>,
): Promise<string> {
  const wanted = dateOf(who, startsAt, change)
  await insertSeriesOf(app, wanted)
  const outcome = await inTransaction(app.db, (tx) => app.services.reserved.reserve(tx, wanted))
  if ('conflict' in outcome) throw new Error(`It could not be reserved: ${outcome.conflict}`)
  return outcome.appointmentId
}
