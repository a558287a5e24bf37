import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Kept in the request: as the key of a `WeakMap`, each request, with all that it refers to, would outlive collections of young
 * objects, which take longer the more there are.
 */
const known = Symbol('address')

declare module 'fastify' {
  interface FastifyRequest {
    [known]?: string
  }
}

/**
 * Returns the network that a rate limit counts a caller by: the IPv4 address, or the /64 of an IPv6 customer. A
 * forwarded value that is no address counts as the proxy itself.
 */
export function addressOf(request: FastifyRequest): string {
  // Fastify reads the forwarded addresses anew each time.
  return (request[known] ??= networkAt(request.ip, request.socket.remoteAddress))
}

/** The same for a request that Fastify does not get. @param trustedProxies how many stand in front of the product */
export function addressOfUpgrade({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const addresses = [socket.remoteAddress ?? '', ...forwarded.map((each) => each.trim()).reverse()]
  return networkAt(addresses[Math.min(trustedProxies, addresses.length - 1)] ?? '', socket.remoteAddress)
}

function networkAt(ip: string, remoteAddress = ''): string {
  const named = isIP(ip) === 0 ? remoteAddress : ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(named)?.[1]
  return mapped ?? (isIP(named) === 6 ? networkOf(named) : named)
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%', 1)
  const [head = '', tail] = withoutZone.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const groups =
    tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
