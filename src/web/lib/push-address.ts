/**
 * Has the service worker forget at which address notifications reached this browser: a subscription that is made later is
 * not the same one at another address.
 */
export async function forgetPushAddress(): Promise<void> {
  await caches.delete('push-address')
}
