import { messageOf } from '#web/lib/api-error.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { ErrorState } from './ErrorState.tsx'

type Query = { error: unknown; isFetching: boolean; refetch(): unknown }

/** A query failed and there is nothing to show: what did not load, why, and a button that asks again. */
export function QueryError({ query, title, level }: { query: Query; title: string; level?: 1 | 2 | 3 }) {
  return (
    <ErrorState
      title={title}
      level={level}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    >
      <p>{messageOf(query.error)}</p>
    </ErrorState>
  )
}

/** As `QueryError`, for a part of a page. */
export function QueryErrorAlert({ query, title }: { query: Query; title: string }) {
  return (
    <Alert
      tone="danger"
      title={title}
      actions={
        <Button
          variant="secondary"
          size="small"
          isPending={query.isFetching}
          onPress={() => void query.refetch()}
        >
          Try again
        </Button>
      }
    >
      {messageOf(query.error)}
    </Alert>
  )
}
