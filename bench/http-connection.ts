import { connect, type Socket } from 'node:net'

export type HttpRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: unknown
}

export type HttpAnswer = { status: number; milliseconds: number; body(): string }

/**
 * One kept-alive connection that asks one thing at a time: no more of HTTP than a load needs, as everything it does
 * takes time from what is measured on the same machine.
 */
export type HttpConnection = {
  ask(request: Buffer): Promise<HttpAnswer>
  isOpen(): boolean
  close(): void
}

/** The bytes of a request, made once for however often it is sent. */
export function requestBytes({ method, path, headers = {}, body }: HttpRequest): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`)
}

const endOfHead = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

export function openConnection(origin: string): Promise<HttpConnection> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let received: Buffer[] = []
    let size = 0
    let need: number | 'last chunk' | undefined
    let headSize = 0
    let status = 0
    let startedAt = 0
    let settle: { done: (answer: HttpAnswer) => void; failed: (error: Error) => void } | undefined
    let lost: Error | undefined

    const fail = (error: Error) => {
      lost ??= error
      reject(error)
      settle?.failed(error)
      settle = undefined
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The connection was closed.')))
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      size += chunk.length
      if (need === undefined && !readHead()) return
      if (!complete(chunk)) return
      const answer = {
        status,
        milliseconds: performance.now() - startedAt,
        body: bodyOf(received, headSize, need),
      }
      const waiting = settle
      settle = undefined
      waiting?.done(answer)
    })
    socket.once('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, failed) => {
            if (lost) return failed(lost)
            received = []
            size = 0
            need = undefined
            settle = { done, failed }
            startedAt = performance.now()
            socket.write(request)
          }),
        isOpen: () => lost === undefined,
        close: () => socket.destroy(),
      }),
    )

    function readHead(): boolean {
      const all = received.length === 1 ? received[0]! : Buffer.concat(received)
      received = [all]
      const end = all.indexOf(endOfHead)
      if (end < 0) return false
      const head = all.toString('latin1', 0, end)
      headSize = end + endOfHead.length
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      need = length !== undefined ? headSize + Number(length) : 'last chunk'
      return true
    }

    function complete(newest: Buffer): boolean {
      if (need !== 'last chunk') return size >= (need ?? 0)
      if (newest.length >= lastChunk.length) return newest.subarray(-lastChunk.length).equals(lastChunk)
      return Buffer.concat(received).subarray(-lastChunk.length).equals(lastChunk)
    }
  })
}

/** Reads what was received only when it is asked for. */
const bodyOf =
  (received: readonly Buffer[], headSize: number, need: number | 'last chunk' | undefined) => (): string => {
    const all = Buffer.concat(received).subarray(headSize)
    return need === 'last chunk' ? unchunk(all) : all.toString()
  }

function unchunk(chunked: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = chunked.indexOf('\r\n', at)
    const length = Number.parseInt(chunked.toString('latin1', at, lineEnd), 16)
    if (!(length > 0)) return Buffer.concat(parts).toString()
    parts.push(chunked.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
}
