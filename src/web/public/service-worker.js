// Shows a page of its own when the network has gone. Nothing else is kept: pages and answers belong to one person.
const cacheName = 'offline-022194c0'
const offlinePage = '/offline.html'

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
        Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
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
  'waitlist-offer': 'A time has come free for you.',
}

self.addEventListener('push', (event) => {
  let notice = {}
  try {
    notice = event.data?.json() ?? {}
  } catch {
    // Not from us; a browser insists on something to show all the same.
  }
  event.waitUntil(
    self.registration.showNotification('Hearth', {
      body: words[notice.kind] ?? 'There is news for you.',
      tag: `${notice.kind} ${notice.path}`,
      renotify: true,
      requireInteraction: notice.kind === 'instant-offer',
      icon: '/icons/192.png',
      data: { path: typeof notice.path === 'string' ? notice.path : '/' },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const target = new URL(event.notification.data?.path ?? '/', self.location.origin)
  // Whatever it says, nothing but a page of ours is opened.
  const address = target.origin === self.location.origin ? target.href : self.location.origin
  event.waitUntil(show(address))
})

// Pages that another page must not take the place of: a room holds a call, the others a card and its payment.
const kept = /^\/(session-room|book-therapist|(therapist\/)?add-card|pay)\/?$/

async function show(address) {
  const windows = await self.clients.matchAll({ type: 'window' })
  const there = windows.find(({ url }) => url === address)
  if (there) return there.focus()
  const free = windows.find(({ url }) => !kept.test(new URL(url).pathname))
  if (!free) return self.clients.openWindow(address)
  // A page that has gone meanwhile leads nowhere, and one that was led elsewhere is another client.
  const led = await free.navigate(address).catch(() => null)
  return led ? led.focus() : self.clients.openWindow(address)
}
