import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { announce } from '#web/lib/announce.ts'
import { isConnected, useConnection } from '#web/lib/live.ts'

/** Milliseconds before a lost connection is shown: short gaps are not. */
const patience = 1500

/** Says that what is written now goes out later, and that nothing is lost. */
export function ConnectionBar() {
  const connection = useConnection()
  return <div aria-live="polite">{connection === 'lost' && <Lost />}</div>
}

function Lost() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!isShown) return undefined
    return () => {
      // It also goes with its page.
      if (isConnected()) announce('You are connected again.')
    }
  }, [isShown])
  if (!isShown) return null
  return (
    <p className="flex animate-appear items-center justify-center gap-2 border-b border-line bg-warning-soft px-4 py-1.5 text-sm text-ink">
      <IconWifiOff aria-hidden size={18} className="shrink-0 text-warning" />
      <span>
        You are not connected at the moment. What you write is kept here and sent as soon as possible.
      </span>
    </p>
  )
}
