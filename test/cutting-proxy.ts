import { connect, createServer, type Socket } from 'node:net'

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>

/** A TCP proxy that breaks one of its connections off every so often, in the middle of whatever is going on. */
export async function startCuttingProxy(everyMs: number) {
  let target: URL | undefined
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (!target) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    far.on('error', () => undefined)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far)
    far.pipe(near)
    open.add(near)
    near.on('close', () => open.delete(near))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const timer = setInterval(() => {
    const chosen = [...open][Math.floor(Math.random() * open.size)]
    if (!chosen) return
    cuts += 1
    chosen.resetAndDestroy()
  }, everyMs)
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    /** Where connections go from now on; nowhere without an address. */
    leadTo(origin: string | undefined): void {
      target = origin ? new URL(origin) : undefined
    },
    stopCutting: () => clearInterval(timer),
    async close() {
      clearInterval(timer)
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
