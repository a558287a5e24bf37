import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'

/**
 * Carries out a decision about money once, even if it is sent again after a lost answer. Reloads the list when it is
 * done, or when another admin has changed the object meanwhile.
 * @param list the key of the list that shows it
 */
export function useSingleDecision(list: readonly string[]) {
  const client = useQueryClient()
  const [key, setKey] = useState(newIdempotencyKey)
  return async <T>(send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    try {
      const done = await send(key)
      void client.invalidateQueries({ queryKey: list })
      return done
    } catch (error) {
      // Decided, and refused: what is sent next is something else.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) setKey(newIdempotencyKey())
      if (error instanceof ApiError && error.status === 409) void client.invalidateQueries({ queryKey: list })
      throw error
    }
  }
}
