import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientEvents, ServerEvents } from '#contract/chat/chat.ts'
import { isConnected } from '#web/lib/live.ts'
import { endSession, startClientSession } from '#web/lib/session.ts'
import { changeChat, readChat } from './chat-state.ts'
import { loadDialogs, markRead, openConversation, startChat, takeDialog } from './chat-store.ts'
import { keepDraft, keepOutbox, readDraft, readOutbox } from './kept-texts.ts'

/** What the server has: the last message of the one dialog, and how far the account has read it. */
let kept: { last_seq: number; read_seq: number }
/** The messages that the account itself has written, by `seq`. */
let own: number[]
/** Has the server end, where a test has connected to one. */
let stopServer: (() => Promise<void>) | undefined
/** Reads of the list that wait, where a test holds them. */
let held: (() => void)[] | undefined
let listReads: number
/** What reads of the list are answered with. */
let listStatus: number
/** Read marks that were sent, whether or not they arrived. */
let marks: number[]
let isLineCut: boolean
let messageReads: number
let isGone: boolean
/** The ids of many dialogs, last active first, where a test has them in place of the one. */
let many: string[] | undefined

beforeEach(() => {
  kept = { last_seq: 4, read_seq: 1 }
  own = []
  held = undefined
  listReads = 0
  listStatus = 200
  marks = []
  isLineCut = false
  messageReads = 0
  isGone = false
  many = undefined
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { origin: 'http://hearth.test' })
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    const { pathname, searchParams } = new URL(address)
    if (pathname.endsWith('/client/profile/show')) return Response.json({ cc_id: 'me' })
    if (pathname.endsWith('/chat/session')) {
      return Response.json({ token: 'chat', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    }
    if (pathname.endsWith('/chat/messages/read')) {
      const { up_to } = JSON.parse(String(body)) as { up_to: number }
      marks.push(up_to)
      if (isLineCut) throw new TypeError('Failed to fetch')
      kept.read_seq = up_to
      return new Response(null, { status: 204 })
    }
    if (pathname.endsWith('/chat/messages')) {
      messageReads++
      if (isLineCut) throw new TypeError('Failed to fetch')
      if (isGone) return Response.json({ code: 'not_found', message: 'It is gone.' }, { status: 404 })
      const limit = Number(searchParams.get('limit'))
      return Response.json(messagesAfter(Number(searchParams.get('after'))).slice(-limit))
    }
    listReads++
    if (listStatus !== 200) return Response.json({ code: 'x', message: 'Not now.' }, { status: listStatus })
    if (many) return Response.json(pageOf(many, searchParams).map((_id) => ({ ...dialog(), _id })))
    const answer = Response.json([dialog()])
    if (held) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.push(resolve)
      await promise
    }
    return answer
  })
  const user = { first_name: 'Robin', last_name: 'Vale', email: 'robin@example.com' }
  startClientSession({ token: 'token', refresh_token: 'refresh', user })
})
afterEach(async () => {
  endSession()
  vi.useRealTimers()
  await stopServer?.()
  stopServer = undefined
  vi.unstubAllGlobals()
})

test('a read mark that was lost reaches the server after the next read of the list', async () => {
  await loadDialogs()
  isLineCut = true
  await markRead('a', 4)
  expect(readChat().dialogs).toMatchObject([{ read_seq: 4, unread_messages_count: 0 }])
  expect(kept.read_seq).toBe(1)
  isLineCut = false
  await loadDialogs()
  await expect.poll(() => kept.read_seq).toBe(4)
  expect(readChat().dialogs).toMatchObject([{ read_seq: 4, unread_messages_count: 0 }])
})

test('without a socket the list is read every few seconds, on every page', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await connect()
  const reads = listReads
  await vi.advanceTimersByTimeAsync(10_000)
  expect(listReads).toBe(reads)
  await stopServer?.()
  await vi.waitFor(() => expect(isConnected()).toBe(false))
  kept.last_seq = 5
  await vi.advanceTimersByTimeAsync(10_000)
  await vi.waitFor(() =>
    expect(readChat().dialogs).toMatchObject([{ last_seq: 5, unread_messages_count: 4 }]),
  )
  endSession()
  const last = listReads
  await vi.advanceTimersByTimeAsync(20_000)
  expect(listReads).toBe(last)
})

