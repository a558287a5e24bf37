import type { APIRequestContext, Page } from '@playwright/test'
import { sql } from 'kysely'
import { linkIn } from '#test/mails.ts'
import { demoAdmin } from './admin.ts'
import { expectAlive } from './alive.ts'
import { looker, screens, walking, walkingTest } from './axe.ts'
import {
  bookByApi,
  dayLabel,
  type Offer,
  offerOfPractitioner,
  pounds,
  profilePath,
  timeWords,
  upcoming,
} from './booking.ts'
import { expect } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { keyboardOf } from './keyboard.ts'
import { mailTo } from './mails.ts'
import { confirmEmail, type OwnServer, test } from './own-server.ts'
import { callAs, register, saveCard, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use(walkingTest)
test.setTimeout(300_000)

test('a cancelled session is offered by mail to the client who waits, and paid by keyboard at 320px', async ({
  page,
  request,
  server,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  // A time that suits is free already, and a suspended practitioner is refused.
  allowComplaint(/status of (403|409)/)
  const { look, expectAllSeen } = looker(
    page,
    screens.waitlist.filter((path) => path !== '/therapist/waitlist'),
  )
  const keys = keyboardOf(page)
  const main = page.getByRole('main')
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const [first = '', second = ''] = [
    offer.times[0],
    offer.times.find((time) => dayLabel(time) !== dayLabel(offer.times[0] ?? '')),
  ]
  const holder = await register(request, 'Alder Moss')
  const held = await bookByApi(request, holder, offer, first)
  const client = await register(request, 'Wren Abara')
  await confirmEmail(server, client)
  await saveCard(request, client)
  await signIn(page, client)

  await test.step('a search without results is kept', async () => {
    await page.goto('/found-therapists?session_type=online&name=Xyzzyqqq')
    await expectAlive(page)
    await keys.press(page.getByRole('link', { name: 'Tell me by email' }), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Tell me by email' })).toBeFocused()
    await expect(main.getByText('Name: Xyzzyqqq')).toBeVisible()
    await look('a search to be kept')
    await keys.press(main.getByRole('button', { name: 'Tell me by email' }), 'Enter')
    await expect(page).toHaveURL('/my-sessions/waitlist')
    await expect(main.getByText('You are not on a waitlist')).toBeVisible()
    await expect(main.getByRole('link', { name: 'Online, Name: Xyzzyqqq' })).toBeVisible()
    await look('waitlists, none, with a search')
    await keys.press(
      main.getByRole('button', { name: 'Remove the search for Online, Name: Xyzzyqqq' }),
      'Enter',
    )
    await expect(main.getByText(/When a search finds nobody/)).toBeVisible()
    await keys.expectKept()
  })

  await test.step('join: what is missing, what is free already, and a place', async () => {
    await page.goto(profilePath(offer))
    await expectAlive(page)
    await keys.press(page.getByRole('link', { name: 'Join the waitlist' }), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Join the waitlist' })).toBeVisible()
    await walkForm(page, 'features/waitlist/WaitlistForm', {
      submit: 'Join the waitlist',
      fields: [['Mon–Fri mornings']],
    })
    for (const name of ['Mon–Fri mornings', 'Mon–Fri afternoons', 'Mon–Fri evenings', 'Weekends'])
      await main.getByRole('checkbox', { name }).press('Space')
    await keys.press(main.getByRole('button', { name: 'Join the waitlist' }), 'Enter')
    await expect(main.getByText(/Times that suit you are free now/)).toBeVisible()
    await expect(main.getByRole('alert').getByRole('link').first()).toHaveAttribute('href', /book-therapist/)
    for (const name of ['Mon–Fri mornings', 'Mon–Fri afternoons', 'Mon–Fri evenings', 'Weekends'])
      await main.getByRole('checkbox', { name }).press('Space')
    await keys.press(main.getByRole('button', { name: 'Add days and times of your own' }), 'Enter')
    await keys.press(main.getByRole('button', { name: 'Join the waitlist' }), 'Enter')
    await expect(main.getByText('Choose at least one day.')).toBeVisible()
    await expect(main.getByRole('checkbox', { name: 'Mon', exact: true })).toBeFocused()
    await look('joining, with an error and times of my own')
    await waitFor(page, first)
    await look('a place on a waitlist')
    expect(await callAs(request, client, 'GET', '/client/waitlist')).toMatchObject([
      { state: 'waiting', offers: [] },
    ])
  })

  await test.step('pause, carry on and change', async () => {
    const entry = main.getByRole('listitem', { name: offer.name })
    await expect(entry.getByText(ownPlace)).toBeVisible()
    await keys.press(entry.getByRole('button', { name: `Pause waiting for ${offer.name}` }), 'Enter')
    await expect(entry.getByText('Your place is kept. We do not offer you times')).toBeVisible()
    await keys.expectKept()
    await look('a paused place')
    await keys.press(entry.getByRole('button', { name: `Carry on waiting for ${offer.name}` }), 'Enter')
    await expect(entry.getByText(ownPlace)).toBeVisible()
    await keys.press(
      entry.getByRole('link', { name: `Change what you wait for with ${offer.name}` }),
      'Enter',
    )
    await expect(page.getByRole('heading', { level: 1, name: 'Change what you wait for' })).toBeVisible()
    await main.getByLabel('How short a notice is enough?').selectOption('60')
    await keys.press(main.getByRole('button', { name: 'Save changes' }), 'Enter')
    await expect(main.getByText('Your changes are saved')).toBeVisible()
    await expect(entry.getByText('At least 1 hour')).toBeVisible()
    await keys.press(entry.getByRole('button', { name: `Leave the waitlist of ${offer.name}` }), 'Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look('leaving a waitlist')
    await page.keyboard.press('Escape')
    await expect(entry.getByText(ownPlace)).toBeVisible()
  })

  let link = ''
  await test.step('the session is cancelled, and offered by mail', async () => {
    await callAs(request, holder, 'POST', '/appointment/cancel-session', { appointment_id: held.session_id })
    await graceOver(server)
    // The link asks for a sign-in, as in a new tab.
    const { searchParams } = linkIn(await mailTo(client.email, 'it is your turn', server.folder))
    link = searchParams.get('return_to') ?? ''
    // Others cannot book it meanwhile.
    expect((await offerOfPractitioner(request, therapist.id)).times).not.toContain(first)
  })

  await test.step('it is paid within the turn', async () => {
    await page.goto(link)
    await expect(page).toHaveURL(/\/book-therapist\?offer=/)
    await expect(main.getByText(/^Yours until/)).toBeVisible()
    await expect(main.getByText(timeWords(first), { exact: false }).first()).toBeVisible()
    await expect(main.getByText(/^You can move or cancel it free of charge until/)).toBeVisible()
    await look('an offered time')
    await keys.press(main.getByRole('button', { name: 'No, thank you' }), 'Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look('saying no to a time')
    await page.keyboard.press('Escape')
    await keys.pressBackwards(main.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }), 'Enter')
    await expect(page).toHaveURL('/my-sessions')
    await expect(main.getByText('Your session is booked')).toBeVisible()
    expect(await upcoming(request, client)).toMatchObject([{ status: 'confirmed', starts_at: first }])
    expect(await callAs(request, client, 'GET', '/client/waitlist')).toEqual([])
    await page.goto(link)
    await expect(main.getByRole('heading', { name: 'You have booked this session' })).toBeVisible()
    await look('an old link')
  })
  expectAllSeen()

  await test.step('an offer by hand is withdrawn when the practitioner is suspended', async () => {
    const other = await register(request, 'Hazel Doe')
    const booked = await bookByApi(request, holder, offer, second)
    const theirs = await (await openContext({ ...walking, baseURL })).newPage()
    await signIn(theirs, other)
    await theirs.goto(`/join-waitlist?practitionerId=${offer.id}&type=online&service=${offer.service.id}`)
    await theirs.getByRole('button', { name: 'Add days and times of your own' }).click()
    await waitFor(theirs, second)

    const week = await (await openContext({ ...walking, baseURL })).newPage()
    const watcher = looker(week, ['/therapist/waitlist'])
    await signInTherapist(week, therapist)
    await week.goto('/therapist/waitlist')
    await expect(week.getByText('H. D.')).toBeVisible()
    await watcher.look("a practitioner's waitlist")
    await week.getByRole('switch', { name: 'Clients can join my waitlist' }).press('Space')
    await expect(week.getByRole('switch')).not.toBeChecked()
    // Until it is saved, a second press does nothing.
    await expect(week.getByRole('switch')).toHaveAttribute('aria-disabled', 'false')
    await week.getByRole('switch').press('Space')
    await expect(week.getByRole('switch')).toBeChecked()
    watcher.expectAllSeen()

    await callAs(request, holder, 'POST', '/appointment/cancel-session', {
      appointment_id: booked.session_id,
    })
    await week.goto(`/therapist/schedule?from=${second.slice(0, 10)}`)
    const day = week.getByRole('region', { name: dayLabel(second) })
    await day
      .getByRole('button', { name: `Offer to… a client on the waitlist, ${timeWords(second)}` })
      .press('Enter')
    await expect(week.getByRole('alertdialog').getByRole('radio', { name: 'H. D.' })).toBeChecked()
    await watcher.look('offering an hour by hand')
    await week.getByRole('alertdialog').getByRole('button', { name: 'Offer it' }).press('Enter')
    await expect(day.getByText(/^Offered until/)).toBeVisible()
    await watcher.look('a week with an offered hour')

    await theirs.goto('/my-sessions')
    const entry = theirs.getByRole('listitem', { name: offer.name })
    await entry.getByRole('link', { name: `See the time with ${offer.name}` }).click()
    await expect(theirs.getByText(/^Yours until/)).toBeVisible()
    const { token } = await demoAdmin(request)
    await callAs(request, { token }, 'POST', `/admin/practitioners/${therapist.id}/suspend`, {
      cause: 'conduct',
      sessions: 'cancel',
      reason: 'A complaint.',
    })
    await theirs.reload()
    await expect(theirs.getByRole('heading', { name: 'This time is not available after all' })).toBeVisible()
    await expect(theirs.getByText(/Nothing was charged/)).toBeVisible()
    await looker(theirs, []).look('an offer that was withdrawn')
    expect(await upcoming(request, other)).toEqual([])
    expect(await callAs(request, other, 'GET', '/client/waitlist')).toMatchObject([
      { state: 'paused', paused_by: 'practitioner', offers: [] },
    ])
  })

  await test.step('the card of a full practitioner has the number of those who wait', async () => {
    const { id, name, serviceId } = await fullPractitioner(request)
    await callAs(request, client, 'POST', '/waitlist', {
      practitioner_id: id,
      service_id: serviceId,
      appointment_type: 'online',
      windows: [{ weekdays: [1, 2, 3], from: '09:00', to: '12:00' }],
      lead_minutes: 60,
      timezone: 'Europe/London',
    })
    await expect(async () => {
      await page.goto(`/found-therapists?session_type=online&name=${encodeURIComponent(name)}`)
      await expect(main.getByText(/^Full\. \d+ (is|are) waiting$/)).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.goto(`/recommended-therapist?practitionerId=${id}`)
    await expect(main.getByText(/^Full\. \d+ (is|are) waiting$/)).toBeVisible()
    await look('the profile of a full practitioner')
  })
})

/** '2nd of 3 on the waitlist'. */
const ownPlace = /^\d+(st|nd|rd|th) of \d+ on the waitlist$/

/** Waits for exactly one hour, in the form with one window of the client's own. */
async function waitFor(page: Page, instant: string): Promise<void> {
  const main = page.getByRole('main')
  const [weekday = ''] = dayLabel(instant).split(' ')
  const hour = Number(timeWords(instant).slice(0, 2))
  const clock = (of: number) => `${String(of).padStart(2, '0')}:00`
  await main.getByRole('checkbox', { name: weekday.slice(0, 3), exact: true }).press('Space')
  await main.getByLabel('Until', { exact: true }).selectOption(clock(hour + 1))
  await main.getByLabel('From', { exact: true }).selectOption(clock(hour))
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date(instant))
  await main.getByLabel(/^Not before/).fill(day)
  await main.getByLabel(/^Not after/).fill(day)
  await main.getByRole('button', { name: 'Join the waitlist' }).press('Enter')
  await expect(main.getByText(/^You are on the waitlist of/)).toBeVisible()
}

/** Lets the minutes pass in which a cancellation can be undone. */
function graceOver(server: OwnServer): Promise<void> {
  return server.change(async (db) => {
    await sql`update waitlist_marks set due_at = now() - interval '1 minute'`.execute(db)
    await sql`update pgboss.job set start_after = now() - interval '1 minute'
      where name = 'waitlist.match' and state < 'active'`.execute(db)
  })
}

/** A listed practitioner with an online service and without free times. */
async function fullPractitioner(
  request: APIRequestContext,
): Promise<{ id: number; name: string; serviceId: number }> {
  const { data } = (await (
    await request.get('/api/v7/practitioner/get-practitioners', {
      params: { session_type: 'online', sort: 'soonest', per_page: 50, page: 5 },
    })
  ).json()) as {
    data: { practitioner_id: number; full_name: string; next_available: Record<string, string | null> }[]
  }
  for (const { practitioner_id: id, full_name: name, next_available } of data) {
    if (Object.values(next_available).some((start) => start !== null)) continue
    const services = (await (
      await request.get(`/api/v7/practitioner/${id}/service-types`)
    ).json()) as Offer['services']
    const [service] = services.online
    if (service) return { id, name, serviceId: service.service_id }
  }
  throw new Error('Every practitioner has free times.')
}
