import { sql } from 'kysely'
import { walking } from './axe.ts'
import { bookByApi, dayLabel, offerOfPractitioner } from './booking.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { callAs, register, signIn } from './people.ts'
import { demoTherapist } from './therapists.ts'

test.use(walking)

/** `YYYY-MM-DD` in London. */
const dayIn = (instant: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date(instant))

test('a place whose session to swap can no longer be cancelled says so and can be changed, and one of a suspended practitioner is not said to be gone', async ({
  page,
  request,
  server,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of 404/)
  const main = page.getByRole('main')
  const offer = await offerOfPractitioner(request, (await demoTherapist(request)).id)
  const [taken = ''] = offer.times
  const replaced = offer.times.find((time) => dayLabel(time) !== dayLabel(taken)) ?? ''
  await bookByApi(request, await register(request, 'Alder Moss'), offer, taken)
  const client = await register(request, 'Wren Abara')
  const old = await bookByApi(request, client, offer, replaced)
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit' }).format(
    new Date(taken),
  )
  const weekday = new Date(`${dayIn(taken)}T12:00:00Z`).getUTCDay() || 7
  await callAs(request, client, 'POST', '/waitlist', {
    practitioner_id: offer.id,
    service_id: offer.service.id,
    appointment_type: 'online',
    windows: [{ weekdays: [weekday], from: `${hour}:00`, to: `${hour}:59` }],
    earliest: dayIn(taken),
    latest: dayIn(taken),
    lead_minutes: 60,
    timezone: 'Europe/London',
    swaps_appointment_id: old.session_id,
  })
  await signIn(page, client)
  await page.goto('/my-sessions/waitlist')
  await expect(main.getByText('In place of')).toBeVisible()
  await expect(main.getByText('can no longer be cancelled')).toHaveCount(0)

  await test.step('the place says that it brings no offer, and is changed to one more session', async () => {
    await server.change(async (db) => {
      await sql`update appointments set first_booked_at = now() - interval '3 days',
        starts_at = now() + interval '30 hours', ends_at = now() + interval '31 hours' where id = ${old.session_id}`.execute(
        db,
      )
    })
    await page.reload()
    await expect(
      main.getByText(/can no longer be cancelled, so we offer you no times in its place/),
    ).toBeVisible()
    await main.getByRole('link', { name: /^Change what you wait for/ }).click()
    await main.getByRole('button', { name: 'Save changes' }).click()
    await expect(page).toHaveURL('/my-sessions/waitlist')
    await expect(main.getByText('You could come')).toBeVisible()
    await expect(main.getByText('In place of')).toHaveCount(0)
    await expect(main.getByText('can no longer be cancelled')).toHaveCount(0)
  })

  await test.step('while the practitioner takes no sessions the place cannot be changed, and is kept', async () => {
    await server.change(async (db) => {
      await sql`update practitioners set state = 'suspended' where id = ${offer.id}`.execute(db)
    })
    await page.goto('/my-sessions/waitlist')
    await main.getByRole('link', { name: /^Change what you wait for/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your place is kept' })).toBeVisible()
    await expect(main.getByText('not taking sessions at the moment')).toBeVisible()
    await expect(main.getByText('You are not on this waitlist any more')).toHaveCount(0)
  })
})
