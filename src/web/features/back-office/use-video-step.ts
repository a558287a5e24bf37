import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api-error.ts'

/** Takes a step of a video order and loads the orders anew, also when the order has changed meanwhile. */
export function useVideoStep(): <T>(step: () => Promise<T>) => Promise<void> {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: ['admin', 'video-orders'] })
  return async (step) => {
    try {
      await step()
      await reload()
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) void reload()
      throw error
    }
  }
}
