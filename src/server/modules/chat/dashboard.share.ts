import type { DashboardShare } from '../practitioners/dashboard.ts'
import * as store from './dashboard.store.ts'

/** What the chat has to say on the dashboard. */
export const chatDashboard: DashboardShare<'enquiries_count' | 'response_minutes'> = {
  parts: {
    enquiries_count: (db, { id }) => store.countEnquiries(db, id),
    response_minutes: (db, { id }) => store.medianResponse(db, id),
  },
}
