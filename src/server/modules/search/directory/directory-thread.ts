import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import {
  type AnswerOf,
  carryOut,
  type DirectoryCall,
  DirectoryGone,
  type DirectoryHandle,
} from './directory-calls.ts'
import { DirectoryIndex } from './directory-index.ts'
import type { Option } from './directory.rules.ts'

/** What the thread is started with. */
export type ThreadData = { options: Option[]; port: MessagePort }
/** A call: its name and what it is given. */
export type Sent = [name: DirectoryCall, given: unknown[]]
/** What became of a call: its answer, or the name of the error that it threw. Comes in the order of the calls. */
export type Returned = [answer: unknown, error?: string]
type Waiting = { resolve(answer: unknown): void; reject(error: Error): void }

/** An index in this thread. */
export function localDirectoryIndex(options: Option[]): DirectoryHandle {
  const index = new DirectoryIndex(options)
  return {
    ask: async (name, ...given) => carryOut(index, name, given),
    close: async () => undefined,
  }
}

/**
 * An index in a thread of its own: searches are counted while the instance does other work. `onLost` is called once if
 * the thread ends by itself.
 */
export function threadedDirectoryIndex(options: Option[], onLost: () => void): DirectoryHandle {
  const { port1: port, port2 } = new MessageChannel()
  const workerData: ThreadData = { options, port: port2 }
  const worker = new Worker(new URL('directory.worker.ts', import.meta.url), {
    workerData,
    transferList: [port2],
    env: {},
  })
  // A map that changes all the time would keep what was in it until old objects are collected.
  const waiting: Waiting[] = []
  let isGone = false

  const giveUp = () => {
    isGone = true
    port.close()
    for (const { reject } of waiting.splice(0)) reject(new DirectoryGone())
  }
  const lose = () => {
    if (isGone) return
    giveUp()
    onLost()
  }
  worker.on('error', lose)
  worker.on('exit', lose)
  receiveAll(port, (message) => {
    const [answer, error] = message as Returned
    const first = waiting.shift()
    if (error === undefined) first?.resolve(answer)
    else first?.reject(new Error(error))
  })
  // Neither keeps the process alive. Listening does, so that this comes after it.
  worker.unref()
  port.unref()

  return {
    ask<Name extends DirectoryCall>(name: Name, ...given: unknown[]) {
      if (isGone) return Promise.reject(new DirectoryGone())
      return new Promise((resolve: (answer: AnswerOf<Name>) => void, reject) => {
        waiting.push({ resolve, reject })
        const sent: Sent = [name, given]
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        port.postMessage(sent)
      })
    },
    async close() {
      giveUp()
      await worker.terminate()
    },
  }
}

/** Passes on what comes by a port, in order. What has come together is taken together, which costs less than an event each. */
export function receiveAll(port: MessagePort, receive: (message: unknown) => void): void {
  port.on('message', (first: unknown) => {
    receive(first)
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      receive(next.message)
    }
  })
}
