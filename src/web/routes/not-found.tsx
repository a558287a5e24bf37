import { data } from 'react-router'
import { pageTitle } from '#web/lib/site.ts'
import { ErrorPage } from '#web/features/layout/ErrorPage.tsx'

export const meta = () => [{ title: pageTitle('Page not found') }]

/** The page for every unknown path: a 404 within the frame. */
export function loader(): never {
  // oxlint-disable-next-line typescript/only-throw-error -- React Router carries a status to the error boundary this way
  throw data(null, { status: 404 })
}

export default function NotFound() {
  return null
}

/** In the frame that is there already, rather than one put together anew. */
export const ErrorBoundary = ErrorPage
