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

/** Reserves a date of a series, as its module does. Returns the appointment's id. */
export async function reserveDate(
  app: TestApp,
  who: Who,
  startsAt: string | Date,
  change?: Partial<WantedDate>,
): Promise<string> {
  const wanted = dateOf(who, startsAt, change)
  const outcome = await inTransaction(app.db, (tx) => app.services.reserved.reserve(tx, wanted))
  if ('conflict' in outcome) throw new Error(`It could not be reserved: ${outcome.conflict}`)
  return outcome.appointmentId
}
