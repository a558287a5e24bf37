import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A stand-in for clamd as a process of its own, at a free port or a socket's path. */
export async function startClamd(path?: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('clamd-server.ts', import.meta.url)), ...(path ? [path] : [])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const where = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('error', reject)
  })
  return {
    url: path ? `unix:${path}` : `tcp://127.0.0.1:${where}`,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill()
      }),
  }
}
