import { useSyncExternalStore } from 'react'
import type { Socket, WebSocket as SocketTransport } from 'socket.io-client'
import type { Acknowledgement, Carried, ClientEvents, ServerEvents } from '#contract/chat/chat.ts'
import type { ErrorAnswer } from '#contract/errors.ts'
import type { LiveEvent } from '#contract/chat/live.ts'
import { ApiError } from './api-error.ts'
import { canChat, chatSession, dropChatSession } from './chat-session.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { onAnotherPerson } from './session.ts'

/*
 * The one socket of this tab, over which the server sends live events. It opens when the page is idle and a client or
 * practitioner is signed in, and it reconnects by itself. Live events may be lost: after each connection the listeners of
 * `onConnected` read the state again over HTTP.
 */

/** `off` for visitors, for accounts that may not chat, and before the first attempt. */
export type Connection = 'off' | 'connecting' | 'connected' | 'lost'

type LiveSocket = Socket<ServerEvents, ClientEvents>

/** What pages listen to; `look` is to them as a connection. */
type Heard = Exclude<keyof ServerEvents, 'look'>

let connection: Connection = 'off'
let socket: LiveSocket | undefined
/** Counts the accounts of this tab: work begun for one must not go on for the next. */
let turn = 0
let retryTimer: ReturnType<typeof setTimeout> | undefined
let failures = 0
/** The token of the chat that the socket was opened with last. */
let offered: string | undefined
let isStarted = false

const connectionListeners = createListeners()
const connectedListeners = createListeners()
const eventListeners: { [E in Heard]: Listeners<[Carried<E>]> } = {
  message: createListeners(),
  read: createListeners(),
  typing: createListeners(),
  signal: createListeners(),
  notice: createListeners(),
}

/** Opens the socket once the page is idle, if the signed-in account can chat. Repeated calls have no effect. */
export function startLive(): void {
  if (isStarted || !canChat()) return
  isStarted = true
  window.addEventListener('online', comeBack)
  window.addEventListener('offline', lose)
  document.addEventListener('visibilitychange', comeBackWhenSeen)
  whenIdle(() => void open(turn))
}

/** Calls the listener on every connection, and at once while connected. Returns the unsubscribe function. */
export function onConnected(listener: () => void): () => void {
  const stop = connectedListeners.add(listener)
  if (connection === 'connected') listener()
  return stop
}

/** Subscribes to a live event. Returns the unsubscribe function. */
export function onLive<E extends Heard>(event: E, listener: (carried: Carried<E>) => void): () => void {
  return eventListeners[event].add(listener)
}

/**
 * Opens the socket, and calls `look` on live events of these types and on every connection, because events may be lost. An
 * event is a hint: read the state over HTTP. Returns the unsubscribe function.
 */
export function onNews<T extends LiveEvent['type']>(
  types: readonly T[],
  look: (event?: Extract<LiveEvent, { type: T }>) => void,
): () => void {
  startLive()
  const stopConnected = onConnected(() => look())
  const stopEvents = onLive('notice', (event) => {
    if (types.some((type) => type === event.type)) look(event as Extract<LiveEvent, { type: T }>)
  })
  return () => {
    stopConnected()
    stopEvents()
  }
}

/** Has a lost socket connect now, rather than after its pause: the server has just been reached in another way. */
export function hurryLive(): void {
  comeBack()
}

/** Whether the socket is there, and whether it has been lost. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    connectionListeners.add,
    () => connection,
    () => 'off',
  )
}

/** Whether what is sent now goes over the socket. */
export function isConnected(): boolean {
  return connection === 'connected'
}

/** Says something that needs no answer; lost when there is no connection. */
export function tellLive(event: 'typing', carried: Parameters<ClientEvents['typing']>[0]): void {
  if (isConnected()) socket?.volatile.emit(event, carried)
}

/**
 * Asks over the socket and waits for the acknowledgement. `undefined` when none came within 8 seconds or the connection went: what was
 * asked for may or may not have been done.
 */
export async function askLive<E extends Asking>(
  event: E,
  carried: Parameters<ClientEvents[E]>[0],
): Promise<Acknowledgement<AnswerTo<E>> | undefined> {
  const asked = socket
  if (!asked || !isConnected()) return undefined
  return new Promise((resolve) => {
    const end = (answer: Acknowledgement<AnswerTo<E>> | undefined) => {
      clearTimeout(timer)
      asked.off('disconnect', onLost)
      resolve(answer)
    }
    // The library would wait out the time for a connection that has gone.
    const onLost = () => end(undefined)
    const timer = setTimeout(onLost, 8000)
    asked.on('disconnect', onLost)
    const emit = asked.emit.bind(asked) as (
      event: string,
      carried: unknown,
      answer: (answer: Acknowledgement<AnswerTo<E>>) => void,
    ) => void
    emit(event, carried, end)
  })
}

