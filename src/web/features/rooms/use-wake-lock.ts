import { useEffect } from 'react'

/** Keeps the screen of a phone on. */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return undefined
    let lock: WakeLockSentinel | undefined
    let isGone = false
    // The browser ends the lock of a page that is hidden.
    const ask = async () => {
      if (document.visibilityState === 'hidden') return
      try {
        const given = await navigator.wakeLock.request('screen')
        if (isGone) await given.release()
        else lock = given
      } catch {
        // Such as with a battery that is nearly empty.
      }
    }
    const onVisible = () => void ask()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release().catch(() => undefined)
    }
  }, [isWanted])
}
