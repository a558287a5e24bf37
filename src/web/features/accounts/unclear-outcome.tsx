import type { ReactNode } from 'react'
import { isDefinite } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'

/**
 * For `renderFailure` of a form whose call may have been carried out, because its answer was lost: says so, and how to find
 * out. Renders nothing for a refusal.
 */
export const unclearOutcome = (title: string, advice: ReactNode) => (message: string, error: unknown) =>
  !isDefinite(error) && (
    <Alert tone="warning" live="assertive" title={title}>
      {message} {advice}
    </Alert>
  )
