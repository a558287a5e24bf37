import { randomId } from '#web/lib/random-id.ts'
import { tabStorage } from '#web/lib/tab-storage.ts'

/** What a tab keeps of a room across a reload. */
export type KeptDevice = {
  peerId: string
  hasJoined: boolean
  /** Another device of the same person has joined since: camera and microphone stay off until this one joins again. */
  isMoved: boolean
  isMuted: boolean
  isCameraOn: boolean
}

const keyOf = (appointmentId: string) => `room ${appointmentId}`

export function newDevice(): KeptDevice {
  return { peerId: randomId(), hasJoined: false, isMoved: false, isMuted: false, isCameraOn: true }
}

/**
 * The device as which this tab is known in a room. A tab that was duplicated has a copy of what the first one keeps, and
 * becomes another device while that one is open.
 */
export async function openDevice(appointmentId: string): Promise<KeptDevice> {
  const kept = read(appointmentId)
  if (kept && (await isOnlyTab(kept.peerId))) return kept
  const device = newDevice()
  await isOnlyTab(device.peerId)
  keepDevice(appointmentId, device)
  return device
}

export function keepDevice(appointmentId: string, device: KeptDevice): void {
  tabStorage.setItem(keyOf(appointmentId), JSON.stringify(device))
}

function read(appointmentId: string): KeptDevice | undefined {
  try {
    const text = tabStorage.getItem(keyOf(appointmentId))
    return text ? { ...newDevice(), ...(JSON.parse(text) as Partial<KeptDevice>) } : undefined
  } catch {
    return undefined
  }
}

/** Whether no other tab is this device. It stays so until the page is closed. */
function isOnlyTab(peerId: string): Promise<boolean> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing where the page is not secure
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const asked = navigator.locks.request(`room device ${peerId}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      // Held for as long as the page is open.
      return lock && new Promise<void>(() => undefined)
    })
    // Refused where the reader's settings forbid storage, of which another tab has no copy then.
    asked.catch(() => resolve(true))
  })
}
