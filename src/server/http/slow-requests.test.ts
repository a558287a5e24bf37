import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { answerClientError } from './client-error.ts'
import { hangUpOnSlowRequests } from './slow-requests.ts'

const app = Fastify({ clientErrorHandler: answerClientError })
afterEach(() => app.close())

test('a client that sends a request too slowly is disconnected, except from uploads', async () => {
  hangUpOnSlowRequests(app, 100)
  app.post('/form', async () => 'done')
  app.post('/file', { config: { isUpload: true } }, async () => 'done')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(origin).port)
  /** Sends half of a body, and the rest after a while. */
  const slowly = (path: string) =>
    new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.on('data', (data) => (answer += data.toString()))
      socket.on('error', () => undefined)
      socket.on('close', () => done(answer.split('\r\n')[0] ?? ''))
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
      )
      setTimeout(() => socket.writable && socket.write('}'), 400)
    })
  expect(await slowly('/form')).toBe('HTTP/1.1 408 Request Timeout')
  expect(await slowly('/file')).toBe('HTTP/1.1 200 OK')
})
