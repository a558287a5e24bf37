import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hours, later, minutes } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import {
  answerRequest,
  askForHelp,
  claimHelp,
  followHelp,
  helpLedger,
  openRequest,
  payForHelp,
  finishedHelp,
  switchOn,
} from '#test/help.ts'

let app: TestApp
let url: string
/** What the gateway waits for before it releases a payment. */
let hanging: Promise<void> | undefined
beforeEach(async () => {
  const opened = await clusterDatabase(20)
  url = opened.url
  hanging = undefined
  app = await buildTestApp({
    database: opened.database,
    gateway: (sandbox) => ({
      ...sandbox,
      async void(ref) {
        await hanging
        return sandbox.void(ref)
      },
    }),
  })
})
afterEach(async () => app.close())

async function available(): Promise<Practitioner & { token: string }> {
  const practitioner = await createPractitioner(app, { hours: [] })
  await switchOn(app, practitioner, later(app.clock.now(), hours(12)))
  return { ...practitioner, token: await signInPractitioner(app, practitioner) }
}

async function payingClient(): Promise<Client & { card: string }> {
  const client = await createClient(app)
  return { ...client, card: await saveCard(app, client) }
}

const stop = (client: Client, id: string) =>
  app.call('POST', '/appointment/cancel-session', { token: client.token, body: { appointment_id: id } })

/** Everything is over, and right: how many sessions came of it. */
async function countFinished(): Promise<number> {
  await app.services.dispatch.sweep()
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  const { wrong, accepted } = await finishedHelp(app)
  expect(wrong).toEqual([])
  expect(await ledger(app)).toEqual(helpLedger(accepted))
  return accepted
}

test('50 concurrent clients and 10 practitioners make 10 matches, each practitioner once, and 40 refusals', async () => {
  const practitioners: Awaited<ReturnType<typeof available>>[] = []
  for (let count = 0; count < 10; count++) practitioners.push(await available())
  const clients: Awaited<ReturnType<typeof payingClient>>[] = []
  for (let count = 0; count < 50; count++) clients.push(await payingClient())
  const outcomes = await Promise.all(
    clients.map(async (client) => {
      const claimed = await claimHelp(app, { client })
      if (claimed.status !== 201) return String(claimed.body.code)
      const paid = await payForHelp(app, client, String(claimed.body.session_id), client.card)
      return paid.status === 200 ? 'asked' : String(paid.body.code)
    }),
  )
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  expect([count('asked'), count('nobody_available')]).toEqual([10, 40])
  const accepted = await Promise.all(
    practitioners.map(async ({ token }) => {
      const requests = await app.call('GET', '/therapist/get-help/requests', { token })
      const open = requests.body.open as unknown as { request_id: string }[]
      expect(open.length).toBe(1)
      return (await answerRequest(app, token, open[0]?.request_id ?? '', 'accept')).status
    }),
  )
  expect(accepted).toEqual(practitioners.map(() => 200))
  expect(await countFinished()).toBe(10)
  const matched = await app.db
    .selectFrom('appointments')
    .select('practitioner_id')
    .where('state', '=', 'confirmed')
    .execute()
  expect(matched.map((row) => row.practitioner_id).toSorted((a, b) => a - b)).toEqual(
    practitioners.map(({ id }) => id),
  )
})

