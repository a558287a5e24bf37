import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { newQueryClient } from '#web/lib/query.ts'
import { onAnotherPerson, personOf, useSession } from '#web/lib/session.ts'

/** What a signed-in client sees first: their next session, and what waits for them. */
export default function ClientHome({ next, tasks }: { next: ReactNode; tasks: ReactNode }) {
  const [queryClient] = useState(newQueryClient)
  // Nothing that was read for one person stays for the next.
  useEffect(() => onAnotherPerson(() => queryClient.clear()), [queryClient])
  const name = personOf(useSession())?.firstName
  return (
    <QueryClientProvider client={queryClient}>
      <div className="page flex flex-col gap-5 pt-8">
        <h1 className="text-3xl">{name ? `Hello, ${name}` : 'Hello'}</h1>
        <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[1.05fr_1fr]">
          {next}
          <div className="flex flex-col gap-3">{tasks}</div>
        </div>
      </div>
    </QueryClientProvider>
  )
}
