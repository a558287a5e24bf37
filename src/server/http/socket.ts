import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import {
  type Acknowledgement,
  type ClientEvents,
  type Message,
  MessagesAfter,
  ReadMessages,
  SendMessage,
  type ServerEvents,
  Typing,
} from '#contract/chat/chat.ts'
import { Signal } from '#contract/rooms/signals.ts'
import { type Clock, minutes, seconds } from '../clock.ts'
import { fail, type ProductError } from '../errors.ts'
import type { Live } from '../integrations/live/port.ts'
import { inSpan, type Tracing } from '../integrations/tracing/port.ts'
import { addressOfUpgrade } from './address.ts'
import type { SignedIn } from './caller.ts'
import { describeError } from './error-handler.ts'
import type { Internal } from '../library-internals/internals.ts'
import { gatheredPackets } from '../library-internals/gathered-packets.ts'
import { createSlidingLimit } from './sliding-limit.ts'
import { createFlow } from './socket-flow.ts'
import { isOwnOrigin } from './socket-origin.ts'

/** The holder of a chat token. */
type Holder = SignedIn & { tokenHash: Buffer }

/** What the socket's events do; each looks itself whether the caller may. */
export type SocketUseCases = {
  identify(token: string): Promise<Holder | undefined>
  /** Those of some tokens, by their hash in hex, that are good now. */
  stillGood(hashes: Buffer[]): Promise<Set<string>>
  send(caller: SignedIn, body: z.infer<typeof SendMessage>, from: string): Promise<Message>
  read(caller: SignedIn, body: z.infer<typeof ReadMessages>): Promise<{ up_to: number }>
  typing(caller: SignedIn, dialogId: string): Promise<void>
  messagesAfter(
    caller: SignedIn,
    body: z.infer<typeof MessagesAfter>,
  ): Promise<{ messages: Message[]; more: boolean }>
}

type Options = {
  live: Live
  chat: SocketUseCases
  rooms: { signal(caller: SignedIn, signal: Signal): Promise<void> }
  clock: Clock
  publicUrl: string
  trustedProxies: number
  rateLimitScale: number
  /**
   * How often all sign-in sessions are rechecked, in milliseconds. A session that ended on another instance is
   * disconnected within 5 seconds, also without Redis.
   */
  sweepEvery?: number | undefined
  tracing?: Tracing | undefined
  without?: readonly Internal[] | undefined
}

type Data = { holder: Holder; leave?: () => void }
type Connected = Socket<ClientEvents, ServerEvents, Record<string, never>, Data>

const path = '/socket'
/** Of one event from a browser; a message of 4,000 characters, each escaped, takes 48 kB. */
const largestEvent = 64 * 1024
const maxPerAccount = 30
/** Of all sockets of an account, which one alone may send as well. */
const eventsPerMinute = 2400
/** From one address, as many as it may make requests of another kind: each looks a token up. */
const handshakesPerMinute = 3000
/** How long clients have to close their sockets before they are terminated. */
const patience = seconds(1)

