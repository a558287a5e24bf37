import type { ReactNode } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from './Button.tsx'
import { UpsetCup } from './illustrations/UpsetCup.tsx'

export type ErrorStateProps = {
  title?: ReactNode
  /** Why, where there are no `children`. */
  error?: unknown
  /** What did not work, and that it is not the reader's fault. */
  children?: ReactNode
  onRetry?(): void
  isRetrying?: boolean
  /** Names the event in the log. */
  errorId?: string
  actions?: ReactNode
  level?: 1 | 2 | 3
}

/** Something could not be shown. Heard when it appears by itself. */
export function ErrorState({
  title = 'That did not load',
  error,
  children,
  onRetry,
  isRetrying,
  errorId,
  actions,
  level = 2,
}: ErrorStateProps) {
  const Title = `h${level}` as const
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-10 text-center">
      <UpsetCup className="mb-2 w-32" />
      <Title className="text-2xl">{title}</Title>
      <div className="text-soft">
        {children ?? <p>{error ? messageOf(error) : 'This is our fault. Nothing you did is lost.'}</p>}
      </div>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        {onRetry && (
          <Button onPress={onRetry} isPending={isRetrying}>
            Try again
          </Button>
        )}
        {actions}
      </div>
      {errorId && (
        <p className="mt-2 text-xs text-faint">
          If you write to us about it, please give this number: <span className="select-all">{errorId}</span>
        </p>
      )}
    </div>
  )
}
