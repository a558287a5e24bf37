import { useEffect } from 'react'
import { callApi } from '#web/lib/api.ts'

/** Counts that this profile was opened, for its owner's dashboard. Nothing is kept of who did. */
export function useCountedView(practitionerId: number): void {
  useEffect(() => {
    callApi('POST /practitioner/{id}/view', { params: { id: practitionerId } }).catch(() => {
      // A failed count must not disturb the page.
    })
  }, [practitionerId])
}
