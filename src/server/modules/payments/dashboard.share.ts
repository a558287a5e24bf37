import type { DashboardShare } from '../practitioners/dashboard.ts'
import { sumPayable } from './payments.store.ts'

/** What the ledger has to say on the dashboard. */
export const ledgerDashboard: DashboardShare<'owed'> = {
  parts: { owed: async (db, { id }) => (await sumPayable(db, id)) / 100 },
}
