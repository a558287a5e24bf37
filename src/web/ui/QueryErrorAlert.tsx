import { messageOf } from '#web/lib/api-error.ts'
import { Alert, type AlertProps } from './Alert.tsx'
import { Button } from './Button.tsx'
import type { FailedQuery } from './QueryError.tsx'

/** As `QueryError`, for a part of a page; `children` follow the reason. In a file of its own: pages that must be light show it. */
export function QueryErrorAlert({
  query,
  children,
  ...alert
}: { query: FailedQuery } & Omit<AlertProps, 'actions'>) {
  return (
    <Alert
      tone="danger"
      {...alert}
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
      {messageOf(query.error)} {children}
    </Alert>
  )
}
