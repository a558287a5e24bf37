import { sql } from 'kysely'
import { looker, walking } from './axe.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { shift } from './past.ts'
import { signIn } from './people.ts'
import { roomPath, sessionHeldHere } from './rooms.ts'
import { signInTherapist } from './therapists.ts'

test.use({ seed: 'reference' })

test('a client whose practitioner did not come gets the money back on the page of the session, which promises no review', async ({
  server,
  request,
  openContext,
  baseURL,
}) => {
  test.setTimeout(240_000)
  const { id, client, therapist } = await sessionHeldHere(server, request, -20)
  await server.change(async (db) => {
    await sql`insert into session_rooms (appointment_id, starts_at, state)
      select id, starts_at, 'waiting' from appointments where id = ${id}`.execute(db)
    await sql`insert into session_attendance (appointment_id, side, first_in, last_out, seconds, session_seconds)
      select id, 'client', starts_at, starts_at + interval '15 minutes', 900, 900 from appointments where id = ${id}`.execute(
      db,
    )
  })
  const open = async () => (await openContext({ ...walking, baseURL })).newPage()
  const [page, theirs] = [await open(), await open()]
  await signIn(page, client)
  await signInTherapist(theirs, therapist)
  const { look } = looker(page, [])
  const path = `/session?appointment=${id}`
  const refund = page.getByRole('button', { name: 'Get my money back' })
  const promise = page.getByText(/can review it/)
  const asked = page.getByRole('alertdialog')
  const name = 'Mary Ann Okafor'

  await test.step('while it runs', async () => {
    await Promise.all([page.goto(path), theirs.goto(path)])
    await expect(page.getByRole('main').getByText(`${name} has not come`, { exact: true })).toBeVisible()
    await expect(theirs.getByRole('heading', { level: 1, name: /^Your session with/ })).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Get my money back' })).toHaveCount(0)
    await look('the session runs without the practitioner')
    await refund.click()
    await expect(asked).toHaveAccessibleName('End the session and get your money back?')
    await asked.getByRole('button', { name: 'Wait a little longer' }).click()
    await expect(refund).toBeFocused()
  })

  await test.step('once it is over, here, in the room and in the list', async () => {
    await shift(server, { [id]: -90 })
    for (const each of [path, roomPath(id)]) {
      await page.goto(each)
      await expect(page.getByRole('main').getByText(`${name} did not come`, { exact: true })).toBeVisible()
      await expect(refund).toBeVisible()
      await expect(promise).toHaveCount(0)
    }
    await page.goto('/my-sessions/past')
    await expect(page.getByRole('listitem', { name })).toBeVisible()
    await expect(promise).toHaveCount(0)
    await refund.click()
    await expect(asked).toHaveAccessibleName('Get your money back?')
    await asked.getByRole('button', { name: 'Not now' }).click()
    await expect(refund).toBeFocused()
    await look('past sessions, one of which the practitioner missed')
    await page.goto('/')
    await page.getByRole('link', { name: `${name} did not come: get your money back` }).click()
    await expect(page).toHaveURL(path)
    await expect(refund).toBeVisible()
  })

  await test.step('no review is promised while it is checked', async () => {
    const freeze = (since: Date | null) =>
      server.change(async (db) => {
        await sql`update appointments set frozen_at = ${since}::timestamptz,
          frozen_until = ${since}::timestamptz + interval '3 days',
          frozen_cause = case when ${since}::timestamptz is null then null else 'suspended' end
          where id = ${id}`.execute(db)
      })
    await freeze(new Date())
    await page.goto(roomPath(id))
    await expect(page.getByRole('heading', { level: 1, name: 'This session is being checked' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'See the session' })).toBeVisible()
    await expect(promise).toHaveCount(0)
    await freeze(null)
  })

  await test.step('a session held elsewhere can be reviewed in a day', async () => {
    const hold = (room: 'hearth' | 'own', waited: number) =>
      server.change(async (db) => {
        await sql`update session_attendance set session_seconds = ${waited} where appointment_id = ${id}`.execute(
          db,
        )
        await sql`update practitioners set room = ${room},
          meeting_link = case ${room} when 'own' then 'https://rooms.example.test/okafor' end
          where id = ${therapist.id}`.execute(db)
      })
    await hold('own', 300)
    await page.goto(path)
    await expect(promise).toBeVisible()
    await expect(refund).toHaveCount(0)
    // A link of their own, chosen after the client has waited in the room, takes nothing away.
    await hold('own', 900)
    await page.reload()
    await expect(refund).toBeVisible()
    await expect(promise).toHaveCount(0)
    await hold('hearth', 900)
  })

  await test.step('the refund', async () => {
    await Promise.all([page.goto(path), theirs.goto(path)])
    await look('the practitioner did not come')
    await refund.click()
    await expect(asked).toHaveAccessibleName('Get your money back?')
    await look('getting the money back')
    await asked.getByRole('button', { name: 'Refund me' }).click()
    await expect(page.getByText(`${name} did not come, so this session was cancelled.`)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: `Your session with ${name}` })).toBeFocused()
    await expect(
      page.getByText(/^Mary Ann did not come, so it was cancelled\. £60 .* back to your card\.$/),
    ).toBeVisible()
    await expect(refund).toHaveCount(0)
    await expect(
      theirs.getByText(/told us that you did not come, so this session was cancelled\.$/),
    ).toBeVisible()
  })
})
