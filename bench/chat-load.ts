// People who chat, in a process of their own, so that what they cost does not delay what is measured. Told what to do by
// chat.ts, over the channel of `fork`.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { WebSocketOfEngine, type WebSocketOfWs } from './engine-ws.ts'

/** Who is on one end of a pair. Without a token it is the bare server's. */
export type Seat = { pair: string; token?: string }
export type Order =
  | { do: 'connect'; origin: string; seats: Seat[] }
  /** Sends messages at random moments, so many a second, without waiting for acknowledgements. */
  | { do: 'pace'; origin: string; perSecond: number; seconds: number; seed: number }
  /** Each connection sends the next message as soon as the last one is acknowledged. */
  | { do: 'rush'; origin: string; seconds: number }
  | { do: 'leave'; origin: string }
export type Answer =
  | {
      /** From sending until the other one has it, in milliseconds. */
      delivered: number[]
      /** Messages in a second. */
      rate: number
    }
  | { error: string }

type Person = { seat: Seat; socket: WebSocketOfWs; acknowledged?: (() => void) | undefined }

/** As long as a sentence of a conversation. */
const text = 'I have thought about what you said on Tuesday, and I slept better for it. Thank you. '
const inFlight = new Map<string, number>()
let delivered: number[] = []
/** Who is connected, by the server. */
const connected = new Map<string, Person[]>()
const peopleAt = (origin: string) => connected.get(origin) ?? []

const paths = {
  product: (origin: string) => `${origin.replace('http', 'ws')}/socket/?EIO=4&transport=websocket`,
  bare: (origin: string, pair: string) => `${origin.replace('http', 'ws')}/${pair}`,
}

/** A message as socket.io frames it, with a number under which it is acknowledged. */
function frameOf(pair: string, id: string): string {
  return `421["send",${JSON.stringify({ _id: id, chat_dialog_id: pair, message: text })}]`
}

const idIn = /"_id":"([0-9a-f-]{36})"/

function hear(person: Person, frame: string): void {
  const { seat, socket } = person
  // Engine.io's ping, to be answered.
  if (frame === '2') return socket.send('3')
  const id = idIn.exec(frame)?.[1] ?? ''
  const mine = mineOf(person)
  if (seat.token !== undefined && frame.startsWith('43') && !frame.includes('"ok":true')) {
    throw new Error(`A message was refused: ${frame.slice(0, 300)}`)
  }
  if (mine.delete(id)) {
    person.acknowledged?.()
    return
  }
  const sentAt = inFlight.get(id)
  if (sentAt === undefined) return
  inFlight.delete(id)
  delivered.push(performance.now() - sentAt)
}

const sent = new WeakMap<Person, Set<string>>()
function mineOf(person: Person): Set<string> {
  const present = sent.get(person) ?? new Set<string>()
  sent.set(person, present)
  return present
}

function say(person: Person): void {
  const id = randomUUID()
  mineOf(person).add(id)
  const frame = frameOf(person.seat.pair, id)
  inFlight.set(id, performance.now())
  person.socket.send(frame)
}

function enter(origin: string, seat: Seat): Promise<Person> {
  const { pair, token } = seat
  const address = token === undefined ? paths.bare(origin, pair) : paths.product(origin)
  const socket = new WebSocketOfEngine(address, { perMessageDeflate: false })
  const person: Person = { seat, socket }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('A connection was closed.')))
    if (token === undefined) socket.on('open', () => resolve(person))
    socket.on('message', (data: Buffer) => {
      const frame = data.toString()
      if (frame.startsWith('0{')) socket.send(`40${JSON.stringify({ token })}`)
      else if (frame.startsWith('40')) resolve(person)
      else if (frame.startsWith('44')) reject(new Error(frame))
      else hear(person, frame)
    })
  })
}

async function connectAll(origin: string, seats: Seat[]): Promise<void> {
  const people: Person[] = []
  connected.set(origin, people)
  for (let from = 0; from < seats.length; from += 25) {
    people.push(...(await Promise.all(seats.slice(from, from + 25).map((seat) => enter(origin, seat)))))
  }
}

async function settled(): Promise<void> {
  for (let tries = 0; inFlight.size > 0; tries++) {
    if (tries > 1000) throw new Error(`${inFlight.size} messages have not arrived.`)
    await sleep(20)
  }
}

async function pace(
  people: readonly Person[],
  { perSecond, seconds, seed }: { perSecond: number; seconds: number; seed: number },
): Promise<number> {
  const random = createRandom(seed, 'chat')
  const start = performance.now()
  let count = 0
  for (let at = 0; ; count++) {
    at += (-Math.log(1 - random.next()) * 1000) / perSecond
    if (at > seconds * 1000) break
    const early = start + at - performance.now()
    if (early > 1) await sleep(early)
    say(random.pick(people))
  }
  await settled()
  return count / seconds
}

async function rush(people: readonly Person[], seconds: number): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  await Promise.all(
    people.map(async (person) => {
      while (performance.now() < end) {
        await new Promise<void>((resolve) => {
          person.acknowledged = resolve
          say(person)
        })
        count++
      }
      person.acknowledged = undefined
    }),
  )
  const rate = (count * 1000) / (performance.now() - start)
  await settled()
  return rate
}

async function leave(origin: string): Promise<void> {
  const people = peopleAt(origin)
  connected.delete(origin)
  const gone = people.map(({ socket }) => new Promise<void>((resolve) => socket.on('close', () => resolve())))
  for (const { socket } of people) socket.close()
  await Promise.all(gone)
}

async function carryOut(order: Order): Promise<Answer> {
  delivered = []
  if (order.do === 'connect') await connectAll(order.origin, order.seats)
  if (order.do === 'leave') await leave(order.origin)
  const rate =
    order.do === 'pace'
      ? await pace(peopleAt(order.origin), order)
      : order.do === 'rush'
        ? await rush(peopleAt(order.origin), order.seconds)
        : 0
  return { delivered, rate }
}

process.on('message', (order: Order) => {
  carryOut(order)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(
      (answer) => void process.send?.(answer),
      () => process.exit(1),
    )
})
process.on('disconnect', () => process.exit())
