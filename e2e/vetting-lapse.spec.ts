import { sql } from 'kysely'
import { looker, walking } from './axe.ts'
import { bookByApi, ownPractitioner } from './booking.ts'
import { expect } from './fixtures.ts'
import { signInDemoAdmin } from './admin.ts'
import { test } from './own-server.ts'
import { register, signIn } from './people.ts'

test('the back office sees sessions after a lapse as a task, and their client sees that they are checked', async ({
  server,
  request,
  openContext,
}, info) => {
  test.setTimeout(300_000)
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  await bookByApi(request, client, offer, offer.times[0] ?? '')
  const vettedUntil = (days: number) =>
    server.rewrite(async (db) => {
      await sql`insert into stored_files (id, account_id, storage_key, content_type, bytes, created_at, ready_at)
        select gen_random_uuid(), account_id, 'documents/lapse.pdf', 'application/pdf', 3, now(), now()
        from practitioners where id = ${offer.id} on conflict do nothing`.execute(db)
      await sql`delete from practitioner_documents where practitioner_id = ${offer.id}`.execute(db)
      await sql`insert into practitioner_documents (id, practitioner_id, kind, file_id, expires_on, state, decided_at,
          created_at)
        select gen_random_uuid(), ${offer.id}, 'insurance_certificate', id,
          (now() at time zone 'Europe/London')::date + ${days}::int, 'accepted', now(), now()
        from stored_files where storage_key = 'documents/lapse.pdf'`.execute(db)
      await sql`update practitioners set has_indemnity = true, vetted_until =
          ((now() at time zone 'Europe/London')::date + ${days}::int + 1)::timestamp at time zone 'Europe/London'
        where id = ${offer.id}`.execute(db)
    })

  await vettedUntil(1)
  const page = await (await openContext({ ...walking, baseURL: server.url })).newPage()
  await signInDemoAdmin(page, request)
  await page.goto('/admin')
  const task = page.getByRole('list', { name: 'Documents that lapse' }).getByRole('listitem')
  await expect(task).toContainText(offer.name)
  await expect(task).toContainText('1 session')
  await expect(task).toContainText(/insurance certificate: holds until/)
  await looker(page, []).look('vetting, with sessions after a lapse')
  await task.getByRole('link', { name: offer.name }).click()
  await expect(page.getByRole('region', { name: 'Sessions ahead' }).getByText('Robin V.')).toBeVisible()

  await vettedUntil(-1)
  await signInDemoAdmin(page, request)
  const theirs = await (await openContext({ ...walking, baseURL: server.url })).newPage()
  await signIn(theirs, client)
  await expect(async () => {
    await theirs.goto('/my-sessions')
    await expect(theirs.getByText('This session is being checked')).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 120_000 })
  const session = theirs.getByRole('listitem', { name: offer.name })
  await expect(session.getByText('The link is unavailable while we check the session.')).toBeVisible()
  await expect(session.getByRole('link', { name: /room of the session/ })).toHaveCount(0)
  await page.goto('/admin')
  await expect(task).toContainText(/One is frozen: cancelled from/)
  await expect(task).toContainText(/insurance certificate: held until/)
  await looker(page, []).look('vetting, with frozen sessions')
})
