import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onNews } from '#web/lib/live.ts'
import { seriesRoot } from './series-queries.ts'

/** Reads again when a session of the account changes elsewhere: paid by the sweep, skipped by the practitioner. */
export function useLiveSeries(): void {
  const client = useQueryClient()
  useEffect(() => {
    const look = () => void client.invalidateQueries({ queryKey: seriesRoot() })
    return onNews(['series.changed', 'session.changed'], look)
  }, [client])
}