describe('at the same moment', () => {
  test('an answer and the end of the time for it: one of them counts', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 8; round++) {
      const practitioner = await available()
      const client = await payingClient()
      const { id, requestId } = await askForHelp(app, { client, card: client.card })
      app.clock.advance(minutes(2) - 1)
      const [answer] = await Promise.all([
        answerRequest(app, practitioner.token, requestId, 'accept'),
        (async () => {
          if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round))
          app.clock.advance(1)
          await app.services.dispatch.sweep()
        })(),
      ])
      await app.services.dispatch.sweep()
      const { state } = await app.db
        .selectFrom('help_dispatches')
        .select('state')
        .where('appointment_id', '=', id)
        .executeTakeFirstOrThrow()
      expect([answer.status, state]).toEqual(answer.status === 200 ? [200, 'accepted'] : [409, 'nobody'])
      outcomes.add(state)
      await switchOn(app, practitioner, null)
    }
    await countFinished()
    // At the exact time of the deadline the request is over, even if the answer comes before the sweep.
    const practitioner = await available()
    const client = await payingClient()
    const { requestId } = await askForHelp(app, { client, card: client.card })
    app.clock.advance(minutes(2))
    expect((await answerRequest(app, practitioner.token, requestId, 'accept')).body.code).toBe('request_over')
    await countFinished()
    expect(outcomes.size).toBeGreaterThan(0)
  })

  test('two practitioners accepting, and one saying yes and no', async () => {
    const [first, second] = [await available(), await available()]
    const client = await payingClient()
    const asked = await askForHelp(app, { client, card: client.card })
    app.clock.advance(minutes(2))
    await app.services.dispatch.sweep()
    const next = await openRequest(app, asked.id)
    expect([asked.practitionerId, next.practitionerId]).toEqual([first.id, second.id])
    const answers = await Promise.all([
      answerRequest(app, first.token, asked.requestId, 'accept'),
      answerRequest(app, second.token, next.requestId, 'accept'),
      answerRequest(app, second.token, next.requestId, 'accept'),
      answerRequest(app, second.token, next.requestId, 'decline'),
    ])
    expect(answers[0]?.body.code).toBe('request_over')
    const [, once, twice, declined] = answers.map((answer) => answer.status)
    expect([once, twice, declined]).toEqual(declined === 200 ? [409, 409, 200] : [200, 200, 409])
    expect(await countFinished()).toBe(declined === 200 ? 0 : 1)
  })

  test('a client who stops and a practitioner who accepts', async () => {
    for (let round = 0; round < 6; round++) {
      const practitioner = await available()
      const client = await payingClient()
      const { id, requestId } = await askForHelp(app, { client, card: client.card })
      const [stopped, accepted] = await Promise.all([
        stop(client, id),
        answerRequest(app, practitioner.token, requestId, 'accept'),
      ])
      expect([stopped.status, accepted.status].toSorted()).toEqual([200, 409])
      await switchOn(app, practitioner, null)
    }
    await countFinished()
  })

  test('one client in many windows has one search, and pays once', async () => {
    for (let count = 0; count < 4; count++) await available()
    const client = await payingClient()
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimHelp(app, { client })))
    expect(new Set(claims.map((claim) => claim.body.session_id)).size).toBe(1)
    const id = String(claims[0]?.body.session_id)
    const paid = await Promise.all(Array.from({ length: 6 }, () => payForHelp(app, client, id, client.card)))
    expect(paid.map((answer) => answer.status)).toEqual(paid.map(() => 200))
    const intents = await app.db.selectFrom('payment_intents').select('id').execute()
    const offers = await app.db.selectFrom('help_offers').select('id').execute()
    expect([intents.length, offers.length]).toEqual([1, 1])
    await stop(client, id)
    expect(await countFinished()).toBe(0)
  })

  test('two instances that look after the same searches ask each next one once', async () => {
    const other = await buildTestApp({ database: openServer(url, 10, () => undefined), clock: app.clock })
    for (let count = 0; count < 9; count++) await available()
    const searches: string[] = []
    for (let count = 0; count < 3; count++) {
      const client = await payingClient()
      searches.push((await askForHelp(app, { client, card: client.card })).id)
    }
    app.clock.advance(minutes(2))
    await Promise.all([app, other, app, other].map((each) => each.services.dispatch.sweep()))
    const offers = await app.db.selectFrom('help_offers').selectAll().execute()
    expect(offers.filter((offer) => offer.state === 'open').length).toBe(3)
    expect(offers.length).toBe(6)
    expect(new Set(offers.map((offer) => offer.practitioner_id)).size).toBe(6)
    app.clock.advance(minutes(16))
    for (let round = 0; round < 3; round++) {
      await Promise.all([app, other].map((each) => each.services.dispatch.sweep()))
      app.clock.advance(minutes(2))
    }
    await other.close()
    expect(await countFinished()).toBe(0)
    expect(searches.length).toBe(3)
  })
})

test('a client whose mail promises another one gets it, also where the payment is released as the first is read', async () => {
  const release = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  hanging = release.promise
  await available()
  const client = await payingClient()
  const { id } = await askForHelp(app, { client, card: client.card })
  app.clock.advance(minutes(2))
  const swept = app.services.dispatch.sweep()
  const mails = (template: string) =>
    app.db.selectFrom('outgoing_mails').select('id').where('template', '=', template).execute()
  await vi.waitFor(async () => expect(await mails('help.nobody')).toHaveLength(1))
  // A worker has read that the payment is being released, and claims the mail.
  const claimed = inTransaction(app.db, async (tx) => {
    await tx
      .updateTable('outgoing_mails')
      .set({ claimed_until: later(app.clock.now(), minutes(1)) })
      .where('template', '=', 'help.nobody')
      .execute()
    await sent.promise
  })
  release.resolve()
  await vi.waitFor(async () => {
    const waiting = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%outgoing_mails%' and datname = current_database()`.execute(
      app.db,
    )
    const intents = await app.db.selectFrom('payment_intents').select('state').execute()
    expect(waiting.rows.length > 0 || intents[0]?.state === 'voided').toBe(true)
  })
  sent.resolve()
  await Promise.all([claimed, swept])
  await vi.waitFor(async () => {
    const { state } = await app.db.selectFrom('payment_intents').select('state').executeTakeFirstOrThrow()
    expect(state).toBe('voided')
  })
  expect(await mails('help.returned')).toHaveLength(1)
  expect((await followHelp(app, client, id)).body.dispatch).toMatchObject({ state: 'nobody' })
})
