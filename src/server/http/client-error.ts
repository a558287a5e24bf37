import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorAnswer } from '#contract/errors.ts'

const statusOf: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  ERR_BODY_TOO_LARGE: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers bytes that are not valid HTTP, and so never became a request, in the shape of every other error. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client has disconnected: there is no connection to answer on.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const status = statusOf[error.code ?? ''] ?? 400
    const answer: ErrorAnswer =
      status === 413
        ? { code: 'payload_too_large', message: 'That is more than we can accept.' }
        : { code: 'malformed_request', message: 'The request could not be read.' }
    const body = JSON.stringify(answer)
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  // The body that was too large is left to its own end, which waits until the answer has been read.
  if (error.code !== 'ERR_BODY_TOO_LARGE') socket.destroy(error)
}
