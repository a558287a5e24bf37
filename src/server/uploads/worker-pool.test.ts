import { afterEach, expect, test } from 'vitest'
import { createWorkerPool, JobTimeout, PoolUnavailable, type WorkerPool } from './worker-pool.ts'

/** Returns what it is sent, spins for ever when told so, or throws. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (job) => {
      if (job === 'throw') throw new Error('thrown in the thread')
      while (job === 'spin');
      parentPort.postMessage(job)
    })`)}`,
)

let pool: WorkerPool<string, string>
afterEach(() => pool.close())
const open = (more: { size?: number; timeLimit?: number; queueLimit?: number } = {}) => {
  pool = createWorkerPool({ script, size: 1, timeLimit: 20_000, queueLimit: 5, ...more })
}

test('a job that spins is ended at its time limit, while the event loop stays free and the next job runs', async () => {
  open({ timeLimit: 1500 })
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  const spinning = pool.run('spin')
  const after = pool.run('after')
  await expect(spinning).rejects.toBeInstanceOf(JobTimeout)
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(20)
  expect(await after).toBe('after')
})

test('a job that throws is rejected alone, and its thread is replaced', async () => {
  open()
  const thrown = pool.run('throw')
  const after = pool.run('after')
  await expect(thrown).rejects.toThrow('thrown in the thread')
  expect(await after).toBe('after')
  expect(await pool.run('again')).toBe('again')
})

test('a job is refused when as many wait as may', async () => {
  open({ queueLimit: 1, timeLimit: 1500 })
  const spinning = pool.run('spin')
  const waiting = pool.run('waiting')
  await expect(pool.run('refused')).rejects.toBeInstanceOf(PoolUnavailable)
  await expect(spinning).rejects.toBeInstanceOf(JobTimeout)
  expect(await waiting).toBe('waiting')
})

test('closing ends a thread that spins, and rejects what runs, waits or comes later', async () => {
  open()
  const under = [pool.run('spin'), pool.run('waiting')].map((job) => job.catch((error: unknown) => error))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const start = performance.now()
  await pool.close()
  expect(performance.now() - start).toBeLessThan(5000)
  for (const outcome of await Promise.all(under)) expect(outcome).toBeInstanceOf(PoolUnavailable)
  await expect(pool.run('late')).rejects.toBeInstanceOf(PoolUnavailable)
})
