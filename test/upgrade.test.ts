import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Series } from '#contract/series/series.ts'
import { callsTo, type TestApp } from './build-test-app.ts'
import { emptyClusterDatabase } from './cluster-database.ts'
import { checkOutRelease } from './earlier-release.ts'
import { bookSession, saveCard, signInToChat } from './factories.ts'
import { freePort } from './private-cluster.ts'

/*
 * A rolling upgrade: instances of the previous release go on while the tables are those of this one. Each release moves
 * the commit in the file `previous-release` on to the release before it.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const previousRelease = readFileSync(join(root, 'previous-release'), 'utf8').trim()
let directory: string
const ends: (() => unknown)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-upgrade-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  rmSync(directory, { recursive: true, force: true })
})

test('an earlier release that a shallow clone does not hold is refused with a sentence', async () => {
  const [origin, clone] = [join(directory, 'origin'), join(directory, 'clone')]
  mkdirSync(origin)
  const git = (...parameters: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...parameters], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '-q', origin)
  for (const text of ['one', 'two']) {
    writeFileSync(join(origin, 'file'), text)
    git('-C', origin, 'add', '.')
    git('-C', origin, 'commit', '-q', '-m', text)
  }
  const first = git('-C', origin, 'rev-parse', 'HEAD~1').trim()
  git('clone', '-q', '--depth', '1', `file://${origin}`, clone)
  await expect(checkOutRelease(clone, first)).rejects.toThrow(
    `This clone is shallow and does not hold the release ${first}. Run git fetch --unshallow first.`,
  )
  await expect(checkOutRelease(origin, 'f'.repeat(40))).rejects.toThrow('Check the file previous-release.')
})

if (process.env.ENDURANCE === 'full') {
  test('the previous release goes on while this one migrates its tables and works beside it', async () => {
    const release = await checkOutRelease(root, previousRelease)
    ends.push(release.remove)
    const environment = {
      PATH: process.env.PATH ?? '',
      DATA_DIR: directory,
      DATABASE_URL: await emptyClusterDatabase(),
      SECRET_KEY: randomBytes(32).toString('base64'),
      SEED: 'demo',
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '1000',
    }
    const before = await start(release.directory, environment)
    expect(await use(before)).toEqual(asItShouldBe)
    const kept = await keepHour(before)
    expect(kept).toMatchObject({ proposed: 201, agreed: 200 })
    expect(kept.reserved).toBeGreaterThan(0)

    const after = await start(root, environment)
    // Each sees at once what was blocked at the other.
    for (let round = 0; round < 3; round++) {
      expect(await use(before, after)).toEqual(asItShouldBe)
      expect(await use(after, before)).toEqual(asItShouldBe)
    }
    expect(await reservedOf(after)).toBeGreaterThanOrEqual(kept.reserved)
  }, 1_200_000)
}

const asItShouldBe = {
  signedIn: [200, 200],
  written: [201, 201],
  blocked: [200, 'blocked_by_you', 'unavailable'],
  refused: [409, 409],
  unblocked: [200, null],
  writtenAgain: 201,
  read: 200,
  booked: 'confirmed',
}

type Calls = Pick<TestApp, 'call'>
type Instance = Calls & { stop(): Promise<void> }

async function start(folder: string, environment: Record<string, string>): Promise<Instance> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'src/server/main.ts')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, PORT: String(port) },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  ends.push(stop)
  const origin = `http://127.0.0.1:${port}`
  // An earlier release builds its own pages first.
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error('It did not start.')
      expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    },
    { timeout: 400_000, interval: 200 },
  )
  return { call: callsTo(origin), stop }
}

let day = 7

/** What people do at an instance; what is blocked at `one` is looked at from `other` too. */
async function use(one: Calls, other: Calls = one): Promise<typeof asItShouldBe | Record<string, unknown>> {
  const [asClient, asTherapist] = [await signIn(one, 'client'), await signIn(one, 'therapist')]
  const [clientToken, therapistToken] = [String(asClient.body.token), String(asTherapist.body.token)]
  const practitionerId = Number(asTherapist.body.user?.practitioner_id)
  const client = await signInToChat(one, clientToken)
  const therapist = await signInToChat(one, therapistToken)

  const opened = await one.call('POST', '/chat/dialogs', {
    token: client.token,
    body: { practitioner_id: practitionerId },
  })
  const dialog = String(opened.body._id)
  const send = (calls: Calls, token: string) =>
    calls.call('POST', '/chat/messages', { token, body: { chat_dialog_id: dialog, message: 'Hello.' } })
  const written = [(await send(one, client.token)).status, (await send(other, therapist.token)).status]

  const blocked = await one.call('POST', `/chat/dialogs/${dialog}/block`, { token: therapist.token })
  const seen = await other.call('GET', `/chat/dialogs?_id=${dialog}`, { token: client.token })
  const refused = [(await send(one, client.token)).status, (await send(other, client.token)).status]
  const unblocked = await other.call('POST', `/chat/dialogs/${dialog}/unblock`, { token: therapist.token })
  const writtenAgain = await send(one, client.token)
  const read = await one.call('GET', `/chat/messages?chat_dialog_id=${dialog}`, { token: therapist.token })

  const id = await book(one, { practitionerId, clientToken })
  const session = await other.call('GET', `/appointment/${id}`, { token: clientToken })
  return {
    signedIn: [asClient.status, asTherapist.status],
    written,
    blocked: [
      blocked.status,
      String(blocked.body.closed),
      String((seen.body as unknown as { closed: string }[])[0]?.closed),
    ],
    refused,
    unblocked: [unblocked.status, unblocked.body.closed as unknown],
    writtenAgain: writtenAgain.status,
    read: read.status,
    booked: String(session.body.status),
  }
}

