import type { FailedQuery } from './QueryError.tsx'
import { QueryErrorAlert } from './QueryErrorAlert.tsx'

/** In a list of which a query loads a part: what of it did not load. Renders nothing while there is data or no error. */
export function QueryErrorItem({ query, title }: { query: FailedQuery & { data: unknown }; title: string }) {
  if (!query.error || query.data !== undefined) return null
  return (
    <li>
      <QueryErrorAlert query={query} tone="warning" title={title} live="polite" />
    </li>
  )
}
