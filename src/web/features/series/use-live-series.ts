import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onConnected, onLiveEvent, startLive } from '#web/lib/live.ts'
import { seriesRoot } from './series-queries.ts'

/** Reads again when a session of the account changes elsewhere: paid by the sweep, skipped by the practitioner. */
export function useLiveSeries(): void {
  const client = useQueryClient()
  useEffect(() => {
    startLive()
    const look = () => void client.invalidateQueries({ queryKey: seriesRoot() })
    const stops = [
      onConnected(look),
      onLiveEvent('series.changed', look),
      onLiveEvent('session.changed', look),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
}
