import type { BookingRequest } from './booking-address.ts'

/*
 * Which times this tab is holding, so that a page opened again finds its hold. Whether a hold still runs is the
 * server's to say.
 */

export type KeptHold = { sessionId: string; request: BookingRequest }

/** Where holds are kept; session storage outside of tests. */
export type HoldStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const storageKey = 'bookingHolds'
/** More than the server allows at a time; older ones have long run out. */
const maxKept = 6

/** The session that was started for this request, if any. */
export function findHold(request: BookingRequest, storage?: HoldStorage): string | undefined {
  return readHolds(storage).find((hold) => nameOf(hold.request) === nameOf(request))?.sessionId
}

export function keepHold(hold: KeptHold, storage?: HoldStorage): void {
  const others = readHolds(storage).filter((each) => nameOf(each.request) !== nameOf(hold.request))
  write([hold, ...others].slice(0, maxKept), storage)
}

export function forgetHold(sessionId: string, storage?: HoldStorage): void {
  write(
    readHolds(storage).filter((hold) => hold.sessionId !== sessionId),
    storage,
  )
}

/** Newest first. */
export function readHolds(storage: HoldStorage | undefined = tabStorage()): KeptHold[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isHold) : []
  } catch {
    return []
  }
}

function write(holds: KeptHold[], storage: HoldStorage | undefined = tabStorage()): void {
  try {
    if (holds.length === 0) storage?.removeItem(storageKey)
    else storage?.setItem(storageKey, JSON.stringify(holds))
  } catch {
    // Storage may be full or forbidden. The hold then lives as long as the page.
  }
}

function tabStorage(): HoldStorage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

function nameOf({ practitionerId, serviceId, startsAt, type }: BookingRequest): string {
  return [practitionerId, serviceId, startsAt, type ?? ''].join(' ')
}

function isHold(value: unknown): value is KeptHold {
  if (typeof value !== 'object' || value === null) return false
  const { sessionId, request } = value as Partial<KeptHold>
  return typeof sessionId === 'string' && typeof request?.practitionerId === 'number'
}
