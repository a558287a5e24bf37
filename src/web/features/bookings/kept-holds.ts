import { type TextStorage, tabStorage } from '#web/lib/tab-storage.ts'
import { tabTextPrefix } from '#web/lib/tab-texts.ts'
import type { BookingRequest } from './booking-address.ts'

/*
 * Which times this tab is holding, so that a page opened again finds its hold. Whether a hold still runs is the
 * server's to say. Signing out removes them.
 */

export type KeptHold = { sessionId: string; request: BookingRequest }

const storageKey = `${tabTextPrefix}bookingHolds`
/** More than the server allows at a time; older ones have long run out. */
const maxKept = 6

/** The session that was started for this request, if any. */
export function findHold(request: BookingRequest, storage?: TextStorage): string | undefined {
  return readHolds(storage).find((hold) => nameOf(hold.request) === nameOf(request))?.sessionId
}

export function keepHold(hold: KeptHold, storage?: TextStorage): void {
  const others = readHolds(storage).filter((each) => nameOf(each.request) !== nameOf(hold.request))
  write([hold, ...others].slice(0, maxKept), storage)
}

export function forgetHold(sessionId: string, storage?: TextStorage): void {
  write(
    readHolds(storage).filter((hold) => hold.sessionId !== sessionId),
    storage,
  )
}

/** Newest first. */
export function readHolds(storage: TextStorage = tabStorage): KeptHold[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isHold) : []
  } catch {
    return []
  }
}

function write(holds: KeptHold[], storage: TextStorage = tabStorage): void {
  if (holds.length === 0) storage.removeItem(storageKey)
  else storage.setItem(storageKey, JSON.stringify(holds))
}

function nameOf({ practitionerId, serviceId, startsAt, type }: BookingRequest): string {
  return [practitionerId, serviceId, startsAt, type ?? ''].join(' ')
}

function isHold(value: unknown): value is KeptHold {
  if (typeof value !== 'object' || value === null) return false
  const { sessionId, request } = value as Partial<KeptHold>
  return typeof sessionId === 'string' && typeof request?.practitionerId === 'number'
}
