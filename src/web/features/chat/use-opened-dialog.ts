import { useEffect, useRef, useState } from 'react'
import { openDialogWith } from './chat-store.ts'

/** Whom a client writes to, or the session whose client a practitioner writes to. */
export type Whom = Parameters<typeof openDialogWith>[0]

/** Opens the dialog with a partner, where it is needed. `id` and `error` are undefined until that has ended. */
export function useOpenedDialog(whom: Whom, isNeeded = true) {
  const [attempt, setAttempt] = useState(0)
  const [outcome, setOutcome] = useState<{ id?: string; error?: unknown }>({})
  const asked = useRef(whom)
  useEffect(() => {
    if (!isNeeded) return undefined
    let isGone = false
    openDialogWith(asked.current).then(
      (id) => {
        if (!isGone) setOutcome({ id })
      },
      (error: unknown) => {
        if (!isGone) setOutcome({ error })
      },
    )
    return () => {
      isGone = true
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt asks again
  }, [isNeeded, attempt])
  const retry = () => {
    setOutcome({})
    setAttempt(attempt + 1)
  }
  return { ...outcome, retry }
}
