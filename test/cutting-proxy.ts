import { connect, createServer, type Socket } from 'node:net'

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>

/**
 * A TCP proxy that resets one random connection every `everyMs` milliseconds, even in the middle of a message; none
 * without `everyMs`. It can also go silent: connections stay open and new ones are accepted, but nothing passes. And it
 * can keep the answer to a commit.
 */
export async function startCuttingProxy(everyMs?: number) {
  let target: URL | undefined
  let cuts = 0
  let isSilent = false
  let losesCommit = false
  const open = new Set<Socket>()
  /** Both ends of each connection. */
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (!target) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    far.on('error', () => undefined)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (losesCommit && bytes.includes('COMMIT\0')) {
        losesCommit = false
        near.destroy()
      } else near.write(bytes)
    })
    for (const socket of [near, far]) {
      if (isSilent) socket.pause()
      ends.add(socket)
      socket.on('close', () => ends.delete(socket))
    }
    open.add(near)
    near.on('close', () => open.delete(near))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const cut = () => {
    const chosen = [...open][Math.floor(Math.random() * open.size)]
    if (!chosen) return
    cuts += 1
    chosen.resetAndDestroy()
  }
  const timer = everyMs === undefined ? undefined : setInterval(cut, everyMs)
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    /** Where connections go from now on; nowhere without an address. */
    leadTo(origin: string | undefined): void {
      target = origin ? new URL(origin) : undefined
    },
    /** Resets every connection that is open now. */
    cutAll(): void {
      for (const socket of open) socket.resetAndDestroy()
    },
    silence(): void {
      isSilent = true
      for (const socket of ends) socket.pause()
    },
    /** Ends the silence: for all, or with `newOnly` for connections made from now on. */
    speak({ newOnly = false } = {}): void {
      isSilent = false
      if (newOnly) ends.clear()
      for (const socket of ends) socket.resume()
    },
    /** Cuts the connection of PostgreSQL's next commit, in place of its answer. */
    loseCommit(): void {
      losesCommit = true
    },
    /** Whether a commit is still to be lost. */
    losesCommit: () => losesCommit,
    stopCutting: () => clearInterval(timer),
    async close() {
      clearInterval(timer)
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
