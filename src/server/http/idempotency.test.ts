import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { cards, type Client, createClient } from '#test/factories.ts'

let app: TestApp
let client: Client
beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
})
afterEach(async () => app.close())

const addCard = (body: Record<string, unknown>, key = 'one key') =>
  app.call('POST', '/payment/sandbox/add-new-card', {
    token: client.token,
    headers: { 'idempotency-key': key },
    body: { card_number: cards.succeeds, expiry_month: 12, expiry_year: 2034, cvv_number: '123', ...body },
  })
const saved = async () => (await app.db.selectFrom('payment_methods').select('last4').execute()).length
const digest = async () => {
  const row = await app.db.selectFrom('idempotency_keys').select('request_hash').executeTakeFirstOrThrow()
  return Buffer.from(row.request_hash).toString('hex')
}

describe('an Idempotency-Key', () => {
  test('answers a repeat as the first, and does nothing more', async () => {
    const first = await addCard({})
    const second = await addCard({})
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await saved()).toBe(1)
  })

  test('is refused for something else', async () => {
    await addCard({})
    const other = await addCard({ card_number: cards.alsoSucceeds })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    expect(await saved()).toBe(1)
  })

  test('is free again after a refusal, as nothing was done', async () => {
    expect((await addCard({ card_number: '4111111111111111' })).status).toBe(422)
    expect((await addCard({})).status).toBe(201)
    expect(await saved()).toBe(1)
  })

  test('keeps nothing that the number or the code of a card could be found by', async () => {
    await addCard({})
    const first = await digest()
    await app.db.deleteFrom('idempotency_keys').execute()
    // Another code leaves the same trace, and so would another number with the same end.
    const again = await addCard({ cvv_number: '999' })
    expect(await digest()).toBe(first)
    const sameEnd = await addCard({ card_number: '4000000000004242' })
    expect([sameEnd.status, sameEnd.body]).toEqual([again.status, again.body])
  })
})
