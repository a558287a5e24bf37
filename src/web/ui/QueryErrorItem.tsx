import type { FailedQuery } from './QueryError.tsx'
import { QueryErrorAlert } from './QueryErrorAlert.tsx'
import { useFailed } from './use-failed.ts'

/** In a list of which a query loads a part: what of it did not load. Renders nothing while there is data or no error. */
export function QueryErrorItem({ query, title }: { query: FailedQuery & { data: unknown }; title: string }) {
  const failed = useFailed(query)
  return (
    failed && (
      <li>
        <QueryErrorAlert query={failed} tone="warning" title={title} live="polite" />
      </li>
    )
  )
}
