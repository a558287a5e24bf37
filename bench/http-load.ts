// Visitors who ask over HTTP, in a process of their own, so that neither what they cost nor the memory of the benchmark
// delays what is measured. Told what to do by visitors.ts, over the channel of `fork`.
import { type HttpConnection, openConnection } from './http-connection.ts'

export type VisitOrder =
  /** Keeps so many connections busy with the requests of a list in turn; each has to answer `expected`. */
  | {
      do: 'load'
      origin: string
      connections: number
      seconds: number
      expected: number
      /** Whether answers are read as JSON, as by a client that uses them, or only taken. */
      isRead: boolean
      list: number
      /** Those of the list, the first time. */
      requests?: Uint8Array[]
    }
  /** Sends each request over a connection of its own, all at once. */
  | { do: 'race'; origin: string; requests: Uint8Array[] }
export type VisitDone = LoadResult & {
  /** Of a race, in the order of its requests. */
  answers: RaceAnswer[]
}
export type LoadResult = {
  /** Responses per second. */
  rate: number
  /** How long each took, in milliseconds. */
  milliseconds: number[]
}
export type RaceAnswer = { status: number; body: string; milliseconds: number }

const lists = new Map<number, { requests: Buffer[]; turn: number }>()
const opened = new Map<string, HttpConnection[]>()

/** So many open connections to a server, which may have closed idle ones. */
async function connectionsTo(origin: string, count: number): Promise<HttpConnection[]> {
  const open = (opened.get(origin) ?? []).filter((each) => each.isOpen())
  while (open.length < count) open.push(await openConnection(origin))
  opened.set(origin, open)
  return open.slice(0, count)
}

async function carryOut(order: VisitOrder): Promise<VisitDone> {
  if (order.do === 'race') {
    const requests = order.requests.map((each) => Buffer.from(each))
    const connections = await connectionsTo(order.origin, requests.length)
    const answers = await Promise.all(
      connections.map(async (connection, place) => {
        const { status, body, milliseconds } = await connection.ask(requests[place]!)
        return { status, body: body(), milliseconds }
      }),
    )
    return { rate: 0, milliseconds: [], answers }
  }
  const { list: number, requests, origin, seconds, expected } = order
  if (requests) lists.set(number, { requests: requests.map((each) => Buffer.from(each)), turn: 0 })
  const list = lists.get(number)
  if (!list) throw new Error('A list of requests was not given.')
  const connections = await connectionsTo(origin, order.connections)
  const milliseconds: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        const answer = await connection.ask(list.requests[list.turn++ % list.requests.length]!)
        if (answer.status !== expected) {
          throw new Error(`A request was answered ${answer.status}: ${answer.body().slice(0, 300)}`)
        }
        if (order.isRead) JSON.parse(answer.body())
        milliseconds.push(answer.milliseconds)
      }
    }),
  )
  return { rate: (milliseconds.length * 1000) / (performance.now() - start), milliseconds, answers: [] }
}

process.on('message', (order: VisitOrder) => {
  carryOut(order)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(
      (answer) => void process.send?.(answer),
      () => process.exit(1),
    )
})
process.on('disconnect', () => process.exit())
