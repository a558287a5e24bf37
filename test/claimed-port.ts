import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Pairs of ports below those that Linux, macOS and Windows choose by themselves, so that no socket gets one of these that
 * has not named it.
 */
const range = { first: 20_000, pairs: 5_000 }

export type ClaimedPort = {
  port: number
  release(): Promise<void>
}

/**
 * Claims a free port of this machine, for a server that starts later, and restarts on the same one. The claim is a socket
 * on the port above it, which the system gives to one process at a time and frees if that process dies.
 * @throws if all ports of the range are claimed or in use
 */
export async function claimPort({ first, pairs } = range): Promise<ClaimedPort> {
  const start = randomInt(pairs)
  for (let tried = 0; tried < pairs; tried++) {
    const port = first + 2 * ((start + tried) % pairs)
    const claim = await listenOn(port + 1)
    if (!claim) continue
    const probe = await listenOn(port)
    if (probe) {
      await close(probe)
      return { port, release: () => close(claim) }
    }
    await close(claim)
  }
  throw new Error('No port is free.')
}

/** Undefined if the port is in use. */
async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  // The process may end before it has released its claims.
  return server.unref()
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
