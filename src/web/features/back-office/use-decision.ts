import { useQueryClient } from '@tanstack/react-query'
import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { aheadQuery, fileQuery } from './admin-queries.ts'

/**
 * Carries out a decision about a practitioner and shows the new state. If another admin has decided meanwhile, the page
 * reloads the present state, and the error is still thrown.
 */
export function useDecision(id: number): (decide: () => Promise<PractitionerFile>) => Promise<void> {
  const client = useQueryClient()
  return async (decide) => {
    try {
      client.setQueryData(fileQuery(id).queryKey, await decide())
      void client.invalidateQueries({ queryKey: ['admin', 'practitioners'] })
      void client.invalidateQueries({ queryKey: aheadQuery(id).queryKey })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: fileQuery(id).queryKey })
      throw error
    }
  }
}
