import { workerData } from 'node:worker_threads'
import { carryOut } from './directory-calls.ts'
import { DirectoryIndex } from './directory-index.ts'
import { receiveAll, type Returned, type Sent, type ThreadData } from './directory-thread.ts'

/** The thread in which the index of the directory lives: calls come in, what becomes of them goes out. */
const { options, port } = workerData as ThreadData
const index = new DirectoryIndex(options)

receiveAll(port, (message) => {
  const [name, given] = message as Sent
  let returned: Returned
  try {
    returned = [carryOut(index, name, given)]
  } catch (error) {
    // Its message could hold what was searched for.
    returned = [undefined, error instanceof Error ? error.name : 'Error']
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(returned)
})
