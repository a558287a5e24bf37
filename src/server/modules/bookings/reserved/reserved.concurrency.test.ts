import { expect, test } from 'vitest'
import { days, hours, later, minutes } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import { createClient, createPractitioner, ledger, saveCard, signInAgain } from '#test/factories.ts'
import { movableClock } from '#test/movable-clock.ts'
import { dateOf, insertSeriesOf, reserveDate } from '#test/reserved.ts'

test('twenty clients who reserve one hour at once, each twice: one has it, in one appointment', async () => {
  const app = await buildTestApp({ database: (await clusterDatabase()).database })
  const practitioner = await createPractitioner(app)
  const clients = await Promise.all(Array.from({ length: 20 }, () => createClient(app)))
  const tuesday = new Date('2026-06-16T09:00:00Z')
  const wanted = clients.map((client, index) => {
    const seriesId = `018f0000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`
    return dateOf({ client, practitioner, card: null }, tuesday, { seriesId })
  })
  for (const date of wanted) await insertSeriesOf(app, date)
  const outcomes = await Promise.all(
    wanted.flatMap((date) =>
      [1, 2].map(() => inTransaction(app.db, (tx) => app.services.reserved.reserve(tx, date))),
    ),
  )
  const ids = outcomes.flatMap((outcome) => ('appointmentId' in outcome ? outcome.appointmentId : []))
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  expect(outcomes.filter((outcome) => 'conflict' in outcome && outcome.conflict === 'taken')).toHaveLength(38)
  expect(await app.db.selectFrom('appointments').select('id').execute()).toEqual([{ id: ids[0] }])
  await app.close()
})

const steps = [
  'payment noted',
  'payment authorised at the gateway',
  'reserved session authorised',
  'reserved session confirmed',
  'payment captured at the gateway',
]
test.each(['on the page', 'by the sweep'].flatMap((how) => steps.map((step) => [how, step] as const)))(
  'kill -9 of the process that takes the money %s, after: %s; it is taken once',
  async (how, step) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock(new Date().toISOString())
    const app = await buildTestApp({ database, clock })
    const practitioner = await createPractitioner(app)
    let client = await createClient(app)
    const card = await saveCard(app, client)
    const startsAt = later(new Date(), days(7))
    startsAt.setUTCHours(12, 0, 0, 0)
    const id = await reserveDate(app, { client, practitioner, card }, startsAt)
    // The other process has the real clock, by which the money is due now.
    const dueAt = later(new Date(), -minutes(1))
    await app.db
      .updateTable('appointments')
      .set({ pay_at: dueAt, charge_at: dueAt })
      .where('id', '=', id)
      .execute()
    client = await signInAgain(app, client)
    const isSwept = how === 'by the sweep'
    const { other, gone } = await startCrashing(app, url, step, isSwept ? ['reserved.sweep'] : [])
    if (!isSwept) {
      const attempt = other.call('POST', `/appointment/${id}/pay`, {
        token: client.token,
        body: { customer_id: card },
      })
      await expect(attempt).rejects.toThrow()
    }
    expect(await gone).toBe('SIGKILL')
    clock.set(later(new Date(), minutes(2)))
    for (let run = 0; run < 3; run++) {
      await app.services.reserved.sweep()
      await app.services.bookings.sweep()
      await app.services.payments.recover()
      clock.advance(hours(1))
    }
    const rows = await app.db.selectFrom('appointments').select('state').where('id', '=', id).execute()
    expect(rows).toEqual([{ state: 'confirmed' }])
    const taken = await app.db
      .selectFrom('sandbox_gateway.payments')
      .select('amount_pence')
      .where('state', '=', 'captured')
      .execute()
    expect(taken).toEqual([{ amount_pence: 6000 }])
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, practitioner_payable: -6000 })
    const intents = await app.db.selectFrom('payment_intents').select(['state', 'on_session']).execute()
    expect(intents).toContainEqual({ state: 'captured', on_session: !isSwept })
    await app.close()
  },
)
