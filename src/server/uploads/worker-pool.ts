import { Worker } from 'node:worker_threads'

type Options = {
  /** Answers each message that it is sent with one of its own. */
  script: URL
  size: number
  /** Milliseconds that one job may take, after which its thread is ended. */
  timeLimit: number
  /** How many jobs may wait for a thread. */
  queueLimit: number
}

/** Runs jobs in threads of their own, so that none can hold up the event loop. */
export type WorkerPool<Job, Result> = {
  /** @throws JobTimeout, PoolUnavailable, or what the thread failed with */
  run(job: Job): Promise<Result>
  /** Terminates all threads at once. Jobs under way are rejected. */
  close(): Promise<void>
}

/** A job took longer than it may. */
export class JobTimeout extends Error {}
/** The pool is closed, or as many jobs wait as may. */
export class PoolUnavailable extends Error {}

type Waiting<Job, Result> = {
  job: Job
  resolve(result: Result): void
  reject(error: Error): void
}

/** Threads are started when they are first needed, replaced when they end, and never keep the process alive while idle. */
export function createWorkerPool<Job, Result>(options: Options): WorkerPool<Job, Result> {
  const { script, size, timeLimit, queueLimit } = options
  const idle: Worker[] = []
  const busy = new Map<Worker, Waiting<Job, Result>>()
  const queue: Waiting<Job, Result>[] = []
  let isClosed = false

  const start = () => {
    const worker = new Worker(script, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } })
    // Also keeps an error between two jobs from becoming one of the process.
    worker.on('error', (error) => forget(worker, error as Error))
    worker.on('exit', () => forget(worker, new Error('A worker thread ended by itself.')))
    return worker
  }

  /** Gives a thread up, and rejects the job that it was at. */
  const forget = (worker: Worker, error: Error) => {
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
    const current = busy.get(worker)
    busy.delete(worker)
    current?.reject(error)
    next()
  }

  const next = () => {
    if (isClosed || queue.length === 0 || busy.size >= size) return
    const current = queue.shift()
    if (!current) return
    const worker = idle.pop() ?? start()
    busy.set(worker, current)
    worker.ref()
    const timer = setTimeout(() => {
      forget(worker, new JobTimeout())
      void worker.terminate()
    }, timeLimit)
    const settle = <T>(settled: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer)
        worker.removeAllListeners('message')
        settled(value)
      }
    }
    const { resolve, reject } = current
    current.reject = settle(reject)
    worker.once(
      'message',
      settle((result: Result) => {
        busy.delete(worker)
        worker.unref()
        idle.push(worker)
        resolve(result)
        next()
      }),
    )
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(current.job)
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (isClosed || queue.length >= queueLimit) return reject(new PoolUnavailable())
        queue.push({ job, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      const workers = [...idle, ...busy.keys()]
      for (const waiting of queue.splice(0)) waiting.reject(new PoolUnavailable())
      for (const worker of busy.keys()) forget(worker, new PoolUnavailable())
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}
