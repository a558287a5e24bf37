import { parentPort } from 'node:worker_threads'
import { inspectFile } from './inspect.ts'

/** The thread in which uploads are inspected: a path comes in, an `Inspection` goes out. */
parentPort?.on('message', (path: string) => {
  void inspectFile(path).then((inspection) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(inspection)
  })
})
