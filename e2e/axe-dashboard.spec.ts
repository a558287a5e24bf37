import { sql } from 'kysely'
import { looker, screens, walking } from './axe.ts'
import { expect } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { test } from './own-server.ts'
import { bookedClients, shift } from './past.ts'
import { callAs, register, signIn } from './people.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

test('dashboard, reviews and past sessions', async ({ server, request, openContext, allowComplaint }) => {
  test.setTimeout(400_000)
  allowComplaint(/status of 500/)
  // The chat refuses a suspended practitioner.
  allowComplaint(/status of 403/)
  const therapist = await demoTherapist(request)
  const booked = await bookedClients(request, therapist.id, [
    'Robin Vale',
    'Alex Morgan',
    'Sam Rivers',
    'Jo Field',
  ])
  const [soon, over, reviewed, hidden] = booked
  if (!soon || !over || !reviewed || !hidden) throw new Error('Not everybody has booked.')
  await shift(server, { [soon.id]: 25, [over.id]: -120, [reviewed.id]: -300, [hidden.id]: -1000 })
  for (const { id, client } of [reviewed, hidden]) {
    await callAs(request, therapist, 'POST', `/therapist/sessions/${id}/complete`)
    await callAs(request, client, 'POST', `/appointment/${id}/review`, {
      rating: 4,
      comment: `Kind, says ${client.name}.`,
    })
  }
  await callAs(request, therapist, 'POST', `/therapist/sessions/${over.id}/no-show`)
  const suspended = await registerTherapist(request)
  await server.change(async (db) => {
    await sql`update reviews set hidden_at = now(), hidden_reason = 'It names somebody.'
      where appointment_id = ${hidden.id}`.execute(db)
    await sql`update reviews set reply = 'Thank you.', replied_at = now() where appointment_id = ${reviewed.id}`.execute(
      db,
    )
    await sql`update practitioners set state = 'suspended', state_reason = 'Your licence has ended.'
      where id = ${suspended.id}`.execute(db)
    await sql`insert into suspensions (practitioner_id, cause, sessions, reason, at)
      values (${suspended.id}, 'papers', 'freeze', 'Your licence has ended.', now())`.execute(db)
  })

  const open = async () => (await openContext({ ...walking, baseURL: server.url })).newPage()
  const page = await open()
  const practice = looker(page, screens.practice)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/dashboard')
  await page.getByText('Show as a table').click()
  await practice.look('dashboard')
  await page.getByRole('button', { name: 'Cancel session' }).first().click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await practice.look('dashboard, cancelling')
  await page.goto('/therapist/sessions')
  await practice.look('sessions, upcoming')
  await page.goto('/therapist/sessions?when=past')
  await practice.look('sessions, past')
  await page
    .getByRole('button', { name: /^(Client did not come|Mark as completed): / })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await practice.look('sessions, did not come')
  await page.goto('/therapist/money')
  await expect(page.getByText('Paid by clients')).toBeVisible()
  await practice.look('money')
  await page.goto('/therapist/reviews')
  await page.getByRole('button', { name: 'Edit reply' }).first().click()
  await page.getByLabel('Your reply').fill('')
  await walkForm(page, 'features/reviews/ReceivedReviewCard', {
    submit: 'Save reply',
    fields: [['Your reply']],
  })
  await practice.look('reviews, a reply without words')
  await page
    .getByRole('button', { name: /^Report/ })
    .first()
    .click()
  await walkForm(page, 'features/reviews/ReportDialog', {
    within: page.getByRole('dialog'),
    submit: 'Send report',
    fields: [['What is wrong with it?']],
  })
  await practice.look('reviews, reporting one')
  await page.route('**/get-dashboard-overview', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'That did not work.' } }),
  )
  await page.goto('/therapist/dashboard')
  await expect(page.getByRole('heading', { name: 'Your dashboard did not load' })).toBeVisible()
  await practice.look('dashboard, did not load')

  const closed = await open()
  await signInTherapist(closed, suspended)
  for (const path of [
    '/therapist/dashboard',
    '/therapist/schedule',
    '/therapist/sessions',
    '/therapist/series',
    '/therapist/waitlist',
    '/chats',
  ]) {
    await closed.goto(path)
    await expect(closed.getByRole('heading', { name: 'Your profile is suspended' })).toBeVisible()
  }
  await looker(closed, []).look('what a suspended practitioner sees')

  const theirs = await open()
  await signInTherapist(theirs, await registerTherapist(request))
  await theirs.goto('/therapist/dashboard')
  await expect(theirs.getByRole('heading', { name: 'What needs doing' })).toBeVisible()
  await looker(theirs, []).look('dashboard of somebody who is not listed')
  await theirs.goto('/therapist/reviews')
  await expect(theirs.getByText('No reviews yet')).toBeVisible()
  await looker(theirs, []).look('no reviews')

  for (const { client } of [over, reviewed, hidden, { client: await register(request) }]) {
    const theirs = await open()
    await signIn(theirs, client)
    await theirs.goto('/my-sessions/past')
    await expect(theirs.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await looker(theirs, []).look(`past sessions of ${client.name}`)
    if (client === over.client) {
      await theirs.getByRole('button', { name: 'That is not right' }).click()
      await walkForm(theirs, 'features/reviews/DisputeDialog', {
        within: theirs.getByRole('dialog'),
        submit: 'Send it to us',
        fields: [['What happened?']],
      })
      await looker(theirs, []).look('a dispute without words')
    }
    if (client !== reviewed.client) continue
    await theirs.getByRole('button', { name: 'Edit review' }).click()
    await theirs.getByLabel(/^What would you tell/).fill('')
    await walkForm(theirs, 'features/reviews/ReviewDialog', {
      within: theirs.getByRole('dialog'),
      submit: 'Save changes',
      fields: [[/^What would you tell/]],
    })
    await looker(theirs, []).look('a review without words')
  }
})
