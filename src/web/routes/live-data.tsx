import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { ApiError } from '#web/lib/api-error.ts'
import { newQueryClient } from '#web/lib/query.ts'
import { onAnotherPerson } from '#web/lib/session.ts'
import { onSuspended } from '#web/lib/suspension.ts'

/** The cache of what pages read from the API. Apart from the frame, so that a page which reads nothing loads none of it. */
export default function LiveData() {
  const [queryClient] = useState(newQueryClient)
  // Nothing that was read for one person stays for the next.
  useEffect(() => onAnotherPerson(() => queryClient.clear()), [queryClient])
  useSuspension(queryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  )
}

/** Pages that are closed to a suspended practitioner. */
const closedPages =
  /^\/(therapist\/(dashboard|sessions|series(\/propose)?|waitlist|reviews|schedule|calendar|easy-steps|service-info|complete|add-card)|chats?|session(-room)?)\/?$/

/** Leads a practitioner whom the server tells that they are suspended to the page that explains it. */
function useSuspension(queryClient: QueryClient): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    if (!closedPages.test(pathname)) return undefined
    const lead = () => void navigate('/therapist/suspended', { replace: true })
    const stops = [
      queryClient.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state
        if (error instanceof ApiError && error.code === 'suspended') lead()
      }),
      // An open page that reads nothing hears of it as its socket is closed.
      onSuspended(lead),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient, navigate, pathname])
}
