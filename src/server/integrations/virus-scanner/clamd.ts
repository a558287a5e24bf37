import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { seconds } from '../../clock.ts'
import type { VirusScanner } from './port.ts'

type Options = {
  /** `tcp://host:port` or `unix:/path`. */
  url: string
  /** Milliseconds for the whole of a file. */
  timeLimit?: number
}

/** A verdict is one short line; more is no verdict. */
const maxReplyBytes = 4096

/** Asks ClamAV's daemon, by its INSTREAM command (clamd(8)). */
export function clamdScanner({ url, timeLimit = seconds(60) }: Options): VirusScanner {
  return {
    async isInfected(path) {
      const socket = open(url)
      const signal = AbortSignal.timeout(timeLimit)
      signal.addEventListener('abort', () => socket.destroy(new Error('The virus scanner took too long.')))
      try {
        const [, verdict] = await Promise.all([
          // The daemon may have seen enough before all of it was sent: the verdict decides.
          pipeline(Readable.from(commandFor(path)), socket, { end: false }).catch(() => undefined),
          readReply(socket),
        ])
        return read(verdict)
      } finally {
        socket.destroy()
      }
    },
  }
}

function open(url: string): Socket {
  if (url.startsWith('unix:')) return connect({ path: url.slice('unix:'.length) })
  const { hostname, port } = new URL(url)
  return connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
}

/** Each piece after its length, and a length of 0 at the end. */
async function* commandFor(path: string): AsyncIterable<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    yield lengthOf(piece.length)
    yield piece
  }
  yield lengthOf(0)
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    socket.on('data', (data) => {
      reply += data.toString('latin1')
      if (reply.endsWith('\0')) resolve(reply.slice(0, -1))
      else if (reply.length > maxReplyBytes) reject(new Error('The virus scanner sent no verdict.'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The virus scanner hung up.')))
  })
}

/** The name of what was found is the sender's business as little as ours. */
function read(verdict: string): boolean {
  if (verdict === 'stream: OK') return false
  if (verdict.startsWith('stream: ') && verdict.endsWith(' FOUND')) return true
  throw new Error('The virus scanner could not tell.')
}
