// People who join rooms, in a process of their own, so that what they cost does not delay what is measured. Told what to do
// by rooms.ts, over the channel of `fork`.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { WebSocketOfEngine, type WebSocketOfWs } from './engine-ws.ts'

/** A person of a room; at the bare server without tokens. */
export type Guest = { peer: string; tokens?: { chat: string; access: string } }
export type RoomOfTwo = { id: string; client: Guest; practitioner: Guest }
/** Rooms that are joined at random moments within so many seconds, each followed by its signals. */
export type RoomsOrder = {
  origin: string
  rooms: RoomOfTwo[]
  seconds: number
  signals: number
  seed: number
}
export type RoomsDone = {
  /** From sending a signal until the other one has it, in milliseconds. */
  delivered: number[]
}

type Page = { guest: Guest; socket: WebSocketOfWs; seat: NodeJS.Timeout | undefined }

/** As long as Chromium's description of a picture and a voice. */
const description = { type: 'offer', sdp: 'a=candidate:1 1 udp 2113937151 '.repeat(110) }
const candidate = {
  candidate:
    'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ relay raddr 0.0.0.0 rport 0 generation 0 ufrag 8Ckr network-cost 999',
  sdpMid: '0',
  sdpMLineIndex: 0,
}
/** Between two signals of one page. */
const gap = 50
const heartbeat = 10_000

const inFlight = new Map<string, number>()
let delivered: number[] = []
/** What went wrong on a page. */
const failures: Error[] = []
const nOf = /"n":(\d+),"kind"/
const fromOf = /"from":"([0-9a-f-]{36})"/

function hear({ socket }: Page, frame: string): void {
  // Engine.io's ping, to be answered.
  if (frame === '2') return socket.send('3')
  if (frame.startsWith('43')) {
    if (!frame.includes('"ok":true')) failures.push(new Error(`A signal was refused: ${frame.slice(0, 300)}`))
    return
  }
  if (!frame.startsWith('42["signal"')) return
  const key = `${fromOf.exec(frame)?.[1]} ${nOf.exec(frame)?.[1]}`
  const sentAt = inFlight.get(key)
  if (sentAt === undefined) return
  inFlight.delete(key)
  delivered.push(performance.now() - sentAt)
}

function openPage(origin: string, room: string, guest: Guest): Promise<Page> {
  const socket = new WebSocketOfEngine(`${origin.replace('http', 'ws')}/socket/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
  })
  const page: Page = { guest, socket, seat: undefined }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('A connection was closed.')))
    socket.on('message', (data: Buffer) => {
      const frame = data.toString()
      if (frame.startsWith('0{')) {
        socket.send(`40${JSON.stringify(guest.tokens ? { token: guest.tokens.chat } : { room })}`)
      } else if (frame.startsWith('40')) resolve(page)
      else if (frame.startsWith('44')) reject(new Error(frame))
      else hear(page, frame)
    })
  })
}

/** Of the calls, which cost this process a third of what `fetch` does. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function call(origin: string, path: string, { tokens }: Guest, body?: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${origin}/api/v7${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens?.access}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
      },
      (answer) => {
        text(answer).then((words) => {
          if (answer.statusCode === 200) return resolve()
          reject(new Error(`${path} answered ${answer.statusCode}: ${words.slice(0, 300)}`))
        }, reject)
      },
    )
    asked.on('error', reject)
    asked.end(body ? JSON.stringify(body) : undefined)
  })
}

/** Opens both pages; at the product both take their seats, keep them, and the client is let in. */
async function join(origin: string, { id, client, practitioner }: RoomOfTwo): Promise<[Page, Page]> {
  const pages = await Promise.all([openPage(origin, id, client), openPage(origin, id, practitioner)])
  if (!client.tokens) return pages
  for (const page of pages) {
    const sit = () => call(origin, `/appointment/${id}/room/seat`, page.guest, { peer_id: page.guest.peer })
    await sit()
    page.seat = setInterval(() => void sit().catch((error: Error) => void failures.push(error)), heartbeat)
  }
  await call(origin, `/therapist/sessions/${id}/room/admit`, practitioner)
  return pages
}

/** Both pages send their half of the signals, a description first. */
async function connect(
  room: RoomOfTwo,
  [client, practitioner]: [Page, Page],
  signals: number,
): Promise<void> {
  const say = ({ guest, socket }: Page, to: Guest, n: number) => {
    const signal = {
      appointment_id: room.id,
      to: to.peer,
      from: guest.peer,
      n,
      kind: n === 0 ? 'description' : 'candidate',
      data: n === 0 ? description : candidate,
    }
    const frame = `42${n}${JSON.stringify(['signal', signal])}`
    inFlight.set(`${guest.peer} ${n}`, performance.now())
    socket.send(frame)
  }
  for (let n = 0; n < signals / 2; n++) {
    say(client, practitioner.guest, n)
    say(practitioner, client.guest, n)
    await sleep(gap)
  }
}

async function carryOut({ origin, rooms, seconds, signals, seed }: RoomsOrder): Promise<RoomsDone> {
  delivered = []
  const random = createRandom(seed, 'rooms')
  const start = performance.now()
  const pages: Page[] = []
  await Promise.all(
    rooms.map(async (room) => {
      await sleep(Math.max(0, start + random.next() * seconds * 1000 - performance.now()))
      const both = await join(origin, room)
      pages.push(...both)
      await connect(room, both, signals)
    }),
  )
  for (let tries = 0; inFlight.size > 0 && failures.length === 0; tries++) {
    if (tries > 500) throw new Error(`${inFlight.size} signals have not arrived.`)
    await sleep(20)
  }
  const [failure] = failures
  if (failure) throw failure
  const done = { delivered }
  for (const { seat } of pages) clearInterval(seat)
  const gone = pages.map(({ socket }) => new Promise<void>((resolve) => socket.on('close', () => resolve())))
  for (const { socket } of pages) socket.close()
  await Promise.all(gone)
  return done
}

process.on('message', (order: RoomsOrder) => {
  carryOut(order)
    .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(
      (answer) => void process.send?.(answer),
      () => process.exit(1),
    )
})
process.on('disconnect', () => process.exit())
