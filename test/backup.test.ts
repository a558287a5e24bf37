import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject, expect, test } from 'vitest'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp } from './build-test-app.ts'
import { clusterDatabase, emptyClusterDatabase } from './cluster-database.ts'
import { bookSession, createClient, createPractitioner, password, saveCard } from './factories.ts'
import { fingerprint } from './fingerprint.ts'

const run = promisify(execFile)

test('a backup that is restored into a new database holds everything, and the product goes on with it', async () => {
  const cluster = inject('cluster')
  if ('missing' in cluster) throw new Error(cluster.missing)
  const { url, database } = await clusterDatabase()
  const app = await buildTestApp({ database })
  const client = await createClient(app)
  const practitioner = await createPractitioner(app)
  const card = await saveCard(app, client)
  const startsAt = '2026-06-08T09:00:00Z'
  const appointment = await bookSession(app, { practitioner, client, card, startsAt })
  const before = await fingerprint(app.db)

  const directory = mkdtempSync(join(tmpdir(), 'hearth-backup-'))
  const file = join(directory, 'hearth.dump')
  await run(join(cluster.programs, 'pg_dump'), ['--format=custom', '--no-owner', `--file=${file}`, url])
  await app.close()
  const restoredUrl = await emptyClusterDatabase()
  await run(join(cluster.programs, 'pg_restore'), [
    '--exit-on-error',
    '--no-owner',
    `--dbname=${restoredUrl}`,
    file,
  ])
  rmSync(directory, { recursive: true })

  const restored = await buildTestApp({ database: openServer(restoredUrl, 10, () => undefined) })
  expect(await fingerprint(restored.db)).toEqual(before)
  const signedIn = await restored.call('POST', '/client/login', { body: { email: client.email, password } })
  expect(signedIn.status).toBe(200)
  const found = await restored.call('GET', `/appointment/${appointment}`, {
    token: String(signedIn.body.token),
  })
  expect(found.body).toMatchObject({ status: 'confirmed', starts_at: '2026-06-08T09:00:00.000Z' })
  // What the database itself refuses, it refuses as before.
  const twice = await restored.call('POST', '/appointment/create-session', {
    token: String(signedIn.body.token),
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: 1,
      appointment_type: 'online',
      datetime: startsAt,
    },
  })
  expect(twice.status).toBe(409)
  await restored.close()
})
