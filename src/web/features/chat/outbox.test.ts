import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startClientSession } from '#web/lib/session.ts'
import { readChat } from './chat-state.ts'
import { loadDialogs } from './chat-store.ts'
import { putIntoOutbox } from './outbox.ts'

/** Messages on their way to the server, by their text. */
let sent: Map<string, PromiseWithResolvers<void>>

beforeEach(() => {
  sent = new Map()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  vi.stubGlobal('fetch', async (address: string, { body, headers }: RequestInit) => {
    const { pathname } = new URL(address)
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? ''
    if (pathname.endsWith('/client/profile/show')) return Response.json({ cc_id: token })
    if (pathname.endsWith('/chat/session')) {
      return Response.json({ token, expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    }
    if (pathname.endsWith('/chat/dialogs')) return Response.json([])
    const message = JSON.parse(String(body)) as { message: string }
    const way = Promise.withResolvers<void>()
    sent.set(message.message, way)
    await way.promise
    return Response.json({ ...message, seq: 1, sender_id: token, date_sent: 1_800_000_000 })
  })
})
afterEach(() => {
  endSession()
  vi.unstubAllGlobals()
})

test('what is written while a message of who was signed in before is on its way is sent after it', async () => {
  await signIn('robin')
  putIntoOutbox('a', 'from Robin')
  await expect.poll(() => sent.has('from Robin')).toBe(true)
  endSession()
  await signIn('sam')
  putIntoOutbox('b', 'from Sam')
  expect(sent.has('from Sam')).toBe(false)
  sent.get('from Robin')?.resolve()
  await expect.poll(() => sent.has('from Sam')).toBe(true)
  sent.get('from Sam')?.resolve()
  await expect.poll(() => readChat().outbox).toEqual([])
})

async function signIn(name: string): Promise<void> {
  const user = { first_name: name, last_name: 'Vale', email: `${name}@example.com` }
  startClientSession({ token: name, refresh_token: 'refresh', user })
  await loadDialogs()
  expect(readChat().ownId).toBe(name)
}
