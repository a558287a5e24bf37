import type { Serve } from '../../../http/serve.ts'
import type { Dashboard } from './dashboard.ts'
import type { ProfileViews } from '../profile-views.ts'

export function dashboardRoutes(serve: Serve, dashboard: Dashboard, views: ProfileViews): void {
  serve('GET /therapist/home/get-dashboard-overview', ({ caller }) => dashboard.overview(caller))
  serve('GET /therapist/earnings', ({ caller }) => dashboard.earnings(caller))
  serve('POST /practitioner/{id}/view', ({ caller, params, address, request }) =>
    views.count(caller, params.id, { address, userAgent: request.headers['user-agent'] }),
  )
}
