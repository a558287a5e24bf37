import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Db } from '#server/db/connection.ts'
import { hashSecret, systemRandom } from '#server/ids.ts'

export type Person = { token: string; accountId: string }
export type Pair = { client: Person; therapist: Person; practitionerId: number }

/** Clients and practitioners, two by two, each with a token of the chat; written straight into the database. */
export async function insertPairs(db: Db, count: number): Promise<Pair[]> {
  const now = new Date()
  const ahead = new Date('2099-01-01T00:00:00Z')
  const person = async (role: 'client' | 'therapist', index: number): Promise<Person> => {
    const accountId = systemRandom.uuid(now)
    const sessionId = systemRandom.uuid(now)
    const token = systemRandom.secret()
    const name = { first_name: role === 'client' ? 'Alex' : 'Priya', last_name: `No ${index}` }
    await db
      .insertInto('accounts')
      .values({ id: accountId, role, email: `${accountId}@chat.test`, ...name, created_at: now })
      .execute()
    await db
      .insertInto('login_sessions')
      .values({ id: sessionId, account_id: accountId, created_at: now, last_used_at: now })
      .execute()
    await db
      .insertInto('chat_tokens')
      .values({ hash: hashSecret(token), login_session_id: sessionId, expires_at: ahead })
      .execute()
    return { token, accountId }
  }
  const pairs: Pair[] = []
  for (let index = 0; index < count; index++) {
    const client = await person('client', index)
    const therapist = await person('therapist', index)
    await db
      .insertInto('clients')
      .values({ account_id: client.accountId, referral_code: systemRandom.code(8) })
      .execute()
    const { id } = await db
      .insertInto('practitioners')
      .values({
        account_id: therapist.accountId,
        state: 'approved',
        subscribed_until: ahead,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    pairs.push({ client, therapist, practitionerId: id })
  }
  return pairs
}

export type Instance = { origin: string; kill(): Promise<void> }

/** Starts an instance of the product in a process of its own. `kill` sends SIGKILL and waits for the exit. */
export async function startInstance(url: string, directory: string, redisUrl = ''): Promise<Instance> {
  const program = fileURLToPath(new URL('chat-server.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program, url, directory, redisUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', (code) => reject(new Error(`The instance ended with ${code}.`)))
  })
  return {
    origin,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Opens the dialog of a pair over HTTP; its id. */
export async function openDialogOf(origin: string, pair: Pair): Promise<string> {
  const response = await fetch(`${origin}/api/v7/chat/dialogs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ practitioner_id: pair.practitionerId }),
  })
  if (response.status !== 200) throw new Error(`chat/dialogs answered ${response.status}`)
  return ((await response.json()) as { _id: string })._id
}
