import { useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { intentKeys } from '#web/lib/intent-keys.ts'

/** Ends a search at no cost. The server refuses once a practitioner has accepted. */
export function useStopping(sessionId: string | undefined, onStopped: () => void, onRefused?: () => void) {
  const [keys] = useState(intentKeys)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  async function stop(): Promise<void> {
    if (isPending || sessionId === undefined) return
    setPending(true)
    setError(undefined)
    try {
      const body = { appointment_id: sessionId }
      await callApi('POST /appointment/cancel-session', { body, idempotencyKey: keys.of(body) })
      keys.done()
      onStopped()
    } catch (thrown) {
      setError(thrown)
      onRefused?.()
    } finally {
      setPending(false)
    }
  }
  return { stop: () => void stop(), isPending, error, clearError: () => setError(undefined) }
}
