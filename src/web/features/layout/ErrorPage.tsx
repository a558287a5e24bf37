import { useState } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { ApiError, unreached } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
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
  // Of a page that was led to without a document, the request is not known.
  const [isOfDocument] = useState(!useHydrated())
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
  const words = isUnreached(error) ? unreached : wordsOfApi(error)
  return (
    <div className="page py-10">
      <ErrorState
        level={1}
        title="This page did not load"
        onRetry={() => void revalidate()}
        isRetrying={state === 'loading'}
        errorId={isOfDocument && words === undefined ? requestId : undefined}
        actions={
          <ButtonLink to="/" variant="secondary" reloadDocument>
            Go to the home page
          </ButtonLink>
        }
      >
        <p>{words ?? 'This is our fault. Nothing you did is lost. Please try again in a moment.'}</p>
      </ErrorState>
    </div>
  )
}

/** The words of the API, which name their own reference. */
function wordsOfApi(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message
  const answer: unknown = isRouteErrorResponse(error) ? error.data : undefined
  const hasWords = typeof answer === 'object' && answer !== null && 'message' in answer
  return hasWords && typeof answer.message === 'string' ? answer.message : undefined
}

/** Whether a page's data did not come, in the words of Chromium, Firefox and Safari. */
const isUnreached = (error: unknown) => error instanceof TypeError && /fetch|load failed/i.test(error.message)

/** Whether what was asked for does not exist, rather than something having failed. */
export function isNotFound(error: unknown): boolean {
  return (isRouteErrorResponse(error) || error instanceof ApiError) && error.status === 404
}
