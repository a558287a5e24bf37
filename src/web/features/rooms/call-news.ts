import { useEffect, useRef } from 'react'
import { announce } from '#web/lib/announce.ts'
import type { CallState } from './call-types.ts'

/** Says aloud when the connection goes and comes back. */
export function useConnectionNews(state: CallState | undefined, name: string): void {
  const phase = state?.phase
  const wasLost = useRef(false)
  useEffect(() => {
    if (phase === 'reconnecting' && !wasLost.current) {
      wasLost.current = true
      announce('Reconnecting…')
    } else if (phase === 'connected') {
      announce(wasLost.current ? 'You are connected again.' : `You and ${name} are connected.`)
      wasLost.current = false
    }
  }, [phase, name])
}

/** Says aloud when the other person is muted, and when they are heard again: silence alone could be anything. */
export function useMuteNews(state: CallState | undefined, name: string): void {
  // Not known while it is connecting anew.
  const isMuted = state?.phase === 'connected' ? state.other?.isMuted : undefined
  const said = useRef(false)
  useEffect(() => {
    if (isMuted === undefined || isMuted === said.current) return
    announce(`${name} is ${isMuted ? '' : 'no longer '}muted.`)
    said.current = isMuted
  }, [isMuted, name])
}
