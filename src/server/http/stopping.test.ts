import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveStopping } from './stopping.ts'

test('an answer that its reader leaves lying is given up, so that the stop goes on', async () => {
  const app = Fastify()
  const stopping = serveStopping(app, { sockets: 2000, answers: 300 })
  app.get('/film', (_request, reply) => {
    const film = Readable.from(
      (function* () {
        for (let part = 0; part < 1000; part++) yield Buffer.alloc(100_000)
      })(),
    )
    return reply.send(film)
  })
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return 'whole'
  })
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const reader = connect(port)
  reader.on('error', () => undefined)
  reader.write('GET /film HTTP/1.1\r\nHost: hearth.test\r\n\r\n')
  await new Promise((resolve) => reader.once('readable', resolve))
  const slow = fetch(`http://127.0.0.1:${port}/slow`)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await stopping.finish()
  expect(await (await slow).text()).toBe('whole')
  await app.close()
  reader.destroy()
})
