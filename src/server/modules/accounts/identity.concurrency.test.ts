import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import type { IdentityProvider } from '#server/integrations/identity/port.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import { createClient } from '#test/factories.ts'

test('an account whose email changes at that moment is not joined to the holder of the old address', async () => {
  const { database } = await clusterDatabase(5)
  let email = ''
  const provider: IdentityProvider = {
    name: 'Sample',
    verify: async (nonce) => ({
      ok: true,
      identity: { issuer: 'https://id.test', subject: 'one', email, nonce, firstName: 'Ana', lastName: '' },
    }),
    begin: async () => ({ ok: false, why: 'unavailable' }),
    finish: async () => ({ ok: false, why: 'unavailable' }),
  }
  const app = await buildTestApp({ database, identityProvider: provider })
  const client = await createClient(app)
  email = client.email
  const { nonce } = app.services.accounts.identities.nonce()
  const signIn = () => app.call('POST', '/client/google-sign-in', { body: { credential: nonce } })
  const { signingIn } = await inTransaction(app.db, async (tx) => {
    const change = { email: 'moved.on@example.test', email_verified_at: app.clock.now() }
    await tx.updateTable('accounts').set(change).where('id', '=', client.id).execute()
    const signingIn = signIn()
    // It has read the account as it was, and waits for its lock.
    await untilOneWaits(app.db)
    return { signingIn }
  })
  const { status, body } = await signingIn
  expect([status, body.code]).toEqual([404, 'no_account'])
  expect(await app.db.selectFrom('identities').selectAll().execute()).toEqual([])
  expect(await app.db.selectFrom('login_sessions').select('id').execute()).toHaveLength(1)
  await app.close()
})
