import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openServer } from '#server/db/connection.ts'
import { hashSecret, systemRandom } from '#server/ids.ts'
import { insertPairs, type Person } from '#test/chat-people.ts'
import { startCluster } from '#test/private-cluster.ts'
import { type Bare, gatherRooms, startBareRooms } from './chat-peers.ts'
import { inMilliseconds, type Line, timesLine } from './line.ts'
import type { Options } from './options.ts'
import { type Product, startProduct } from './product.ts'
import type { Guest, RoomOfTwo } from './rooms-load.ts'
import { median, quantile } from './statistics.ts'

/** Of a full run, whose rounds have this many seconds. */
const full = { seconds: 6, rooms: 500, within: 60 }
const signals = 40
const mostTimes = 3
/** Rooms before the first round, so that none is measured while its code is still being compiled. */
const warming = 40

/**
 * Signals of rooms on one instance beside a bare socket.io relay of the same signals. Rooms are joined at random moments of a
 * minute: two sockets are opened, at the product two seats are taken and kept, and the client is let in; then each side sends
 * 20 signals within a second. On a PostgreSQL of its own, whose commits wait for the disk.
 */
export async function measureRooms(options: Options): Promise<Line[]> {
  const share = Math.min(1, options.seconds / full.seconds)
  const [count, within] = [Math.round(full.rooms * share), full.within * share]
  const rounds = Math.min(3, options.rounds)
  const cluster = await startCluster({ durable: true })
  const crowd = gatherRooms()
  const database = openServer(cluster.url, 2, () => undefined)
  let product: Product | undefined
  let relay: Bare | undefined
  try {
    product = await startProduct({ databaseUrl: cluster.url, connections: options.connections })
    relay = await startBareRooms()
    const rooms = await insertRooms(database.db, rounds * count + warming)
    const ofBare = rooms.map(({ id, client, practitioner }) => ({
      id,
      client: { peer: client.peer },
      practitioner: { peer: practitioner.peer },
    }))
    const turn = (origin: string, of: RoomOfTwo[], seed: number, seconds = within) =>
      crowd.ask({ origin, rooms: of, seconds, signals, seed })
    await turn(product.origin, rooms.slice(0, warming), 0, 4)
    await turn(relay.origin, ofBare.slice(0, warming), 0, 4)
    await sleep(1000)
    const turns: { product: number[]; relay: number[]; processor: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const from = warming + round * count
      const before = product.processorTime()
      const ofProduct = (await turn(product.origin, rooms.slice(from, from + count), round + 1)).delivered
      const processor = product.processorTime() - before
      const ofRelay = (await turn(relay.origin, ofBare.slice(from, from + count), round + 1)).delivered
      turns.push({ product: ofProduct, relay: ofRelay, processor })
    }
    return linesOf(turns, { count, within })
  } finally {
    await crowd.stop()
    await relay?.stop()
    await product?.stop()
    await database.close()
    await cluster.stop()
  }
}

function linesOf(
  turns: readonly { product: number[]; relay: number[]; processor: number }[],
  { count, within }: { count: number; within: number },
): Line[] {
  const figure = `rooms, ${count} joined in ${Math.round(within)} s, ${signals} signals each`
  const at = (name: 'product' | 'relay', share: number) =>
    inMilliseconds(median(turns.map((each) => quantile(each[name], share))))
  const times = turns.map((each) => quantile(each.product, 0.99) / quantile(each.relay, 0.99))
  const perRoom = median(turns.map(({ processor }) => processor / count))
  return [
    {
      figure: `${figure}: a signal, median`,
      measured: at('product', 0.5),
      baseline: at('relay', 0.5),
      ratio: '',
      target: '',
    },
    timesLine(
      `${figure}: a signal, 99th percentile`,
      { measured: at('product', 0.99), baseline: at('relay', 0.99), times },
      { atMost: mostTimes },
      median(times),
    ),
    {
      figure: `${figure}: processor time of the product for one room`,
      measured: inMilliseconds(perRoom),
      baseline: '–',
      ratio: '',
      target: '',
    },
  ]
}

/** Sessions that have just begun, each of a client and a practitioner of its own, who are signed in. */
async function insertRooms(db: Db, count: number): Promise<RoomOfTwo[]> {
  const now = new Date()
  const [startsAt, endsAt] = [new Date(now.getTime() - 60_000), new Date(now.getTime() + 50 * 60_000)]
  return db.transaction().execute(async (tx) => {
    const rooms: RoomOfTwo[] = []
    for (const { client, therapist, practitionerId } of await insertPairs(tx, count)) {
      const id = systemRandom.uuid(now)
      await sql`insert into reservations (id, practitioner_id, client_id, during, state, created_at)
        values (${id}, ${practitionerId}, ${client.accountId}, tstzrange(${startsAt}, ${endsAt}), 'booked', ${now})`.execute(
        tx,
      )
      await tx
        .insertInto('appointments')
        .values({
          id,
          client_id: client.accountId,
          practitioner_id: practitionerId,
          booking_type: 'schedule',
          state: 'confirmed',
          appointment_type: 'online',
          reservation_id: id,
          starts_at: startsAt,
          ends_at: endsAt,
          fee_pence: 6000,
          first_booked_at: now,
          created_at: now,
        })
        .execute()
      rooms.push({ id, client: await guestOf(tx, client), practitioner: await guestOf(tx, therapist) })
    }
    return rooms
  })
}

/** A person with an access token beside that of the chat. */
async function guestOf(db: Db, { token: chat, accountId }: Person): Promise<Guest> {
  const access = systemRandom.secret()
  const { id } = await db
    .selectFrom('login_sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('access_tokens')
    .values({
      hash: hashSecret(access),
      login_session_id: id,
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute()
  return { peer: crypto.randomUUID(), tokens: { chat, access } }
}
