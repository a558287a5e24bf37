import { request } from 'node:http'
import { Readable, Writable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressAnswers } from './compression.ts'
import { handleErrors } from './error-handler.ts'

test('a caller who leaves before a compressed answer begins is no error of ours', async () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const app = fastify({ logger: { stream: sink } })
  handleErrors(app)
  await compressAnswers(app)
  const begun = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  app.post('/long', ({ raw }, reply) => {
    raw.socket.once('close', () => left.resolve())
    begun.resolve()
    // Nothing of it is there yet when they leave.
    return reply.type('text/html').send(new Readable({ read: () => undefined }))
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' }
    const call = request(`${address}/long`, { method: 'POST', headers })
    call.on('error', () => undefined)
    call.end('{}')
    await begun.promise
    call.destroy()
    await left.promise
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(lines.join('')).not.toMatch(/"level":50|request failed/)
  } finally {
    await app.close()
  }
})
