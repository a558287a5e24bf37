import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { newQueryClient } from '#web/lib/query.ts'
import { onAnotherPerson } from '#web/lib/session.ts'

/** The cache of what pages read from the API. Apart from the frame, so that a page which reads nothing loads none of it. */
export default function LiveData() {
  const [queryClient] = useState(newQueryClient)
  // Nothing that was read for one person stays for the next.
  useEffect(() => onAnotherPerson(() => queryClient.clear()), [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  )
}
