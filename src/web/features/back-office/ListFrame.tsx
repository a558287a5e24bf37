import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { To } from 'react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { PastLastPage } from '#web/ui/PastLastPage.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'

type Paged<Row> = {
  data: Row[]
  meta: { total: number; page: number; per_page: number; is_capped?: boolean | undefined }
}

/** A list of the back office in all its states: loading, failed, empty, and a page of rows. */
export function ListFrame<Row>({
  query,
  label,
  empty,
  hrefFor,
  children,
}: {
  query: Pick<UseQueryResult<Paged<Row>>, 'data' | 'error' | 'isFetching' | 'refetch'>
  label: string
  empty: { title: string; words: ReactNode }
  hrefFor(page: number): To
  children(row: Row): ReactNode
}) {
  const { data: answer, error } = query
  if (!answer) {
    if (!error) {
      return (
        <Loading label={`Loading ${label.toLowerCase()}`} className="flex flex-col gap-3">
          <Skeleton className="h-24 rounded-xl" />
          <Skeleton className="h-24 rounded-xl" />
          <Skeleton className="h-24 rounded-xl" />
        </Loading>
      )
    }
    return <QueryError title="This list did not load" query={query} />
  }
  const { data: rows, meta } = answer
  if (rows.length === 0 && meta.total > 0) return <PastLastPage first={hrefFor(1)} />
  if (rows.length === 0) {
    return (
      <EmptyState title={empty.title}>
        <p>{empty.words}</p>
      </EmptyState>
    )
  }
  const total = meta.is_capped ? `more than ${meta.total.toLocaleString('en-GB')}` : meta.total
  const first = (meta.page - 1) * meta.per_page + 1
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-soft">{`${first} to ${first + rows.length - 1} of ${total}`}</p>
      <ul aria-label={label} className="flex flex-col gap-3">
        {rows.map(children)}
      </ul>
      <Pagination page={meta.page} pageCount={Math.ceil(meta.total / meta.per_page)} hrefFor={hrefFor} />
    </div>
  )
}
