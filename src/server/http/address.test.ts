import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

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