/** Serves the chat's socket: who may open it, what its events do, how many and how much at a time. */
export function serveSocket(app: FastifyInstance, options: Options): { open(): number } {
  const { live, chat, rooms, clock, publicUrl, rateLimitScale, sweepEvery = seconds(4), without } = options
  const perMinute = (hits: number) => createSlidingLimit({ hits, window: minutes(1) }, options)
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, Data>({
    path,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: largestEvent,
    connectTimeout: seconds(10),
    pingInterval: seconds(25),
    pingTimeout: seconds(20),
  })
  // Requests stay Fastify's: only upgrades are handed on, below.
  io.attach(createServer())
  /** The network connections of the sockets. */
  const lines = new WeakMap<object, Duplex>()
  const open = new Set<Duplex>()
  const packets = without?.includes('gathered-packets') ? undefined : gatheredPackets()
  io.engine.on('connection', (raw: Raw) => {
    if (raw.request) {
      lines.set(raw, raw.request.socket)
      packets?.gather(raw, raw.request.socket)
    }
    // The request is of no use once the handshake is over, and large.
    raw.request = null
  })
  const events = perMinute(eventsPerMinute)
  const handshakes = perMinute(handshakesPerMinute)
  const underWay = new Set<Promise<void>>()
  /** How many are open, by account. */
  const openBy = new Map<string, number>()
  let isClosing = false

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [asked = ''] = (request.url ?? '').split('?')
    if (asked !== path && asked !== `${path}/`) return refuse(socket, '404 Not Found')
    if (isClosing) return refuse(socket, '503 Service Unavailable')
    if (!isOwnOrigin(request, publicUrl)) return refuse(socket, '403 Forbidden')
    if (!handshakes.isFree(addressOfUpgrade(request, options.trustedProxies))) {
      return refuse(socket, '429 Too Many Requests')
    }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    io.engine.handleUpgrade(request, socket, head)
  })

  io.use((socket, next) => void enter(socket, next))

  async function enter(socket: Connected, next: (refusal?: Error) => void): Promise<void> {
    const refusal = await admit(socket).catch((thrown: unknown) => {
      const data = describeError(thrown, app.log, socket.id)
      return Object.assign(new Error(data.message), { data })
    })
    next(refusal ?? undefined)
  }

  async function admit(socket: Connected): Promise<void> {
    const { token } = socket.handshake.auth
    const holder = typeof token === 'string' && token.length < 200 ? await chat.identify(token) : undefined
    if (!holder) throw fail('unauthenticated', 'Your sign-in to the chat has ended.')
    if ((openBy.get(holder.accountId) ?? 0) >= maxPerAccount) {
      throw fail('too_many_requests', 'The chat is open too many times. Close some of the other windows.')
    }
    socket.data.holder = holder
    socket.handshake.auth = {}
    socket.handshake.headers = {}
  }

  io.on('connection', (socket) => {
    const { holder } = socket.data
    const flow = createFlow({ conn: socket.conn, line: lines.get(socket.conn) }, { clock, rateLimitScale })
    const leave = live.join({
      id: socket.id,
      accountId: holder.accountId,
      deliver: (event, carried) => {
        // The types of an event and of what it carries belong together; the compiler loses that here.
        ;(socket.emit as (name: string, carried: unknown) => boolean)(event, carried)
        flow.check()
      },
      recheck: () => follow(recheck([socket])),
    })
    count(holder.accountId, 1)
    socket.on('disconnect', () => {
      leave()
      count(holder.accountId, -1)
    })

    /** Carries an event out, unless there are too many or it cannot be read, and answers it. */
    const handle = <S extends z.ZodType, T extends object>(
      event: keyof ClientEvents,
      schema: S,
      sent: unknown,
      answer: unknown,
      work: (body: z.infer<S>) => Promise<T>,
    ) => {
      const reply = (acknowledgement: Acknowledgement<T>) => {
        if (typeof answer === 'function') (answer as (value: Acknowledgement<T>) => void)(acknowledgement)
        flow.check()
      }
      const refused = (thrown: unknown) =>
        reply({ ok: false, error: describeError(thrown, app.log, socket.id) })
      if (!flow.take() || !events.isFree(holder.accountId)) return refused(tooMany())
      // What is thrown in here is answered; thrown by the listener itself, it would end the process.
      const handled = inSpan(options.tracing, `socket ${event}`, { kind: 'server' }, async () => {
        const parsed = schema.safeParse(sent)
        if (!parsed.success) throw unreadable(parsed.error)
        return work(parsed.data)
      })
      follow(handled.then((found) => reply({ ok: true, ...found }), refused))
    }

    socket.on('send', (sent, answer) =>
      handle('send', SendMessage, sent, answer, async (body) => {
        if (!flow.begin()) throw tooMany()
        try {
          return { message: await chat.send(holder, body, socket.id) }
        } finally {
          flow.end()
        }
      }),
    )
    socket.on('read', (sent, answer) =>
      handle('read', ReadMessages, sent, answer, async (body) => {
        const { up_to } = await chat.read(holder, body)
        return { up_to }
      }),
    )
    socket.on('typing', (sent) =>
      handle('typing', Typing, sent, undefined, async ({ chat_dialog_id }) => {
        if (flow.maySayTyping(chat_dialog_id)) await chat.typing(holder, chat_dialog_id)
        return {}
      }),
    )
    socket.on('after', (sent, answer) =>
      handle('after', MessagesAfter, sent, answer, (body) => chat.messagesAfter(holder, body)),
    )
    socket.on('signal', (sent, answer) =>
      handle('signal', Signal, sent, answer, async (body) => {
        await rooms.signal(holder, body)
        return {}
      }),
    )
  })

  function count(accountId: string, change: 1 | -1): void {
    const open = (openBy.get(accountId) ?? 0) + change
    if (open > 0) openBy.set(accountId, open)
    else openBy.delete(accountId)
  }

  /** Disconnects sockets whose sign-in session has ended, with a packet so that they do not reconnect with the token. */
  async function recheck(sockets: Connected[]): Promise<void> {
    const good = await chat.stillGood(sockets.map(({ data }) => data.holder.tokenHash))
    for (const socket of sockets) {
      if (!good.has(socket.data.holder.tokenHash.toString('hex'))) socket.disconnect(true)
    }
  }

  async function recheckAll(): Promise<void> {
    const sockets = [...io.of('/').sockets.values()]
    for (let from = 0; from < sockets.length; from += 500) await recheck(sockets.slice(from, from + 500))
  }

  /** Lets work be waited for when the product stops. What goes wrong in it is logged, and the next sweep tries again. */
  function follow(work: Promise<void>): void {
    const followed: Promise<void> = work
      .catch((thrown: unknown) => void describeError(thrown, app.log, 'socket'))
      .then(() => void underWay.delete(followed))
    underWay.add(followed)
  }

  // The end of a sign-in session is broadcast to every instance. The sweep finds those whose broadcast was lost.
  let isSweeping = false
  const sweep = setInterval(() => {
    // A slow database gets no second query of the same kind.
    if (isSweeping) return
    isSweeping = true
    follow(recheckAll().finally(() => (isSweeping = false)))
  }, sweepEvery).unref()

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(sweep)
    // Events under way are finished and acknowledged before sockets are closed.
    await Promise.race([finished(), sleep(patience)])
    packets?.flush()
    io.engine.close()
    setTimeout(() => {
      for (const line of open) line.destroy()
    }, patience).unref()
  })

  async function finished(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return { open: () => io.of('/').sockets.size }
}

type Raw = { request: IncomingMessage | null }

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

const tooMany = () => fail('too_many_requests', 'That was a lot at once. Please wait a moment.')

function unreadable(error: z.ZodError): ProductError {
  const errors: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return fail('validation_failed', 'Please check what you have written.', { errors })
}
