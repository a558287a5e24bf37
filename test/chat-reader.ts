import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '#contract/chat/chat.ts'
import { connectChat } from './chat-socket.ts'

export type Reader = Awaited<ReturnType<typeof startReader>>

/**
 * One side of a dialog, as a browser is: what comes is put where its number says, what is missing is asked for, and what
 * is sent is sent again, under the same id, until it is acknowledged.
 */
export async function startReader(origin: string, token: string, dialog: string) {
  const { socket } = await connectChat(origin, token, { reconnection: true })
  const read: Message[] = []
  const acknowledged = new Set<string>()
  let asking = false

  async function catchUp(): Promise<void> {
    if (asking || !socket.connected) return
    asking = true
    try {
      for (let more = true; more; ) {
        const answer = await socket
          .timeout(3000)
          .emitWithAck('after', { chat_dialog_id: dialog, after: read.length })
        if (!answer.ok) break
        for (const message of answer.messages) take(message)
        more = answer.more
      }
    } catch {
      // The connection went; the next one asks again.
    } finally {
      asking = false
    }
  }
  function take(message: Message): void {
    if (message.seq === read.length + 1) read.push(message)
    else if (message.seq > read.length) void catchUp()
  }
  socket.on('connect', () => void catchUp())
  socket.on('message', ({ message }) => take(message))

  return {
    socket,
    read,
    acknowledged,
    catchUp,
    async send(text: string): Promise<Message> {
      const _id = crypto.randomUUID()
      for (;;) {
        try {
          if (!socket.connected) throw new Error('away')
          const answer = await socket
            .timeout(3000)
            .emitWithAck('send', { _id, chat_dialog_id: dialog, message: text })
          if (answer.ok) {
            acknowledged.add(_id)
            take(answer.message)
            return answer.message
          }
        } catch {
          // Not acknowledged: it may have been written or not.
        }
        await sleep(20)
      }
    },
    close: () => socket.close(),
  }
}
