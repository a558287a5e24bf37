import { type ChildProcess, fork, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order } from './chat-load.ts'
import type { RoomsDone, RoomsOrder } from './rooms-load.ts'

const programOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Ends a process, and waits until it is gone. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

export type Bare = { origin: string; pid: number; stop(): Promise<void> }

/** Starts the bare relay, one that commits a row for each frame if it is given a database. */
export function startBare(
  nodeOptions: readonly string[] = [],
  database?: { url: string; connections: number },
): Promise<Bare> {
  const commits = database ? [database.url, String(database.connections)] : []
  return startServer([...nodeOptions, programOf('chat-bare.ts'), ...commits])
}

/** Starts a bare socket.io server that relays the signals of rooms. */
export const startBareRooms = (): Promise<Bare> => startServer([programOf('rooms-bare.ts')])

async function startServer(options: readonly string[]): Promise<Bare> {
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'ignore'] })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', (code) => reject(new Error(`The bare relay ended with ${code}.`)))
  })
  return { origin, pid: child.pid ?? 0, stop: () => ended(child) }
}

/** A process of people, told what to do by orders. */
export type Load<O, A> = {
  /** @throws Error with what went wrong */
  ask(order: O): Promise<A>
  stop(): Promise<void>
}
export type Crowd = Load<Order, { delivered: number[]; rate: number }>
export type RoomsCrowd = Load<RoomsOrder, RoomsDone>

/** Starts the process of the chat's load; it has no connections yet. */
export const gatherCrowd = (): Crowd =>
  startLoad<Order, { delivered: number[]; rate: number }>('chat-load.ts')

/** Starts the process of the people in rooms. */
export const gatherRooms = (): RoomsCrowd => startLoad<RoomsOrder, RoomsDone>('rooms-load.ts')

/** Starts a program of this folder that carries out orders. */
export function startLoad<O extends object, A extends object>(name: string): Load<O, A> {
  const child = fork(programOf(name), { serialization: 'advanced' })
  return {
    async ask(order) {
      const answer = await new Promise<A | { error: string }>((resolve, reject) => {
        const end = (code: number | null) => reject(new Error(`The load ended with ${code}.`))
        child.once('exit', end)
        child.once('message', (message: A | { error: string }) => {
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
