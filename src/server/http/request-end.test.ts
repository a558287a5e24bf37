import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { onRequestEnd } from './request-end.ts'

test.each(['GET', 'POST'])(
  'a %s is answered, or broken off by its caller, once and not both',
  async (method) => {
    const app = fastify()
    const ends: string[] = []
    onRequestEnd(app, {
      answered: ({ url }, status) => void ends.push(`${url} ${status}`),
      brokenOff: ({ url }) => void ends.push(`${url} broken off`),
    })
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    app.route({
      method,
      url: '/long',
      async handler() {
        begun.resolve()
        await mayEnd.promise
        return { text: 'word '.repeat(10_000) }
      },
    })
    app.route({ method, url: '/short', handler: async (_request, reply) => reply.code(202).send({}) })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    try {
      const json = method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}
      await (await fetch(`${address}/short`, { method, ...json })).text()
      const call = request(`${address}/long`, { method, headers: json.headers })
      call.on('error', () => undefined)
      call.end(json.body)
      await begun.promise
      call.destroy()
      await expect.poll(() => ends).toEqual(['/short 202', '/long broken off'])
      mayEnd.resolve()
      await sleep(50)
      expect(ends).toHaveLength(2)
    } finally {
      await app.close()
    }
  },
)
