import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import type { IdentityProvider } from '#server/integrations/identity/port.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import { clusterDatabase, untilOneWaits } from '#test/cluster-database.ts'
import { type Client, createClient } from '#test/factories.ts'
import { eraseAccount, lockForDeletion, setEmail } from './account-settings.store.ts'
import { lockAccount } from './accounts.store.ts'
import { deleteIdentities } from './identity.store.ts'

/** An app with a provider that vouches for a client's email, and a client who can sign in by it. */
async function appWithProvider() {
  const { database } = await clusterDatabase(5)
  let email = ''
  const provider: IdentityProvider = {
    name: 'Sample',
    verify: async (nonce) => ({
      ok: true,
      identity: {
        issuer: 'https://id.test',
        subject: 'one',
        email,
        ownsEmail: true,
        nonce,
        firstName: 'Ana',
        lastName: '',
      },
    }),
    begin: async () => ({ ok: false, why: 'unavailable' }),
    finish: async () => ({ ok: false, why: 'unavailable' }),
  }
  const app = await buildTestApp({ database, identityProvider: provider })
  const client: Client = await createClient(app)
  email = client.email
  const signIn = () => {
    const { nonce } = app.services.accounts.identities.nonce()
    return app.call('POST', '/client/google-sign-in', { body: { credential: nonce } })
  }
  return { app, client, signIn }
}

test('an account whose email changes at that moment is not joined to the holder of the old address', async () => {
  const { app, client, signIn } = await appWithProvider()
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

test('an account that is deleted at that moment is not signed in to by its identity', async () => {
  const { app, client, signIn } = await appWithProvider()
  expect((await signIn()).status).toBe(200)
  const { signingIn } = await inTransaction(app.db, async (tx) => {
    await lockForDeletion(tx, client.id)
    const signingIn = signIn()
    // It has found the account by its identity, and waits for its lock.
    await untilOneWaits(app.db)
    await deleteIdentities(tx, client.id)
    await eraseAccount(tx, client.id, app.clock.now())
    return { signingIn }
  })
  const { status, body } = await signingIn
  expect([status, body.code]).toEqual([404, 'no_account'])
  expect(await app.db.selectFrom('login_sessions').select('id').execute()).toEqual([])
  expect(await app.db.selectFrom('known_addresses').select('account_id').execute()).toEqual([])
  await app.close()
})

test('an account that parts from its identity at that moment is not signed in to by it', async () => {
  const { app, client, signIn } = await appWithProvider()
  expect((await signIn()).status).toBe(200)
  const { signingIn } = await inTransaction(app.db, async (tx) => {
    await lockAccount(tx, client.id, 'update')
    const signingIn = signIn()
    await untilOneWaits(app.db)
    await setEmail(tx, client.id, 'moved.on@example.test', app.clock.now())
    await deleteIdentities(tx, client.id)
    return { signingIn }
  })
  const { status, body } = await signingIn
  expect([status, body.code]).toEqual([404, 'no_account'])
  expect(await app.db.selectFrom('identities').selectAll().execute()).toEqual([])
  await app.close()
})
