import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import { password } from '#test/factories.ts'

test('a practitioner whose email changes at that moment is signed in to another tab all the same', async () => {
  const app = await buildTestApp({ database: (await clusterDatabase()).database, rateLimitScale: 1_000 })
  const { body: registered } = await app.call('POST', '/therapist/register', {
    body: {
      name: 'Priya',
      last_name: 'Shah',
      email: 'priya@example.test',
      password,
      accept_terms: true,
    },
  })
  const body = { refresh_token: String(registered.refresh_token) }
  for (let round = 0; round < 15; round++) {
    const { handingOver, renaming } = await inTransaction(app.db, async (tx) => {
      await sql`select from accounts for update`.execute(tx)
      const handingOver = app.call('POST', '/therapist/hand-over', { body })
      await untilOneWaits(app.db)
      const email = `priya-${round}@example.test`
      return { handingOver, renaming: app.db.updateTable('accounts').set({ email }).execute() }
    })
    await renaming
    const { status, body: answer } = await handingOver
    expect([status, answer.user?.practitioner_id]).toEqual([200, registered.user?.practitioner_id])
  }
  await app.close()
})
