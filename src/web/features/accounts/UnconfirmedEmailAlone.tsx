import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { newQueryClient } from '#web/lib/query.ts'
import { UnconfirmedEmail } from './UnconfirmedEmail.tsx'

/** For pages that keep nothing else that is read from the API. */
export default function UnconfirmedEmailAlone({ className }: { className?: string }) {
  const [queryClient] = useState(newQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UnconfirmedEmail className={className} />
    </QueryClientProvider>
  )
}
