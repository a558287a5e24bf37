import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigation } from 'react-router'
import { useLate } from '#web/lib/use-late.ts'
import { showToast } from '#web/ui/Toast.tsx'

/** A navigation that takes less than this needs no feedback. */
const pendingAfterMs = 150
/** A screen reader reads the next page's title anyway; before that, only a long wait is announced. */
const announcedAfterMs = 1500

/** On every page: that the next one is on its way, and that the network is gone. */
export function PageStatus() {
  const isNavigating = useNavigation().state !== 'idle'
  const isLate = useLate(isNavigating, pendingAfterMs)
  const isLong = useLate(isNavigating, announcedAfterMs)
  const isOnline = useOnline()
  return (
    <>
      {isLate && <div aria-hidden className="pending-bar" />}
      <section aria-label="Page status" aria-live="polite">
        {isLong && <p className="sr-only">Loading</p>}
        {!isOnline && (
          <p className="border-b border-line bg-warning-soft px-4 py-2 text-center text-sm">
            <strong>You are offline.</strong> What is on this page stays. You can go on when you are connected
            again.
          </p>
        )}
      </section>
    </>
  )
}

/** Whether the browser has a network, as far as it knows. Being back is announced. */
function useOnline(): boolean {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  const wasOnline = useRef(isOnline)
  useEffect(() => {
    if (isOnline && !wasOnline.current) showToast('You are back online.')
    wasOnline.current = isOnline
  }, [isOnline])
  return isOnline
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
