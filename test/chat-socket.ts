import { io, type Socket } from 'socket.io-client'
import type { Acknowledgement, Carried, ClientEvents, Message, ServerEvents } from '#contract/chat/chat.ts'

type Sock = Socket<ServerEvents, ClientEvents>
type Received = { [E in keyof ServerEvents]: Carried<E>[] }
type Options = { origin?: string | null; headers?: Record<string, string>; reconnection?: boolean }

export type ChatSocket = Awaited<ReturnType<typeof connectChat>>

/** Opens the socket of the chat as a browser at `origin` does; what has come by it is kept. @throws what refused it */
export async function connectChat(url: string, token: unknown, options: Options = {}) {
  const { origin = 'http://hearth.test', headers = {}, reconnection = false } = options
  const socket: Sock = io(url, {
    path: '/socket',
    transports: ['websocket'],
    auth: { token },
    extraHeaders: { ...(origin === null ? {} : { origin }), ...headers },
    reconnection,
    reconnectionDelay: 20,
    reconnectionDelayMax: 200,
    forceNew: true,
  })
  const received: Received = { message: [], read: [], typing: [], notice: [], look: [], signal: [] }
  for (const name of Object.keys(received) as (keyof ServerEvents)[]) {
    ;(socket as Socket).on(name, (event: unknown) => (received[name] as unknown[]).push(event))
  }
  if (!reconnection) {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', (error) => {
        socket.close()
        reject(error)
      })
    })
  }
  return {
    socket,
    received,
    send: (dialog: string, message: string, _id: string = crypto.randomUUID()) =>
      socket
        .timeout(20_000)
        .emitWithAck('send', { _id, chat_dialog_id: dialog, message }) as unknown as Promise<
        Acknowledgement<{ message: Message }>
      >,
    close: () => socket.close(),
  }
}
