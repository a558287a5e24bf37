import type { SeriesOfSession } from '#contract/series/series.ts'
import type { Db } from '../../db/connection.ts'
import { toSeriesOfSession } from './series.mapper.ts'
import { listAskedOfSessions } from './series-prices.store.ts'
import * as store from './series.store.ts'

export type SeriesOfSessions = ReturnType<typeof createSeriesOfSessions>

/** For later modules: the series that sessions belong to. */
export function createSeriesOfSessions() {
  return {
    /** By the id of the appointment; those without a series are left out. */
    async of(db: Db, appointmentIds: readonly string[]): Promise<Map<string, SeriesOfSession>> {
      const rows = appointmentIds.length === 0 ? [] : await store.listOfSessions(db, appointmentIds)
      const asked = rows.length === 0 ? [] : await listAskedOfSessions(db, appointmentIds)
      return new Map(
        rows.map((row) => {
          const price = asked.find(({ appointment_id }) => appointment_id === row.appointment_id)
          return [row.appointment_id, toSeriesOfSession(row, price)]
        }),
      )
    },

    /** Agreed series of two people that have not ended, oldest first. */
    async between(db: Db, pair: { clientId: string; practitionerId: number }): Promise<SeriesOfSession[]> {
      return (await store.listBetween(db, pair)).map((row) => toSeriesOfSession(row))
    },
  }
}
