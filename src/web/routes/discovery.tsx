import { optionsOf } from '#web/features/search/active-filters.ts'
import { pageErrorOf } from '#web/lib/page-error.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { ErrorPage } from '#web/features/layout/ErrorPage.tsx'
import type { Route } from './+types/discovery.ts'

/** What one can filter by, for the pages that search. */
export async function loader({ context, request }: Route.LoaderArgs) {
  try {
    return optionsOf(await serverApi(context)('GET /filter/i-know', { signal: request.signal }))
  } catch (error) {
    throw pageErrorOf(error)
  }
}

/** The lists change with a release at most. */
export const shouldRevalidate = () => false

/** Here rather than at the root, so that the frame and what is typed elsewhere stay. */
export const ErrorBoundary = ErrorPage