const signIn = (one: Calls, role: 'client' | 'therapist') =>
  one.call('POST', `/${role}/login`, {
    body: { email: `${role}@demo.test`, password: 'demo-password' },
  })

/** Books the next time of another day that is free on both sides: the demo data has the client elsewhere, too. */
async function book(one: Calls, pair: { practitionerId: number; clientToken: string }): Promise<string> {
  const from = new Date(Date.now() + day++ * 86_400_000).toISOString().slice(0, 10)
  const { body: free } = await one.call(
    'GET',
    `/practitioner/${pair.practitionerId}/next-available-sessions?from=${from}&days=14&service_id=1&appointment_type=online`,
  )
  const { body: own } = await one.call('GET', '/appointment/get-upcoming-sessions', {
    token: pair.clientToken,
  })
  const taken = (own as unknown as { starts_at: string | null }[]).map((session) =>
    Date.parse(String(session.starts_at)),
  )
  const slot = (free.slots as unknown as { starts_at: string }[]).find((offered) =>
    taken.every((start) => Math.abs(start - Date.parse(offered.starts_at)) >= 3 * 3_600_000),
  )
  return bookSession(one, {
    practitioner: { id: pair.practitionerId },
    client: { token: pair.clientToken },
    card: await saveCard(one, { token: pair.clientToken }),
    startsAt: String(slot?.starts_at),
  })
}

/** Asks to keep the hour of a session every week, and agrees if that is possible. */
async function keepHour(one: Calls) {
  const token = String((await signIn(one, 'client')).body.token)
  const therapist = (await signIn(one, 'therapist')).body
  const id = await book(one, {
    practitionerId: Number(therapist.user?.practitioner_id),
    clientToken: token,
  })
  const before = await reservedOf(one)
  const proposed = await one.call('POST', '/series', { token, body: { appointment_id: id } })
  const series = (proposed.body as unknown as { data?: Series }).data
  const agreed =
    series &&
    (await one.call('POST', `/series/${series.series_id}/agree`, {
      token,
      body: {
        customer_id: await saveCard(one, { token }),
        terms_version: series.terms?.version,
        dates: series.dates.flatMap(({ on_date, conflict }) =>
          conflict ? [{ on_date, action: 'skip' }] : [],
        ),
      },
    }))
  return {
    proposed: proposed.status,
    agreed: agreed?.status,
    reserved: (await reservedOf(one)) - before,
  }
}

/** How many sessions of the demo client are reserved. */
async function reservedOf(one: Calls): Promise<number> {
  const token = String((await signIn(one, 'client')).body.token)
  const { body } = await one.call('GET', '/appointment/get-upcoming-sessions', { token })
  return (body as unknown as { status: string }[]).filter(({ status }) => status === 'reserved').length
}
