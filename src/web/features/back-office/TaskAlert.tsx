import type { ReactNode } from 'react'
import { Alert } from '#web/ui/Alert.tsx'
import type { FailedQuery } from '#web/ui/QueryError.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { useFailed } from '#web/ui/use-failed.ts'

type Props<T> = {
  /** Loads the first of them, and how many there are. */
  query: FailedQuery & { data: { total: number; data: readonly T[] } | undefined }
  tone?: 'warning' | 'danger'
  /** The title where there is one of them, and what follows the number of several. */
  one: string
  many: string
  /** The title where they did not load. */
  failure: string
  /** What the list is of, for a screen reader. */
  label: string
  /** What to do about them. */
  children?: ReactNode
  /** A list item with a key. */
  renderTask(task: T): ReactNode
}

/** Something that an admin has to see to, with a list of the cases. Renders nothing if there are none, or while they load. */
export function TaskAlert<T>({
  query,
  tone = 'warning',
  one,
  many,
  failure,
  label,
  children,
  renderTask,
}: Props<T>) {
  const failed = useFailed(query)
  if (failed) return <QueryErrorAlert title={failure} query={failed} />
  if (!query.data) return null
  const { total, data } = query.data
  if (total === 0) return null
  return (
    <Alert tone={tone} title={total === 1 ? one : `${total} ${many}`}>
      {children}
      <ul aria-label={label} className="mt-3 flex flex-col divide-y divide-line border-t border-line">
        {data.map(renderTask)}
      </ul>
      {total > data.length && <p className="mt-2">And {total - data.length} more.</p>}
    </Alert>
  )
}
