import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useConnection } from '#web/lib/live.ts'

/** A moment without a connection is nobody's business. */
const patience = 1500

/** Says that what is written now goes out later, and that nothing is lost. */
export function ConnectionBar() {
  const connection = useConnection()
  const isLost = connection === 'lost'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (connection === 'connected' || connection === 'off') {
      setShown(false)
      return undefined
    }
    if (!isLost) return undefined
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [connection, isLost])
  return (
    <div aria-live="polite">
      {isShown && (
        <p className="flex animate-appear items-center justify-center gap-2 border-b border-line bg-warning-soft px-4 py-1.5 text-center text-sm text-ink">
          <IconWifiOff aria-hidden size={18} className="shrink-0 text-warning" />
          <span>No connection at the moment. What you write is kept here and sent as soon as it is back.</span>
        </p>
      )}
    </div>
  )
}
