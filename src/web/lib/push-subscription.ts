import { callApi } from './api.ts'
import type { Session } from './session.ts'
import { stayingRoles } from './staying.ts'

/** This browser's subscription at its push service. @throws where the reader's settings forbid workers */
export async function readSubscription(): Promise<PushSubscription | null | undefined> {
  return (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()
}

/**
 * Ends this browser's subscription, at its push service alone. The service worker forgets its address: a subscription that is
 * made later is not the same one at another address.
 */
export async function endSubscription(): Promise<void> {
  const subscription = await readSubscription()
  if (!subscription) return
  await subscription.unsubscribe()
  await caches.delete('push-address')
}

/** As `endSubscription`, unless the subscription may be that of the other role, which is signed in here as well. */
export async function endUnlessShared(role: Session['role']): Promise<void> {
  const other = role === 'client' ? 'therapist' : 'client'
  // A tab that is signed in with a role holds the lock of `tabs.ts`.
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const isHere = stayingRoles().includes(other) || held.some(({ name }) => name === `hearth-role:${other}`)
  if (!isHere) await endSubscription()
}

/**
 * Ends notifications of the account that signs out, also by an earlier sign-in, and closes those on the screen. The
 * subscription of another account goes on.
 */
export async function leavePush(role: Session['role']): Promise<void> {
  const subscription = await readSubscription()
  if (subscription && role !== 'admin') {
    const body = { endpoint: subscription.endpoint }
    await callApi('POST /notices/push/remove', { body, timeout: 2000 }).catch(() => endUnlessShared(role))
  }
  const registration = await navigator.serviceWorker.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  for (const each of shown) if ((each.data as { role?: string } | null)?.role === role) each.close()
}
