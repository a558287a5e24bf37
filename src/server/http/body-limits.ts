import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { seconds } from '../clock.ts'
import { fail } from '../errors.ts'
import { answerClientError } from './client-error.ts'

/** How long the handler has to refuse a body itself, in words of its own. */
const handlerPatience = seconds(1)
/** How long a connection stays half open, so that a client that is still sending can read the answer. */
const closingPatience = seconds(1)

/**
 * Stops every request body at the limit of its route (`bodyLimit`), also a body that no handler reads: of a GET, of an
 * unknown address, and of a request answered before its body arrived. Answers 413 unless an answer was sent already, and
 * closes the connection.
 */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const announced = Number(raw.headers['content-length'] ?? 0)
    const isChunked = raw.headers['transfer-encoding'] !== undefined
    const limit = request.routeOptions.bodyLimit ?? 0
    if (announced > limit) {
      closeGently(raw.socket)
      reply.header('connection', 'close')
      // An upload is refused in words of its own.
      if (!request.routeOptions.config.isUpload) {
        return done(fail('payload_too_large', 'That is more than we can accept.'))
      }
    }
    if (!isChunked) return done()

    let received = 0
    let timer: NodeJS.Timeout | undefined
    // A listener makes the body flow, unless it is paused: it waits for its reader as before.
    raw.pause()
    raw.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received <= limit) return
      // The sender is held up by its own connection.
      raw.pause()
      timer ??= setTimeout(() => {
        if (!reply.raw.headersSent) {
          closeGently(raw.socket)
          answerClientError(
            Object.assign(new Error('body too large'), { code: 'ERR_BODY_TOO_LARGE' }),
            raw.socket,
          )
        }
        raw.socket.destroySoon()
      }, handlerPatience)
    })
    raw.once('close', () => clearTimeout(timer))
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (raw.headers['transfer-encoding'] === undefined || raw.complete) return done(null, payload)
    // What is left of the body would be read to no end before the next request.
    closeGently(raw.socket)
    reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Makes the end of a connection wait a moment after the answer was written. Closed at once, with bytes left to read, the
 * connection is reset, and a client that is still sending may never see the answer.
 */
function closeGently(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.writable) socket.end()
    // After what Node does at the end of an answer, which makes the rest of the body flow.
    setImmediate(() => socket.pause())
    setTimeout(() => socket.destroy(), closingPatience)
  }
}
