import type { To } from 'react-router'
import { EmptyState } from './EmptyState.tsx'
import { ButtonLink } from './Link.tsx'

/** In the place of a page beyond the last one: the list has become shorter while it was read. */
export function PastLastPage({ first }: { first: To }) {
  return (
    <EmptyState
      title="Nothing is left on this page"
      actions={<ButtonLink to={first}>Go to the first page</ButtonLink>}
    >
      <p>There is more on the pages before it.</p>
    </EmptyState>
  )
}
