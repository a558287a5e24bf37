import { type ChildProcess, fork, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Order } from './chat-load.ts'

const programOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The bare relay or the people who chat: a process of its own. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

export type Bare = { origin: string; pid: number; stop(): Promise<void> }

/** Starts the bare relay, one that commits a row for each frame if it is given a database. */
export async function startBare(
  nodeOptions: readonly string[] = [],
  database?: { url: string; connections: number },
): Promise<Bare> {
  const commits = database ? [database.url, String(database.connections)] : []
  const child = spawn(process.execPath, [...nodeOptions, programOf('chat-bare.ts'), ...commits], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', (code) => reject(new Error(`The bare relay ended with ${code}.`)))
  })
  return { origin, pid: child.pid ?? 0, stop: () => ended(child) }
}

export type Crowd = {
  /** @throws Error with what went wrong */
  ask(order: Order): Promise<{ delivered: number[]; rate: number }>
  stop(): Promise<void>
}

/** Starts the process of the chat's load; it has no connections yet. */
export function gatherCrowd(): Crowd {
  const child = fork(programOf('chat-load.ts'), { serialization: 'advanced' })
  return {
    async ask(order) {
      const answer = await new Promise<Answer>((resolve, reject) => {
        const end = (code: number | null) => reject(new Error(`The load ended with ${code}.`))
        child.once('exit', end)
        child.once('message', (message: Answer) => {
          child.off('exit', end)
          resolve(message)
        })
        child.send(order)
      })
      if ('error' in answer) throw new Error(answer.error)
      return answer
    },
    stop: () => ended(child),
  }
}
