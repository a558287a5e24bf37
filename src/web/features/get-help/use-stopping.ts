import { useAction } from '#web/lib/use-action.ts'

/** Ends a search at no cost. The server refuses once a practitioner has accepted. */
export function useStopping(sessionId: string | undefined, onStopped: () => void, onRefused?: () => void) {
  const { send, isPending, error, reset } = useAction('POST /appointment/cancel-session', {
    onDone: onStopped,
  })
  return {
    stop() {
      if (sessionId !== undefined && !isPending)
        void send({ body: { appointment_id: sessionId } }).catch(() => onRefused?.())
    },
    isPending,
    error,
    clearError: reset,
  }
}