test('a read mark that the server refuses over the socket is sent again after a pause', async () => {
  await connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  isLineCut = true
  await markRead('a', 4)
  expect([marks, kept.read_seq]).toEqual([[4], 1])
  isLineCut = false
  await vi.advanceTimersByTimeAsync(9000)
  expect([marks, kept.read_seq]).toEqual([[4], 1])
  await vi.advanceTimersByTimeAsync(2000)
  await vi.waitFor(() => expect([marks, kept.read_seq]).toEqual([[4, 4], 4]))
  expect(isConnected()).toBe(true)
  const reads = listReads
  await vi.advanceTimersByTimeAsync(20_000)
  expect([marks, listReads]).toEqual([[4, 4], reads])
})

test('a read mark that was lost leaves no own reply counted as unread', async () => {
  kept = { last_seq: 8, read_seq: 5 }
  await loadDialogs()
  isLineCut = true
  await markRead('a', 8)
  isLineCut = false
  own = [9]
  kept.last_seq = 9
  await loadDialogs()
  await expect.poll(() => kept.read_seq).toBe(8)
  await expect.poll(() => readChat().dialogs).toMatchObject([{ last_seq: 9, unread_messages_count: 0 }])
})

test('a read mark of another tab leaves no own reply counted as unread, and the later message of the other', async () => {
  kept = { last_seq: 8, read_seq: 5 }
  const server = await connect()
  own = [9]
  kept = { last_seq: 9, read_seq: 8 }
  for (const message of messagesAfter(8)) server.emit('message', { message })
  const read = { chat_dialog_id: 'a', reader_id: 'me', up_to: 8 }
  server.emit('read', read)
  await expect.poll(() => readChat().dialogs).toMatchObject([{ read_seq: 8, unread_messages_count: 0 }])

  kept.last_seq = 10
  for (const message of messagesAfter(9)) server.emit('message', { message })
  await expect.poll(() => readChat().dialogs).toMatchObject([{ last_seq: 10, unread_messages_count: 1 }])
  const reads = listReads
  kept.read_seq = 10
  server.emit('read', { ...read, up_to: 10 })
  await expect.poll(() => readChat().dialogs).toMatchObject([{ read_seq: 10, unread_messages_count: 0 }])
  expect(listReads).toBe(reads)
})

test('a read mark of another device is taken over, and not sent back', async () => {
  await loadDialogs()
  kept.read_seq = 3
  await loadDialogs()
  expect(readChat().dialogs).toMatchObject([{ read_seq: 3 }])
  expect(marks).toEqual([])
})

test('what changes during a read of the list is read by one more', async () => {
  held = []
  const first = loadDialogs()
  await expect.poll(() => held?.length).toBe(1)
  kept.last_seq = 5
  const all = [first, loadDialogs(), loadDialogs()]
  expect(listReads).toBe(1)
  held[0]?.()
  await expect.poll(() => held?.length).toBe(2)
  expect(readChat().dialogs).toMatchObject([{ last_seq: 4 }])
  held[1]?.()
  await Promise.all(all)
  expect(readChat().dialogs).toMatchObject([{ last_seq: 5 }])
  expect(listReads).toBe(2)
})

test('a message that the list shows is read into the chat that is open, if no event brought it', async () => {
  await openConversation('a')
  await loadDialogs()
  kept.last_seq = 5
  await loadDialogs()
  await expect.poll(() => readChat().conversations.a?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
})

test('messages whose read has failed are read again after a pause, unless the dialog is gone', async () => {
  await openConversation('a')
  const seqs = () => readChat().conversations.a?.messages.map(({ seq }) => seq)
  expect(seqs()).toEqual([1, 2, 3, 4])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const later = () => vi.advanceTimersByTimeAsync(60_000)
  isLineCut = true
  kept.last_seq = 5
  for (let time = 0; time < 3; time++) takeDialog(dialog())
  await vi.waitFor(() => expect(messageReads).toBeGreaterThan(1))
  await vi.advanceTimersByTimeAsync(9000)
  expect(seqs()).toEqual([1, 2, 3, 4])
  isLineCut = false
  await later()
  expect(seqs()).toEqual([1, 2, 3, 4, 5])
  const reads = messageReads
  await later()
  expect(messageReads).toBe(reads)

  kept.last_seq = 6
  isGone = true
  takeDialog(dialog())
  await later()
  expect([messageReads, seqs()?.length]).toEqual([reads + 1, 5])
})

test('messages that come while others before them are missing are counted by the server', async () => {
  await loadDialogs()
  expect(readChat().dialogs).toMatchObject([{ unread_messages_count: 3 }])
  kept.last_seq = 150
  await openConversation('a')
  await expect.poll(() => readChat().dialogs).toMatchObject([{ last_seq: 150, unread_messages_count: 149 }])
})

test('a list whose read has failed is read again after a pause, unless it is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const [status, reads] of [
    [503, 2],
    [429, 4],
    [403, 5],
  ] as const) {
    listStatus = status
    await loadDialogs()
    expect(readChat().dialogsError).toMatchObject({ status })
    listStatus = 200
    await vi.advanceTimersByTimeAsync(60_000)
    await vi.waitFor(() => expect(listReads).toBe(reads))
    expect(readChat().dialogsError === undefined).toBe(status !== 403)
  }
})

