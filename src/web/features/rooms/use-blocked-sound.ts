import { useCallback, useEffect, useRef, useState } from 'react'
import { announce } from '#web/lib/announce.ts'

/** Says aloud that the browser keeps the other's voice back until a button is pressed, and once it is heard. */
export function useBlockedSound(name: string, onHeard: () => void) {
  const [retry, setRetry] = useState<() => void>()
  const isBlocked = useRef(false)
  const heard = useRef(onHeard)
  useEffect(() => {
    heard.current = onHeard
  })
  const onBlocked = useCallback(
    (play: (() => void) | undefined) => {
      setRetry(() => play)
      if (isBlocked.current === (play !== undefined)) return
      isBlocked.current = play !== undefined
      announce(
        play
          ? `You do not hear ${name} yet. Press “Turn the sound on”.`
          : `The sound is on: you hear ${name} now.`,
      )
      if (!play) heard.current()
    },
    [name],
  )
  return { retrySound: retry, onBlocked }
}
