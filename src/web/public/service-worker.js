// Shows a page of its own when the network has gone. Nothing else is kept: pages and answers belong to one person.
const cacheName = 'offline-575282ee'
const offlinePage = '/offline.html'
// Of this browser at its push service, as the server knows it.
const addressCache = 'push-address'

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(cacheName).then((cache) => cache.add(new Request(offlinePage, { cache: 'reload' }))),
  )
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name !== cacheName && name !== addressCache)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.waitUntil(closeOverdue())
  event.waitUntil(followAddress().catch(() => undefined))
  event.respondWith(
    fetch(event.request).catch(async (error) => {
      const page = await caches.match(offlinePage)
      if (page) return page
      throw error
    }),
  )
})

// Notices say that there is something, and never what: they lie on lock screens.
const words = {
  message: 'You have a new message.',
  'instant-offer': 'A client asks for help right now. You have two minutes to accept.',
  session: 'There is news about one of your sessions.',
  'session-begins': 'Your session begins now.',
  'waitlist-offer': 'A time has come free for you.',
}

// By the clock: such a notification stays on the screen, also of a device that sleeps, until it is closed.
const wordsUntil = {
  'instant-offer': (until) => `A client asks for help right now. You can accept until ${clockTime(until)}.`,
}

// For one that the push service kept for too long. A device's clock may be wrong, so that it may still be asked for.
const wordsOver = {
  'instant-offer': 'A client asked for help right now. The time to accept has most likely passed.',
}

function clockTime(instant) {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(instant)
}

self.addEventListener('push', (event) => {
  let notice = {}
  try {
    notice = event.data?.json() ?? {}
  } catch {
    // Not from us; a browser insists on something to show all the same.
  }
  // One after the other: of two with the same tag, closing the former would close the new one.
  event.waitUntil(
    closeOverdue()
      .catch(() => undefined)
      .then(() => showNotice(notice)),
  )
  event.waitUntil(followAddress().catch(() => undefined))
})

// A push service may give a browser another address. The former one with its secret shows the server whose it is, since a
// worker has no token. What could not be sent is sent with the next page.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    (async () => {
      const known = await knownAddress()
      const { pushManager } = self.registration
      const next =
        event.newSubscription ??
        (await pushManager.getSubscription()) ??
        (known?.key &&
          (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: known.key })))
      await followAddress(next)
    })(),
  )
})

// From a page that signs out without reaching the server, and may have none of its own scripts for it.
self.addEventListener('message', (event) => {
  if (event.data === 'push') event.waitUntil(endPush())
})

async function endPush() {
  const subscription = await self.registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
  await caches.delete(addressCache)
}

async function followAddress(given) {
  const subscription = given ?? (await self.registration.pushManager?.getSubscription())
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  const known = await knownAddress()
  if (known?.endpoint === endpoint) return
  if (known) {
    const answer = await fetch('/api/v7/notices/push/renew', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint, keys, former: { endpoint: known.endpoint, auth: known.auth } }),
      credentials: 'omit',
    })
    // No former address is that of a browser that was signed out, or that the page has subscribed anew.
    if (!answer.ok && answer.status !== 404) return
  }
  const bytes = new Uint8Array(subscription.options?.applicationServerKey ?? [])
  const key = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  const cache = await caches.open(addressCache)
  await cache.put('/', Response.json({ endpoint, auth: keys.auth, key: key || known?.key }))
}

async function knownAddress() {
  const kept = await caches.match('/', { cacheName: addressCache })
  return kept?.json()
}

// `seconds` count from when it was sent, `ends_at` is the end by the server's clock: whichever comes first is said.
function showNotice({ kind, path, role, seconds, ends_at: endsAt }) {
  const until =
    seconds > 0 ? Math.min(Date.now() + seconds * 1000, Date.parse(endsAt) || Infinity) : undefined
  const isOver = until <= Date.now()
  const said = isOver ? wordsOver[kind] : until && wordsUntil[kind]?.(until)
  return self.registration.showNotification('Hearth', {
    body: said ?? words[kind] ?? 'There is news for you.',
    tag: `${kind} ${path}`,
    renotify: true,
    requireInteraction: kind === 'instant-offer' && !isOver,
    icon: '/icons/192.png',
    data: { path: typeof path === 'string' ? path : '/', role, until },
  })
}

// A worker is stopped soon after an event, so that what is over is closed at the next one.
async function closeOverdue() {
  // Safari knows notifications only once the page is on the home screen.
  const shown = (await self.registration.getNotifications?.()) ?? []
  for (const notification of shown) {
    if (notification.data?.until <= Date.now()) notification.close()
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path = '/', role } = event.notification.data ?? {}
  const target = new URL(path, self.location.origin)
  // Whatever it says, nothing but a page of ours is opened.
  event.waitUntil(show(target.origin === self.location.origin ? target : new URL(self.location.origin), role))
})

// Pages that another page must not take the place of: a room holds a call, the others a card and its payment.
const kept =
  /^\/(session-room|book-therapist|(therapist\/)?add-card|pay|get-help\/search-therapist|series|therapist\/subscription)\/?$/

// The page of a role leads on who is signed in with it, also in another tab.
const entrances = { client: '/sign-in', therapist: '/therapist/sign-in' }

async function show({ href, pathname, search, hash }, role) {
  const windows = await self.clients.matchAll({ type: 'window' })
  const entrance = entrances[role]
  const address = entrance ? `${entrance}?return_to=${encodeURIComponent(pathname + search + hash)}` : href
  const there = windows.find(({ url }) => url === href)
  if (there) return focus(there, address)
  // While tabs of another role are open, no tab is led away: it may be one of those.
  const isLeading = !entrance || !(await isAnotherIn(role))
  const free = isLeading && windows.find(({ url }) => !kept.test(new URL(url).pathname))
  if (!free) return self.clients.openWindow(address)
  // A page that has gone meanwhile leads nowhere, and one that was led elsewhere is another client.
  const led = await free.navigate(address).catch(() => null)
  return led ? focus(led, address) : self.clients.openWindow(address)
}

// iOS may refuse to focus a page, such as one that it has suspended.
function focus(client, address) {
  return client.focus().catch(() => self.clients.openWindow(address))
}

// Whether a tab is signed in with another role. Each tab holds the lock of its role.
async function isAnotherIn(role) {
  const { held = [] } = (await self.navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name.startsWith('hearth-role:') && name !== `hearth-role:${role}`)
}
