import type { APIRequestContext, Page } from '@playwright/test'
import { sql } from 'kysely'
import { linkIn } from '#test/mails.ts'
import { demoAdmin } from './admin.ts'
import { expectAlive } from './alive.ts'
import { looker, screens, walking } from './axe.ts'
import {
  bookByApi,
  dayLabel,
  fillCard,
  holdByApi,
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
import { type Account, callAs, register, saveCard, signIn, signInAgain } from './people.ts'
import { dayAhead, weekdayOf } from './series.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use(walking)
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
    await page.goto('/search-wish?session_type=online&name=Xyzzyqqq')
    await expect(main.getByText('We are already looking out for this')).toBeVisible()
    await expect(main.getByRole('button', { name: 'Tell me by email' })).toHaveCount(0)
    await look('a search that is kept already')
    await keys.press(main.getByRole('link', { name: 'See what we look out for' }), 'Enter')
    await expect(page).toHaveURL('/my-sessions/waitlist')
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
    await main.getByLabel('How much notice do you need?').selectOption('60')
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
    await page.goto('/my-sessions/waitlist')
    await keys.press(main.getByRole('button', { name: `Leave the waitlist of ${offer.name}` }), 'Enter')
    const leaving = page.getByRole('alertdialog')
    await expect(leaving).toContainText('the time we are holding for you goes to the next person')
    await expect(leaving).not.toContainText('pause')
    await page.keyboard.press('Escape')
    await expect(leaving).toBeHidden()
  })

  await test.step('it is paid within the turn', async () => {
    await page.goto(link)
    await expect(page).toHaveURL(/\/book-therapist\?offer=/)
    await expect(main.getByText(/^Yours until/)).toBeVisible()
    await expect(main.getByText(timeWords(first), { exact: false }).first()).toBeVisible()
    await expect(main.getByText(/^You can move or cancel it free of charge until/)).toBeVisible()
    await expect(main.getByText(/^Times are in London, /)).toBeVisible()
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
    const later = await register(request, 'Juniper Ash')
    await callAs(request, later, 'POST', '/waitlist', {
      practitioner_id: offer.id,
      ...wishFor(offer, second),
    })

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
    await expect(day.getByText(`${timeWords(second)}: 2 would like this hour`)).toBeVisible()
    await day
      .getByRole('button', { name: `Offer to… a client on the waitlist, ${timeWords(second)}` })
      .press('Enter')
    await expect(week.getByRole('alertdialog').getByRole('radio', { name: 'H. D.' })).toBeChecked()
    await watcher.look('offering an hour by hand')
    await week.getByRole('alertdialog').getByRole('button', { name: 'Offer it' }).press('Enter')
    await expect(day.getByText(/^Offered until/).first()).toBeVisible()
    await expect(week.getByText('An email is on its way to H. D. now.')).toBeVisible()
    // The button that opened the dialog has gone: the focus stays within the day.
    await expect(day.getByRole('heading', { level: 2 })).toBeFocused()
    // The turn begins, and with it its end, when the mail has gone out.
    await expect(async () => {
      const path = `/therapist/waitlist?from=${second.slice(0, 10)}`
      const { week: held } = await callAs<HeldWeek>(request, therapist, 'GET', path)
      const own = held.offered.find((hour) => Date.parse(hour.starts_at) === Date.parse(second))
      await week.reload()
      const offered = day.getByRole('listitem').filter({ hasText: 'H. D.' })
      await expect(
        offered.getByText(new RegExp(`^Offered until .*${timeWords(own?.until ?? '')}`)),
      ).toBeVisible({
        timeout: 3000,
      })
    }).toPass()
    await watcher.look('a week with an offered hour')

    await theirs.goto('/')
    await expect(
      theirs
        .getByRole('list', { name: 'Waiting for you' })
        .getByRole('link', { name: `A time has come free with ${offer.name}` }),
    ).toHaveAttribute('href', /^\/book-therapist\?offer=/)
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

  await test.step('a full practitioner is joined from their profile, and their card has the number of those who wait', async () => {
    const { id, name } = await fullPractitioner(request)
    await page.goto(`/recommended-therapist?practitionerId=${id}`)
    await keys.press(page.getByRole('link', { name: 'Join the waitlist' }).first(), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Join the waitlist' })).toBeVisible()
    await expect(main.getByText(/we ask the person who has waited longest and can come then/)).toBeVisible()
    await main.getByRole('checkbox', { name: 'Mon–Fri mornings' }).press('Space')
    await keys.press(main.getByRole('button', { name: 'Join the waitlist' }), 'Enter')
    await expect(main.getByText(`You are on the waitlist of ${name}`)).toBeVisible()
    await expect(async () => {
      await page.goto(`/found-therapists?session_type=online&name=${encodeURIComponent(name)}`)
      await expect(main.getByText(/^Full\. \d+ (is|are) waiting$/)).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.goto(`/recommended-therapist?practitionerId=${id}`)
    await expect(main.getByText(/^Full\. \d+ (is|are) waiting$/)).toBeVisible()
    await look('the profile of a full practitioner')
  })
})

test('a place that has been paused or given up is no longer confirmed as taken', async ({
  page,
  request,
}) => {
  const { id, name } = await fullPractitioner(request)
  await signIn(page, await register(request))
  await page.goto(`/join-waitlist?practitionerId=${id}`)
  const main = page.getByRole('main')
  await main.getByRole('checkbox', { name: 'Mon–Fri mornings' }).press('Space')
  await main.getByRole('button', { name: 'Join the waitlist' }).press('Enter')
  const joined = main.getByText(`You are on the waitlist of ${name}`)
  await expect(joined).toBeVisible()
  await main.getByRole('button', { name: `Pause waiting for ${name}` }).press('Enter')
  await expect(main.getByText('Paused', { exact: true })).toBeVisible()
  await expect(joined).toBeHidden()
  await main.getByRole('button', { name: `Leave the waitlist of ${name}` }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the waitlist' }).press('Enter')
  await expect(page.locator(':focus')).toHaveText(`You have left the waitlist of ${name}.`)
  await expect(joined).toBeHidden()
})

test('a place whose first day has passed is changed without choosing another', async ({ page, request }) => {
  const { id } = await fullPractitioner(request)
  const account = await register(request)
  await signIn(page, account)
  await page.goto(`/join-waitlist?practitionerId=${id}`)
  const main = page.getByRole('main')
  await main.getByRole('checkbox', { name: 'Mon–Fri mornings' }).press('Space')
  await main.getByRole('button', { name: 'Join the waitlist' }).press('Enter')
  await expect(main.getByText(/^You are on the waitlist of/)).toBeVisible()
  const [entry] = await callAs<{ entry_id: string }[]>(request, account, 'GET', '/client/waitlist')
  await callAs(request, account, 'PUT', `/waitlist/${entry?.entry_id}`, { earliest: dayAhead(-2) })
  await page.goto(`/join-waitlist?entry=${entry?.entry_id}`)
  await main.getByRole('checkbox', { name: 'Mon–Fri afternoons' }).press('Space')
  await main.getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(page).toHaveURL(/\/my-sessions\/waitlist/)
  expect(await callAs(request, account, 'GET', '/client/waitlist')).toMatchObject([{ earliest: null }])
})

test('a place that is changed on a journey keeps its clock until its hours are changed', async ({
  request,
  openContext,
}) => {
  const { id } = await fullPractitioner(request)
  const account = await register(request)
  const page = await (await openContext({ timezoneId: 'Asia/Kathmandu' })).newPage()
  const main = page.getByRole('main')
  const path = `/join-waitlist?practitionerId=${id}`
  await signIn(page, account)
  await page.goto(path)
  await main.getByRole('checkbox', { name: 'Mon–Fri mornings' }).press('Space')
  await expect(main.getByText(/^Times are in/)).toHaveCount(0)
  await main.getByRole('button', { name: 'Join the waitlist' }).press('Enter')
  await expect(main.getByText(/^You are on the waitlist of/)).toBeVisible()
  const [entry] = await callAs<{ entry_id: string }[]>(request, account, 'GET', '/client/waitlist')
  await callAs(request, account, 'PUT', `/waitlist/${entry?.entry_id}`, { timezone: 'Europe/London' })
  await page.goto(path)
  await expect(main.getByText('Times are in London time.')).toBeVisible()
  await main.getByLabel('How much notice do you need?').selectOption('1440')
  await main.getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(main.getByText('Mon–Fri mornings (London time)')).toBeVisible()
  expect(await callAs(request, account, 'GET', '/client/waitlist')).toMatchObject([
    { lead_minutes: 1440, timezone: 'Europe/London' },
  ])
  await page.goto(path)
  await main.getByRole('checkbox', { name: 'Weekends' }).press('Space')
  await main.getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(main.getByText('Mon–Fri mornings; weekends', { exact: true })).toBeVisible()
  const [changed] = await callAs<{ timezone: string }[]>(request, account, 'GET', '/client/waitlist')
  expect(changed?.timezone).toMatch(/^Asia\/Kath?mandu$/)
})

test('a place that was taken is confirmed, though the list of places does not load after it', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 503/)
  const { id, name } = await fullPractitioner(request)
  await signIn(page, await register(request))
  await page.goto(`/join-waitlist?practitionerId=${id}`)
  const main = page.getByRole('main')
  await main.getByRole('checkbox', { name: 'Mon–Fri mornings' }).press('Space')
  await page.route('**/api/v7/client/waitlist*', (route) => route.fulfill({ status: 503, body: '' }))
  await main.getByRole('button', { name: 'Join the waitlist' }).press('Enter')
  await expect(main.getByText(`You are on the waitlist of ${name}`)).toBeVisible()
})

test('a missed turn goes to the next, a swap is paid with a new card, and an hour that starts soon to the first', async ({
  page,
  request,
  server,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  // A page that was left open asks with a token that has expired; the bank's question; another was quicker.
  allowComplaint(/status of (401|402|409)/)
  const main = page.getByRole('main')
  const { look } = looker(page, [])
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const nextDay = new Date(server.now() + hours(24)).toISOString().slice(0, 10)
  // No turn that begins then reaches into the night.
  const morning = Date.parse(`${nextDay}T10:00:00Z`)
  const later = offer.times.filter((time) => Date.parse(time) > morning + hours(96))
  const days = later.filter((time, at) => at === 0 || dayLabel(time) !== dayLabel(later[at - 1] ?? ''))
  const [freed = '', replaced = ''] = days
  /** Whether a session can be cancelled free of charge until some hours before a time. */
  const endsBefore = (time: string) => (session: string) => {
    const before = Date.parse(time) - (Date.parse(session) - hours(48))
    return before >= hours(3) && before <= hours(10)
  }
  const soon = later.find((time) => time >= (days[2] ?? '') && later.some(endsBefore(time))) ?? ''
  const exchanged = later.find(endsBefore(soon)) ?? ''
  const holder = await register(request, 'Alder Moss')
  const [first, next] = [await register(request, 'Rowan Hale'), await register(request, 'Hazel Doe')]
  for (const client of [first, next]) await confirmEmail(server, client)
  const other = await (await openContext({ ...walking, baseURL })).newPage()
  const theirs = other.getByRole('main')

  const passTo = async (instant: number | string) => {
    await Promise.all([page.goto('/healthz'), other.goto('/healthz')])
    await server.passTo(instant)
    for (const client of [holder, first, next]) Object.assign(client, await signInAgain(request, client))
    await signIn(page, first)
    await signIn(other, next)
  }
  const graceOver = () => passTo(server.now() + minutes(4))
  const entryOf = async (client: Account) => {
    const [entry] = await callAs<Entry[]>(request, client, 'GET', '/client/waitlist')
    return entry
  }
  /** Where the newest mail to a client that says this leads once they have signed in. */
  const mailedPath = async (client: Account, words: string) =>
    linkIn(await mailTo(client.email, words, server.folder)).searchParams.get('return_to') ?? ''
  const join = (client: Account, time: string, more: object = {}) =>
    callAs(request, client, 'POST', '/waitlist', {
      practitioner_id: offer.id,
      ...wishFor(offer, time),
      ...more,
    })

  // The demo's own clients wait for hours like these.
  await server.change(async (db) => {
    await sql`update waitlist_entries set state = 'ended' where state = 'waiting'`.execute(db)
  })
  await passTo(morning)
  const held = await bookByApi(request, holder, offer, freed)
  await join(first, freed)
  await bookByApi(request, next, offer, replaced)

  await test.step('the next in the list would give up a session for it', async () => {
    await other.goto(`/join-waitlist?practitionerId=${offer.id}&type=online&service=${offer.service.id}`)
    await theirs.getByRole('button', { name: 'Add days and times of your own' }).click()
    await theirs.getByLabel('Swap a session you have booked').selectOption({ index: 1 })
    await waitFor(other, freed)
    await expect(theirs.getByText(ownPlace)).toBeVisible()
    await expect(theirs.getByText('In place of')).toBeVisible()
    await looker(other, []).look('a place that swaps a session')
  })

  await test.step('a turn passes', async () => {
    await callAs(request, holder, 'POST', '/appointment/cancel-session', { appointment_id: held.session_id })
    await graceOver()
    const link = await mailedPath(first, 'it is your turn')
    await page.goto(link)
    await expect(main.getByText(/^Yours until/)).toBeVisible()
    await main.getByRole('link', { name: /^(Add a card and pay|Use another card)/ }).click()
    const save = main.getByRole('button', { name: /^Save card and pay/ })
    await expect(save).toBeVisible()
    const addCard = page.url()
    // The next in the list hears nothing yet.
    expect((await entryOf(next))?.offers).toEqual([])
    await passTo(Date.parse((await entryOf(first))?.offers[0]?.expires_at ?? '') + minutes(1))
    await mailTo(next.email, 'it is your turn', server.folder)
    await page.goto(addCard)
    await expect(main.getByText('This time is no longer held for you')).toBeVisible()
    await expect(save).toHaveCount(0)
    await look('a new card after the turn has passed')
    await page.goto(link)
    await expect(main.getByRole('heading', { name: 'This time is no longer held for you' })).toBeVisible()
    await expect(
      main.getByText(/Your turn has passed, and nothing was charged\. You keep your place/),
    ).toBeVisible()
    await look('a turn that has passed')
    expect(await entryOf(first)).toMatchObject({ state: 'waiting', offers: [] })
    expect(await upcoming(request, first)).toEqual([])
  })

  await test.step('the next pays with a new card, and the old session goes', async () => {
    await other.goto(await mailedPath(next, 'it is your turn'))
    await expect(theirs.getByText(/^This takes the place of /)).toBeVisible()
    await expect(
      theirs.getByText(`You get ${pounds(offer.service.fee)} back`, { exact: false }),
    ).toBeVisible()
    await looker(other, []).look('an offered time that swaps a session')
    await theirs.getByRole('link', { name: 'Use another card' }).click()
    await expect(other.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
    await expect(theirs.getByText(/^Yours until/)).toBeVisible()
    await looker(other, []).look('a new card for an offered time')
    await fillCard(other, '4000 0025 0000 3155')
    await theirs.getByRole('button', { name: `Save card and pay ${pounds(offer.service.fee)}` }).click()
    await other
      .getByRole('dialog', { name: 'Your bank wants to check that it is you' })
      .getByRole('button', { name: 'Confirm' })
      .click()
    await expect(other.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
    expect(await upcoming(request, next)).toMatchObject([{ status: 'confirmed', starts_at: freed }])
    await mailTo(next.email, 'is cancelled', server.folder)
    expect(await entryOf(next)).toBeUndefined()
  })

  await test.step('an hour that starts soon goes to the first who books it', async () => {
    const old = await bookByApi(request, next, offer, exchanged)
    const lastMoment = Date.parse(exchanged) - hours(48)
    await passTo(lastMoment - minutes(8))
    const near = await bookByApi(request, holder, offer, soon)
    await callAs(request, first, 'PUT', `/waitlist/${(await entryOf(first))?.entry_id}`, wishFor(offer, soon))
    await join(next, soon, { swaps_appointment_id: old.session_id })
    await callAs(request, holder, 'POST', '/appointment/cancel-session', { appointment_id: near.session_id })
    await graceOver()
    const [link, theirLink] = [
      await mailedPath(first, 'The first to book it gets it'),
      await mailedPath(next, 'The first to book it gets it'),
    ]
    const held = await holdByApi(request, holder, offer, soon)
    await page.goto(link)
    await expect(main.getByRole('heading', { name: 'This time is not free just now' })).toBeVisible()
    await look('a time that another client is booking')
    await callAs(request, holder, 'POST', '/appointment/cancel-session', { appointment_id: held.session_id })
    await main.getByRole('button', { name: 'Look again' }).click()
    await expect(main.getByText(/^It starts soon, so we cannot keep it for you/)).toBeVisible()
    await expect(main.getByText(/^You can move or cancel it free of charge until it starts/)).toBeVisible()
    await look('a time that starts soon')

    await other.goto(theirLink)
    await expect(theirs.getByText(/^This takes the place of /)).toBeVisible()
    await expect(
      theirs.getByText(/^We cancel that session at .+ book this one, if that is before /),
    ).toBeVisible()
    await looker(other, []).look('a time that starts soon and swaps a session')
    // So does every page that takes the money for it.
    await theirs.getByRole('link', { name: 'Check and book' }).click()
    await theirs.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(theirs.getByText(/^This takes the place of /)).toBeVisible()
    await theirs.getByRole('link', { name: 'Use another card' }).click()
    await expect(other).toHaveURL(/\/add-card\?/)
    await expect(theirs.getByText(/^This takes the place of /)).toBeVisible()
    await looker(other, []).look('adding a card to swap a session')
    await theirs.getByRole('link', { name: 'Back to the booking and your saved cards' }).click()
    await theirs.getByRole('button', { name: 'Release this time' }).click()
    await expect(other).toHaveURL(/\/recommended-therapist\?/)
    // The page is open when the other session can no longer be cancelled.
    await passTo(lastMoment - 8000)
    await other.goto(theirLink)
    await expect(theirs.getByText('Your other session stays booked')).toBeVisible({ timeout: 40_000 })
    await page.goto(link)
    await main.getByRole('link', { name: 'Check and book' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Check and pay' })).toBeVisible()
    await theirs.getByRole('link', { name: 'Check and book' }).click()
    await theirs.getByRole('button', { name: 'Continue to payment' }).click()
    await theirs.getByText(/4242/).first().click()
    await theirs.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
    await expect(theirs.getByText('Your session is booked')).toBeVisible()

    await main.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(main.getByText('This time is no longer free')).toBeVisible()
    await expect(main.getByText(/Nothing was charged/).first()).toBeVisible()
    await look('another was quicker')
    await page.goto(link)
    await expect(main.getByRole('heading', { name: 'This time has gone' })).toBeVisible()
    await expect(
      main.getByText(/It was booked, or is no longer offered\. Nothing was charged\. You keep your place/),
    ).toBeVisible()
    await look('a time that has gone')
    expect((await upcoming(request, next)).map(({ starts_at }) => starts_at)).toEqual(
      expect.arrayContaining([soon, exchanged]),
    )
    expect(await upcoming(request, first)).toEqual([])
    expect(await entryOf(first)).toMatchObject({ state: 'waiting', offers: [] })
  })

  await test.step('a place is kept for longer', async () => {
    const entry = main.getByRole('listitem', { name: offer.name })
    const endsAt = (await entryOf(first))?.ends_at ?? ''
    await passTo(Date.parse(endsAt) - hours(6 * 24))
    await page.goto(await mailedPath(first, 'Would you still like a time?'))
    await expect(entry.getByText('Lasts until')).toBeVisible()
    await look('a place that ends soon')
    await entry.getByRole('button', { name: `Keep my place with ${offer.name}` }).click()
    await expect(entry.getByRole('button', { name: /^Keep my place/ })).toHaveCount(0)
    const kept = Date.parse((await entryOf(first))?.ends_at ?? '')
    expect(kept).toBeGreaterThan(Date.parse(endsAt) + hours(53 * 24))
  })
})

/** '2nd of 3 on the waitlist'. */
const ownPlace = /^\d+(st|nd|rd|th) of \d+ on the waitlist$/

const minutes = (count: number) => count * 60_000
const hours = (count: number) => count * 3_600_000

type HeldWeek = { week: { offered: { starts_at: string; until: string }[] } }
type Entry = {
  entry_id: string
  state: string
  ends_at: string
  offers: { offer_id: string; expires_at: string | null }[]
}

/** What the API is sent by a client who waits for exactly one hour. */
function wishFor(offer: Offer, instant: string) {
  const hour = Number(timeWords(instant).slice(0, 2))
  const day = dayIn(instant)
  return {
    service_id: offer.service.id,
    appointment_type: 'online',
    windows: [{ weekdays: [weekdayOf(day)], from: clock(hour), to: clock(hour + 1) }],
    earliest: day,
    latest: day,
    lead_minutes: 60,
    timezone: 'Europe/London',
  }
}

/** `09:00`. */
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** `YYYY-MM-DD` in London. */
const dayIn = (instant: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date(instant))

/** Waits for exactly one hour, in the form with one window of the client's own. */
async function waitFor(page: Page, instant: string): Promise<void> {
  const main = page.getByRole('main')
  const [weekday = ''] = dayLabel(instant).split(' ')
  const hour = Number(timeWords(instant).slice(0, 2))
  await main.getByRole('checkbox', { name: weekday.slice(0, 3), exact: true }).press('Space')
  await main.getByLabel('Until', { exact: true }).selectOption(clock(hour + 1))
  await main.getByLabel('From', { exact: true }).selectOption(clock(hour))
  await main.getByLabel(/^Not before/).fill(dayIn(instant))
  await main.getByLabel(/^Not after/).fill(dayIn(instant))
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
async function fullPractitioner(request: APIRequestContext): Promise<{ id: number; name: string }> {
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
    if (services.online.length > 0) return { id, name }
  }
  throw new Error('Every practitioner has free times.')
}
