import { serverNow } from './clock.ts'
import { addDays, dayIn, instantAt } from './time.ts'
import { useRenderAt } from './use-render-at.ts'

/** Today in a zone by the server's clock, `2026-06-08`. Renders again at midnight. */
export function useToday(zone: string): string {
  const today = dayIn(serverNow(), zone)
  useRenderAt(instantAt(`${addDays(today, 1)}T00:00`, zone)?.getTime())
  return today
}

/**
 * Noon of today in a zone, as epoch milliseconds: what days are named from, such as "Yesterday". Renders again at midnight
 * alone.
 */
export function useNoonOfToday(zone: string): number {
  const today = useToday(zone)
  return instantAt(`${today}T12:00`, zone)?.getTime() ?? serverNow()
}
