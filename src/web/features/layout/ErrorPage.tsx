import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { ApiError } from '#web/lib/api-error.ts'
import { useRequestId } from '#web/lib/request-info.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

/** What stands in the place of a page that cannot be shown. */
export function ErrorPage() {
  const error = useRouteError()
  const requestId = useRequestId()
  const { revalidate, state } = useRevalidator()

  if (isNotFound(error)) {
    return (
      <div className="page py-10">
        <EmptyState
          level={1}
          title="We cannot find this page"
          illustration={<LostPath className="w-52" />}
          actions={
            <>
              <ButtonLink to="/">Go to the home page</ButtonLink>
              <ButtonLink to={foundTherapistsPath} variant="secondary">
                Find a Practitioner
              </ButtonLink>
            </>
          }
        >
          <p>The address may be mistyped, or the page has moved. Nothing of yours is lost.</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="page py-10">
      <ErrorState
        level={1}
        title="This page did not load"
        onRetry={() => void revalidate()}
        isRetrying={state === 'loading'}
        errorId={requestId}
        actions={
          <ButtonLink to="/" variant="secondary" reloadDocument>
            Go to the home page
          </ButtonLink>
        }
      >
        <p>{wordsOf(error)}</p>
      </ErrorState>
    </div>
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  const answer: unknown = isRouteErrorResponse(error) ? error.data : undefined
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'message' in answer &&
    typeof answer.message === 'string'
  )
    return answer.message
  return 'This is our fault. Nothing you did is lost. Please try again in a moment.'
}

/** Whether what was asked for does not exist, rather than something having failed. */
export function isNotFound(error: unknown): boolean {
  return (isRouteErrorResponse(error) || error instanceof ApiError) && error.status === 404
}
