import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns the resident memory of a Node process after garbage collection, in bytes as Linux counts them. The collection
 * is triggered over the inspector, so the process has to be started with `--inspect=127.0.0.1:<port>`.
 */
export async function residentAfterCollection(pid: number, inspectorPort: number): Promise<number> {
  const list = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]
  if (!target) throw new Error('A process has no inspector.')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector cannot be reached.')))
  })
  for (let id = 1; id <= 3; id++) {
    const answered = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await answered
    // Pages go back to the system a little later.
    await sleep(300)
  }
  socket.close()
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error('Only Linux tells how much memory a process has.')
  return Number(kilobytes) * 1024
}
