import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PractitionerCard, PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { shortlistedByClient } from '#contract/shortlist-limits.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type Client, createClient, createPractitioner, password } from '#test/factories.ts'

let app: TestApp
let client: Client

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
})
afterEach(async () => app.close())

const call = (method: 'GET' | 'POST', path: string, ids?: number[], who: Client | undefined = client) =>
  app.call(method, path, { token: who?.token, ...(ids ? { body: { practitioner_ids: ids } } : {}) })
const add = (ids: number[], who = client) => call('POST', '/client/shortlist', ids, who)
const kept = async (who = client) =>
  (await call('GET', '/client/shortlist', undefined, who)).body.practitioner_ids
const suspend = (id: number) =>
  app.db.updateTable('practitioners').set({ state: 'suspended' }).where('id', '=', id).execute()

describe("a client's shortlist", () => {
  test('holds whom they add, the newest first, each once, and none of another client', async () => {
    const [first, second] = [await createPractitioner(app), await createPractitioner(app)]
    expect((await add([first.id])).body).toEqual({ practitioner_ids: [first.id] })
    app.clock.set(new Date(app.clock.now().getTime() + 60_000).toISOString())
    expect((await add([second.id, first.id])).body).toEqual({ practitioner_ids: [second.id, first.id] })
    const other = await createClient(app)
    expect(await kept(other)).toEqual([])
    const removed = await call('POST', '/client/shortlist/remove', [first.id], other)
    expect(removed.status).toBe(200)
    expect(await kept()).toEqual([second.id, first.id])
  })

  test('loses whom they remove, and removing twice changes nothing', async () => {
    const [first, second] = [await createPractitioner(app), await createPractitioner(app)]
    await add([first.id, second.id])
    for (const _ of [1, 2]) {
      const answer = await call('POST', '/client/shortlist/remove', [first.id])
      expect(answer.body).toEqual({ practitioner_ids: [second.id] })
    }
  })

  test('leaves out a practitioner who does not exist or is not listed', async () => {
    const gone = await createPractitioner(app)
    await suspend(gone.id)
    expect((await add([gone.id, 987_654])).body).toEqual({ practitioner_ids: [] })
  })

  test('refuses more than it holds, and then adds none of them', async () => {
    const practitioner = await createPractitioner(app)
    const others = []
    for (let count = 0; count < shortlistedByClient; count++) others.push((await createPractitioner(app)).id)
    expect((await add(others)).status).toBe(200)
    const refused = await add([practitioner.id])
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(await kept()).toHaveLength(shortlistedByClient)
    expect(await kept()).not.toContain(practitioner.id)
  }, 60_000)

  test('is part of the export, ends with the account, and is not written to the log', async () => {
    const practitioner = await createPractitioner(app, { firstName: 'Heartfelt', lastName: 'Canary' })
    await add([practitioner.id])
    const exported = await app.call('GET', '/client/export', { token: client.token })
    expect(JSON.stringify(exported.body)).toContain('Heartfelt Canary')
    const left = await app.call('POST', '/client/delete-account', {
      token: client.token,
      body: { current_password: password, understood: true },
    })
    expect(left.status).toBe(200)
    expect(await app.db.selectFrom('shortlisted_practitioners').selectAll().execute()).toEqual([])
    expect(app.logged()).not.toContain(`"practitioner_ids"`)
  })
})

describe('the cards and profiles of some practitioners', () => {
  test('come in the order asked, without those not listed, to a visitor too', async () => {
    const people = [
      await createPractitioner(app),
      await createPractitioner(app),
      await createPractitioner(app),
    ]
    const [one, two, three] = people.map(({ id }) => id) as [number, number, number]
    const cards = await app.call('POST', '/practitioner/cards', {
      body: { practitioner_ids: [three, one, 987_654] },
    })
    const ids = (answer: typeof cards) =>
      (answer.body.data as unknown as PractitionerCard[]).map(({ id }) => id)
    expect(ids(cards)).toEqual([three, one])
    const compared = await app.call('POST', '/practitioner/compare', {
      body: { practitioner_ids: [two, three] },
    })
    expect(ids(compared)).toEqual([two, three])
    const [profile] = compared.body.data as unknown as PractitionerProfile[]
    expect(profile).toEqual((await app.call('GET', `/practitioner/${two}/profile`)).body)
  })

  test('are refused for more than can stand side by side', async () => {
    const answer = await app.call('POST', '/practitioner/compare', {
      body: { practitioner_ids: [1, 2, 3, 4] },
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
  })
})

test('a profile names up to three others who treat the same, those of a like price first', async () => {
  const priced = (pounds: number) =>
    createPractitioner(app, {
      services: [
        { service_id: 1, appointment_type: 'online', duration_minutes: 50, fee_pence: pounds * 100 },
      ],
    })
  const subject = await priced(60)
  const [far, near, nearest, farthest] = [
    await priced(140),
    await priced(75),
    await priced(62),
    await priced(200),
  ]
  const answer = await app.call('GET', `/practitioner/${subject.id}/similar`)
  const cards = answer.body.data as unknown as PractitionerCard[]
  expect(cards.map(({ id }) => id)).toEqual([nearest.id, near.id, far.id])
  expect(cards.map(({ id }) => id)).not.toContain(farthest.id)
  expect((await app.call('GET', '/practitioner/987654/similar')).status).toBe(404)
})
