import { callApi } from '#web/lib/api.ts'
import { BrowserError } from '#web/lib/api-error.ts'
import { endSubscription, endUnlessShared, readSubscription } from '#web/lib/push-subscription.ts'
import { readSession } from '#web/lib/session.ts'
import { serviceWorkerPath } from '#web/lib/trusted-types.ts'

/** What this browser can do about notifications; with the address of its own at the push service, where it has one. */
export type PushAbility =
  | { state: 'missing' }
  | { state: 'denied' }
  | { state: 'ready'; endpoint: string | undefined }

/** @param pushKey the server's: a subscription with an earlier one shows nothing more, and counts as none */
export async function pushAbility(pushKey: string): Promise<PushAbility> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    return { state: 'missing' }
  }
  if (Notification.permission === 'denied') return { state: 'denied' }
  try {
    const subscription = await readSubscription()
    const key = subscription?.options.applicationServerKey
    const isUsable = !key || base64UrlOf(key) === pushKey
    return { state: 'ready', endpoint: isUsable ? subscription?.endpoint : undefined }
  } catch {
    // Refused where the reader's settings forbid storage.
    return { state: 'missing' }
  }
}

/** Asks the browser, and tells the server where to send. @throws BrowserError, ApiError */
export async function turnPushOn(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new BrowserError('Your browser was not allowed to show notifications.')
  }
  const registration =
    (await navigator.serviceWorker.getRegistration()) ??
    (await navigator.serviceWorker.register(serviceWorkerPath))
  await workerReady()
  await save(await subscribe(registration, pushKey))
}

/**
 * Has this browser's notifications follow a fresh sign-in. Those of its account last as long as the new sign-in does. Those of
 * another account end, unless they may be those of the other role, which is signed in here as well. @throws ApiError
 */
export async function followSignIn(): Promise<void> {
  const subscription = await readSubscription()
  if (!subscription) return
  const { push_endpoints: endpoints } = await callApi('GET /notices')
  if (endpoints.includes(subscription.endpoint)) await save(subscription)
  else await endUnlessShared(readSession().role)
}

/** Has the server send to this browser for as long as this sign-in lasts. @throws ApiError */
async function save(subscription: PushSubscription): Promise<void> {
  const { keys } = subscription.toJSON()
  await callApi('POST /notices/push', {
    body: {
      endpoint: subscription.endpoint,
      keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    },
  })
}

/** Milliseconds in which a worker starts, with the page that it keeps, also by a slow network. */
const patience = 20_000

/** A worker that cannot be installed, as without room for the page that it keeps, would be waited for without end. */
async function workerReady(): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new BrowserError('Your browser did not turn them on. Please try again later.')),
    patience,
  )
  await Promise.race([navigator.serviceWorker.ready, late]).finally(() => clearTimeout(timer))
}

/** Takes the browser's address back, from the server first. @throws ApiError */
export async function turnPushOff(): Promise<void> {
  const subscription = await readSubscription()
  if (!subscription) return
  await callApi('POST /notices/push/remove', { body: { endpoint: subscription.endpoint } })
  await endSubscription()
}

/** One that was made with another key cannot be used any more. */
async function subscribe(
  registration: ServiceWorkerRegistration,
  pushKey: string,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: pushKey }
  try {
    return await registration.pushManager.subscribe(options)
  } catch (error) {
    const present = await registration.pushManager.getSubscription()
    if (!present) {
      throw new BrowserError(
        'Your browser did not turn them on. In a private window they do not work; otherwise, please try again later.',
        { cause: error },
      )
    }
    await endSubscription()
    return registration.pushManager.subscribe(options)
  }
}

function base64UrlOf(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
