import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { addressOf, addressOfUpgrade } from './address.ts'

const from = (ip: string) => addressOf({ ip, socket: { remoteAddress: '10.0.0.1' } } as FastifyRequest)

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::99', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['made up', '10.0.0.1'],
])('%s counts as %s', (ip, counted) => {
  expect(from(ip)).toBe(counted)
})

test.each([0, 1, 2])(
  'behind %i proxies, an upgrade counts as the address that Fastify finds',
  async (proxies) => {
    const app = Fastify({ trustProxy: (_address, hop) => hop < proxies })
    app.get('/', (request) => addressOf(request))
    for (const forwarded of [
      undefined,
      '198.51.100.7',
      '198.51.100.7, 203.0.113.9',
      'made up,2001:db8::1',
      '',
    ]) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      const { body } = await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers })
      const upgrade = { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage
      expect(addressOfUpgrade(upgrade, proxies), forwarded).toBe(body)
    }
  },
)