/** Events that are acknowledged. */
type Asking = 'send' | 'read' | 'signal'

type AnswerTo<E extends Asking> =
  Parameters<Parameters<ClientEvents[E]>[1]>[0] extends Acknowledgement<infer T> ? T : never

async function open(forTurn: number): Promise<void> {
  clearTimeout(retryTimer)
  if (socket || forTurn !== turn) return
  if (connection === 'off') become('connecting')
  try {
    const [{ io, WebSocket }] = await Promise.all([import('socket.io-client'), chatSession()])
    if (socket || forTurn !== turn) return
    socket = io({
      path: '/socket',
      transports: [closingOnceOpen(WebSocket)],
      timeout: 10_000,
      reconnectionDelay: 500,
      reconnectionDelayMax: 15_000,
      auth: (give: (auth: { token?: string }) => void) => {
        chatSession().then(
          ({ token }) => {
            offered = token
            give({ token })
          },
          () => give({}),
        )
      },
    })
    listenTo(socket, forTurn)
  } catch (error) {
    // An account that may not chat is not retried until the page is opened anew.
    if (error instanceof ApiError && error.code === 'forbidden') {
      become('off')
      return
    }
    // There is no network, or the session has ended.
    become('lost')
    retry(forTurn, () => void open(forTurn))
  }
}

/** Closes a connection that is still being made as soon as it is open: browsers complain of one that is closed before. */
const closingOnceOpen = (Transport: typeof SocketTransport) =>
  class extends Transport {
    override doClose(): void {
      const opening = this.ws as WebSocket | null | undefined
      if (opening?.readyState !== WebSocket.CONNECTING) return super.doClose()
      opening.onopen = () => opening.close()
      opening.onmessage = opening.onerror = opening.onclose = null
      this.ws = null
    }
  }

function listenTo(opened: LiveSocket, forTurn: number): void {
  opened.on('connect', () => {
    failures = 0
    become('connected')
    connectedListeners.call()
  })
  opened.on('disconnect', (reason) => {
    become('lost')
    // The token has ended; the library comes back by itself from everything else.
    if (reason === 'io server disconnect') renew(opened, forTurn)
  })
  opened.on('connect_error', (error) => {
    become('lost')
    if (opened.active) return
    const { code } = ((error as { data?: ErrorAnswer }).data ?? {}) as Partial<ErrorAnswer>
    if (code === 'unauthenticated') renew(opened, forTurn)
    else retry(forTurn, () => opened.connect())
  })
  opened.on('look', connectedListeners.call)
  for (const name of Object.keys(eventListeners) as Heard[]) opened.on(name, eventListeners[name].call)
}

/** Connects again with another token than the one that was refused. One that a call has renewed meanwhile is kept. */
function renew(opened: LiveSocket, forTurn: number): void {
  if (offered !== undefined) dropChatSession(offered)
  retry(forTurn, () => opened.connect())
}

/** Later, and later each time, up to half a minute. */
function retry(forTurn: number, again: () => void): void {
  clearTimeout(retryTimer)
  const wait = Math.min(500 * 2 ** failures++, 30_000) * (0.75 + Math.random() / 2)
  retryTimer = setTimeout(() => {
    if (forTurn === turn && canChat()) again()
  }, wait)
}

/**
 * Reconnects at once, instead of waiting for the next attempt: after `lose` there is none. In the background as well, where
 * a call may go on, or a practitioner wait for requests.
 */
function comeBack(): void {
  if (connection !== 'lost' || !navigator.onLine) return
  failures = 0
  if (!socket) void open(turn)
  else {
    clearTimeout(retryTimer)
    // Ends the pause between two attempts.
    socket.disconnect().connect()
  }
}

function comeBackWhenSeen(): void {
  if (document.visibilityState === 'visible') comeBack()
}

/** The device says that there is no network: what goes over the socket now would be lost without a word. */
function lose(): void {
  socket?.disconnect()
  if (connection !== 'off') become('lost')
}

function become(next: Connection): void {
  if (connection === next) return
  connection = next
  connectionListeners.call()
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2000 })
  else setTimeout(act, 300)
}

onAnotherPerson(() => {
  turn++
  clearTimeout(retryTimer)
  socket?.disconnect()
  socket = undefined
  failures = 0
  isStarted = false
  become('off')
})
