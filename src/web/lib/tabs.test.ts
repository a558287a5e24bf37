import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

/* Two tabs of a browser, each with modules of its own; the second one is opened as a copy of the first. */

type Answer = { status: number; body: unknown }

let server: Server
/** The calls in their order, each with the refresh token that it was made with. */
let asked: string[]
let answer: (call: string) => Answer | Promise<Answer>
let tabs: Tab[]

const person = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' }
const signedIn = (name: string, user = person): Answer => ({
  status: 200,
  body: { token: `token-${name}`, refresh_token: `refresh-${name}`, user },
})
const refused: Answer = { status: 401, body: { code: 'unauthenticated', message: 'Please sign in again.' } }
const away: Answer = {
  status: 503,
  body: { code: 'unavailable', message: 'We are very busy at the moment.' },
}

beforeEach(async () => {
  asked = []
  tabs = []
  server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const token = text && (JSON.parse(text) as { refresh_token?: string }).refresh_token
      const call = `${request.url?.split('/').at(-1)} ${token || request.headers.authorization}`
      asked.push(call)
      const { status, body } = await answer(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })()
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const { port } = server.address() as AddressInfo
  Object.assign(globalThis, {
    window: globalThis,
    location: { origin: `http://127.0.0.1:${port}`, pathname: '/my-sessions', search: '' },
  })
})

afterEach(async () => {
  for (const { session } of tabs) session.endSession()
  server.closeAllConnections()
  await new Promise((closed) => {
    server.close(closed)
  })
  for (const name of ['window', 'location', 'sessionStorage']) Reflect.deleteProperty(globalThis, name)
})

// The modules of the last tab follow its session, and the next file's tests would be given them.
afterAll(() => void vi.resetModules())

type Tab = Awaited<ReturnType<typeof openTab>>

/** Opens a tab whose storage holds what is given. It is not settled yet. */
async function openTab(stored: Record<string, string> = {}) {
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => void (stored[name] = value),
    removeItem: (name: string) => void Reflect.deleteProperty(stored, name),
  }
  Object.assign(globalThis, { sessionStorage: Object.setPrototypeOf(stored, methods) as unknown })
  vi.resetModules()
  const session = await import('./session.ts')
  const { callApi } = await import('./api.ts')
  const { announceSignOut, settleTab } = await import('./tabs.ts')
  // From here on it knows its session without the storage, which is the next tab's.
  session.readSession()
  const tab = { stored, session, callApi, announceSignOut, settle: () => settleTab(location) }
  tabs.push(tab)
  return tab
}

/** A signed-in tab, and one that was copied from it. */
async function copied(): Promise<[first: Tab, copy: Tab]> {
  const first = await openTab()
  first.session.startClientSession(
    signedIn('1').body as Parameters<typeof first.session.startClientSession>[0],
  )
  await first.settle()
  return [first, await openTab({ ...first.stored })]
}

test('a copied tab that the server could not sign in asks the open tab before it renews its tokens', async () => {
  const [first, copy] = await copied()
  answer = () => away
  await copy.settle()
  await vi.waitFor(() => expect(asked).toEqual(['hand-over refresh-1']))

  answer = (call) => {
    if (call === 'show Bearer token-1') return refused
    if (call === 'show Bearer token-2') return { status: 200, body: {} }
    return signedIn('2')
  }
  await copy.callApi('GET /client/profile/show')
  // The refresh token of both is not spent: the first tab still renews by it.
  expect(asked.slice(1)).toEqual(['show Bearer token-1', 'hand-over refresh-1', 'show Bearer token-2'])
  expect(copy.session.readSession()).toMatchObject({ refreshToken: 'refresh-2' })
  expect(first.session.readSession()).toMatchObject({ refreshToken: 'refresh-1' })
})

test('a copied tab whose person changes while the server signs it in keeps the tokens of the new one', async () => {
  const [, copy] = await copied()
  const { promise: signedOut, resolve: signOut } = Promise.withResolvers<void>()
  answer = async () => {
    await signedOut
    return signedIn('2')
  }
  await copy.settle()
  await vi.waitFor(() => expect(asked).toEqual(['hand-over refresh-1']))
  const bea = { ...person, email: 'bea@example.com' }
  copy.session.endSession()
  copy.session.startClientSession({ token: 'token-b', refresh_token: 'refresh-b', user: bea })
  signOut()
  answer = (call) => (call === 'show Bearer token-b' ? refused : signedIn('c'))
  await copy.callApi('GET /client/profile/show').catch(() => undefined)
  expect(asked).toEqual([
    'hand-over refresh-1',
    'show Bearer token-b',
    'refresh-token refresh-b',
    'show Bearer token-c',
  ])
  expect(copy.session.readSession()).toMatchObject({ refreshToken: 'refresh-c', user: { email: bea.email } })
})

test('signing out in any way leaves nothing behind that was written in the tab', async () => {
  const [, tab] = await copied()
  const { keepTabText } = await import('./tab-texts.ts')
  keepTabText('chat-1', 'A canary.')
  expect(Object.values(tab.stored)).toContain('A canary.')
  const others = Object.keys(tab.stored).length - 1
  tab.announceSignOut()
  expect(Object.values(tab.stored)).not.toContain('A canary.')
  expect(Object.keys(tab.stored)).toHaveLength(others)
})

test('a new tab on a device that stays signed in comes alive though another one is frozen as it signs in', async () => {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const frozen = navigator.locks.request('hearth-resume', () => thawed)
  vi.stubGlobal('document', { cookie: 'hearth_stays_client=yes' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  try {
    const tab = await openTab()
    await tab.settle().catch(() => undefined)
    expect(tab.session.readSession().role).toBe('anonymous')
    expect(asked).toEqual([])
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    thaw()
    await frozen
  }
})

test('a new tab waits for an open tab of its role that answers late', async () => {
  const Channel = BroadcastChannel
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      override postMessage(message: { type: string }) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
        const send = () => super.postMessage(message)
        if (message.type === 'here') setTimeout(send, 400)
        else send()
      }
    },
  )
  try {
    const first = await openTab()
    first.session.startClientSession(
      signedIn('1').body as Parameters<typeof first.session.startClientSession>[0],
    )
    await first.settle()
    const second = await openTab()
    answer = () => signedIn('2')
    await second.settle()
    expect(asked).toEqual(['hand-over refresh-1'])
    expect(second.session.readSession()).toMatchObject({ role: 'client', refreshToken: 'refresh-2' })
  } finally {
    vi.unstubAllGlobals()
  }
})