test('a chat that moves up while the list is read page by page stays, also when it is open', async () => {
  many = Array.from({ length: 150 }, (_, index) => `dialog ${index}`)
  await loadDialogs()
  await openConversation('dialog 120')
  const reading = loadDialogs()
  await expect.poll(() => listReads).toBe(3)
  many = ['dialog 120', ...many.filter((id) => id !== 'dialog 120')]
  await reading
  expect(readChat().dialogs).toHaveLength(150)
  expect(readChat().conversations['dialog 120']?.status).toBe('ready')

  const failed = { message: 'unsent', written_at: 1, state: 'failed' as const }
  const outbox = ['dialog 120', 'dialog 3'].map((id) => ({ ...failed, _id: `to ${id}`, chat_dialog_id: id }))
  changeChat({ outbox })
  keepOutbox('me', outbox)
  for (const id of ['dialog 120', 'dialog 3']) keepDraft('me', id, 'begun')
  many = many.filter((id) => id !== 'dialog 120')
  await loadDialogs()
  expect(readChat().dialogs).toHaveLength(149)
  expect(readChat().conversations['dialog 120']?.status).toBe('failed')
  // What was written there stays in this tab no longer than the chat.
  expect(readOutbox('me')).toEqual([outbox[1]])
  expect(['dialog 120', 'dialog 3'].map((id) => readDraft('me', id))).toEqual(['', 'begun'])
})

function pageOf(ids: string[], asked: URLSearchParams): string[] {
  const named = asked.get('_id')?.split(',')
  if (named) return ids.filter((id) => named.includes(id))
  const from = ids.indexOf(asked.get('before') ?? '') + 1
  return ids.slice(from, from + Number(asked.get('limit')))
}

const messagesAfter = (after: number) =>
  Array.from({ length: kept.last_seq - after }, (_, index) => ({
    _id: `message ${after + index + 1}`,
    chat_dialog_id: 'a',
    sender_id: own.includes(after + index + 1) ? 'me' : 'other',
    message: 'Hello.',
    date_sent: 1_800_000_000,
    seq: after + index + 1,
  }))

/** Starts the chat with a server for its socket, which is returned. */
async function connect(): Promise<Server<ClientEvents, ServerEvents>> {
  const http = createServer()
  const server = new Server<ClientEvents, ServerEvents>(http, { path: '/socket' })
  stopServer = () => server.close()
  server.on('connection', (socket) => {
    socket.on('read', ({ up_to }, answer) => {
      marks.push(up_to)
      if (isLineCut) return answer({ ok: false, error: { code: 'too_many_requests', message: 'Not now.' } })
      kept.read_seq = up_to
      answer({ ok: true })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  vi.stubGlobal('location', new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`))
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('document', { ...listening, visibilityState: 'visible' })
  for (const [name, stub] of Object.entries(listening)) vi.stubGlobal(name, stub)
  startChat()
  await expect.poll(() => isConnected() && !readChat().isLoadingDialogs).toBe(true)
  return server
}

function dialog() {
  return {
    ...kept,
    _id: 'a',
    extensions: { practitioner: JSON.stringify({ full_name: 'Grace Holloway', provider_types: [] }) },
    unread_messages_count: messagesAfter(kept.read_seq).filter(({ sender_id }) => sender_id !== 'me').length,
    other_read_seq: 4,
    last_message_date_sent: 1_800_000_000,
    closed: null,
    created_at: '2027-01-01T00:00:00Z',
  }
}
