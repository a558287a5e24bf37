import { clocksOf } from '../availability/availability.service.ts'

/**
 * The instant of a start that a client sent, who may send a text of `free_datetime`: `2026-06-09 13:00` on the clocks of
 * a zone, `Europe/London` without one. In an hour that is repeated it is the first; one that is skipped is not offered.
 */
export function startOf(sent: string, timezone: string | null | undefined): Date {
  if (!sent.includes(' ')) return new Date(sent)
  const zone = clocksOf(timezone ?? 'Europe/London')
  const local = Date.parse(`${sent.replace(' ', 'T')}Z`)
  const [instant = local - zone.offsetAt(local)] = zone.instantsOf(local)
  return new Date(instant)
}
