import type { Page } from '@playwright/test'
import { expectAlive } from './alive.ts'
import { expect, test as journey } from './fixtures.ts'
import { signInDemoAdmin } from './admin.ts'
import { bookByApi, dayLabel, timeWords } from './booking.ts'
import { test } from './own-server.ts'
import { bookedClients, moveSessions, shift } from './past.ts'
import { callAs, password, register, signIn } from './people.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

journey(
  'only somebody signed in as a therapist gets in, and the dashboard opens after signing in',
  async ({ page }) => {
    await page.goto('/therapist')
    await expect(page).toHaveURL(/\/therapist\/sign-in\?return_to=%2Ftherapist%2Fdashboard$/)
    await page.goto('/therapist/sign-in')
    await page.getByLabel('Email').fill('therapist@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('demo-password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/therapist/dashboard')
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect(page.getByText('Hello, Grace')).toBeVisible()
    await expect(page.getByRole('region', { name: 'How clients find you' })).toContainText('Enquiries')
    await page.setViewportSize({ width: 375, height: 667 })
    await expect(page.getByRole('switch', { name: 'Available now' })).toBeInViewport()
    await page.setViewportSize({ width: 1280, height: 720 })
    // The way back to it from elsewhere.
    await page.goto('/')
    await page.getByRole('button', { name: /account$/ }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      'Dashboard',
      'Schedule',
      'Sessions',
      'Regular sessions',
      'Waitlist',
      'Clients’ reviews',
      'Profile',
      'Money',
      'Account',
      'Logout',
    ])
    // A signed-in practitioner is not told that their account is deleted.
    await page.keyboard.press('Escape')
    await page.goto('/goodbye')
    await expect(page).toHaveURL('/therapist/account')
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'Dashboard' }).click()
    await expect(page).toHaveURL('/therapist/dashboard')
    const practice = page.getByRole('navigation', { name: 'Your practice' })
    await practice.getByRole('link', { name: 'Money' }).click()
    await expect(page.getByRole('region', { name: 'Earnings' })).toContainText(/This month£\d/)
    const balance = page.getByRole('region', { name: 'Your balance' })
    await expect(balance).toContainText('Owed to you in full')
    await expect(balance).toContainText(/Ready to be paid out£\d/)
    await expect(page.getByRole('button', { name: /^Statement for .* as PDF$/ }).first()).toBeVisible()

    // A client in another zone is shown on both clocks.
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await practice.getByRole('link', { name: 'Sessions', exact: true }).click()
    const abroad = page.getByRole('listitem').filter({ hasText: 'Tomasz Z.' }).first()
    await expect(abroad).toContainText('Your time: London')
    await expect(abroad).toContainText(/Client’s time: \d\d:00 to \d\d:50, Warsaw/)

    // On a phone, being available now comes first.
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/therapist/dashboard')
    await expect(page.getByRole('switch').first()).toBeInViewport()
  },
)

journey(
  'a practitioner who opens a session signed out comes back to it by their own sign-in',
  async ({ page, request, allowComplaint }) => {
    allowComplaint(/status of 404/)
    const therapist = await registerTherapist(request)
    for (const path of ['/session?appointment=none', '/session-room?appointment=none', '/chats']) {
      await page.goto(path)
      await expect(page).toHaveURL(`/sign-in?return_to=${encodeURIComponent(path)}`)
      await page.getByRole('link', { name: 'log in as a therapist' }).click()
      await expect(page).toHaveURL(`/therapist/sign-in?return_to=${encodeURIComponent(path)}`)
    }
    await page.goto('/session?appointment=none')
    await page.getByRole('link', { name: 'log in as a therapist' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
    await page.getByLabel('Email').fill(therapist.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'We cannot find this session' })).toBeVisible()
    await expect(page).toHaveURL('/session?appointment=none')
  },
)

journey(
  'somebody new is told what leads to the first client, and sees no empty figures',
  async ({ page, request }) => {
    await signInTherapist(page, await registerTherapist(request))
    await page.goto('/therapist/dashboard')
    await expect(page.getByText('Clients cannot find you yet')).toBeVisible()
    const tasks = page.getByRole('region', { name: 'What needs doing' })
    await expect(tasks.getByRole('listitem')).toHaveCount(2)
    await expect(tasks.getByRole('heading')).toHaveText([
      'What needs doing',
      'Complete your profile',
      'Say when you work',
    ])
    await expect(page.getByRole('heading', { name: 'Earnings' })).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'How clients find you' })).toContainText('Enquiries0')
    await tasks.getByRole('link', { name: 'Set your schedule' }).click()
    await expect(page).toHaveURL('/therapist/calendar')
    await page.goBack()
    await expect(tasks).toBeVisible()
  },
)

journey(
  'a dashboard that does not load says so, and comes with the next try',
  async ({ page, request, allowComplaint }) => {
    allowComplaint(/status of 500/)
    // Without news, by which the page would read again by itself.
    await page.routeWebSocket(/\/socket\//, () => {})
    await signInTherapist(page, await registerTherapist(request))
    let isBroken = true
    await page.route('**/get-dashboard-overview', (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { code: 'internal_error', message: 'That did not work.' } })
        : route.continue(),
    )
    await page.goto('/therapist/dashboard')
    await expect(page.getByRole('heading', { name: 'Your dashboard did not load' })).toBeVisible()
    await expectAlive(page)
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'What needs doing' })).toBeVisible()
  },
)

journey(
  'money says that refunds are taken off, and what was paid beyond the earnings',
  async ({ page, request }) => {
    await signInTherapist(page, await registerTherapist(request))
    await page.route('**/therapist/earnings', (route) => route.fulfill({ json: { months: [], owed: -60 } }))
    await page.route('**/therapist/balance', (route) =>
      route.fulfill({
        json: {
          paid_by_clients: 120,
          refunded: 60,
          returned_after_disputes: 60,
          discounts_borne_by_us: 0,
          paid_out: 60,
          owed: -60,
          held: 0,
          payouts_withheld: false,
          months: [],
        },
      }),
    )
    await page.goto('/therapist/money')
    const earnings = page.getByRole('region', { name: 'Earnings' })
    await expect(earnings).toContainText('less what was refunded to clients')
    await expect(earnings).toContainText('Owed to you£0')
    await expect(earnings).toContainText(
      'We paid you £60 more than you have earned. It comes off your next payout.',
    )
    const balance = page.getByRole('region', { name: 'Your balance' })
    await expect(balance).toContainText('Refunded to clients−£60')
    await expect(balance).toContainText('Returned by clients’ banks after disputes−£60')
    await expect(balance).toContainText('Paid beyond what you earned: off your next payout−£60')
  },
)

test('open pages follow the end of a session, and what the other person does, without a reload', async ({
  server,
  page,
  request,
  openContext,
}) => {
  const therapist = await demoTherapist(request)
  const [ending, following, cancelled] = await bookedClients(request, therapist.id, [
    'Robin Vale',
    'Alma Reyes',
    'Sam Rivers',
  ])
  if (!ending || !following || !cancelled) throw new Error('A booking is missing.')
  await signInTherapist(page, therapist)
  const opened = async (enter: (tab: Page) => Promise<void>) => {
    const tab = await (await openContext({ baseURL: server.url })).newPage()
    await enter(tab)
    return tab
  }
  const theirs = await opened((tab) => signInTherapist(tab, therapist))
  const ofEnding = await opened((tab) => signIn(tab, ending.client))
  const ofCancelled = await opened((tab) => signIn(tab, cancelled.client))
  const { services, service } = ending.offer
  const duration = services.online.find(({ service_id }) => service_id === service.id)?.duration ?? 0
  const ends = Date.now() + 30_000
  await moveSessions(server, {
    [ending.id]: new Date(ends - duration * 60_000),
    [following.id]: new Date(ends + 2000),
    [cancelled.id]: new Date(ends + 7_200_000),
  })
  await Promise.all([
    page.goto('/therapist/dashboard'),
    theirs.goto(`/session?appointment=${following.id}`),
    ofEnding.goto('/my-sessions'),
    ofCancelled.goto('/my-sessions'),
  ])
  const next = page.getByRole('region', { name: /^(Next session|Going on now)$/ })
  await expect(next).toContainText('Robin V., now')
  const failed = theirs.getByRole('button', { name: 'It did not work' })
  await expect(theirs.getByRole('button', { name: 'Cancel session' })).toBeVisible()
  await expect(failed).toHaveCount(0)
  const card = (tab: Page) => tab.getByRole('listitem', { name: ending.offer.name })
  await expect(card(ofEnding)).toBeVisible()
  await expect(card(ofCancelled)).toBeVisible()

  await expect(next).toContainText('Alma R.', { timeout: 60_000 })
  await expect(card(ofEnding)).toHaveCount(0)
  await expect(failed).toBeVisible()
  const listed = page.getByRole('region', { name: 'Upcoming sessions' })
  await expect(listed.getByRole('listitem').filter({ hasText: 'Robin V.' })).toHaveCount(0)

  const all = page.getByRole('link', { name: /^See all \d+ upcoming sessions$/ })
  const total = Number((await all.innerText()).match(/\d+/)?.[0])
  await bookByApi(request, await register(request), ending.offer, ending.offer.times.at(-1) ?? '')
  await expect(all).toHaveText(`See all ${total + 1} upcoming sessions`)
  await callAs(request, therapist, 'POST', `/therapist/sessions/${cancelled.id}/cancel`, {})
  await expect(card(ofCancelled)).toHaveCount(0)
  await expect(listed.getByRole('listitem').filter({ hasText: 'Sam R.' })).toHaveCount(0)
})

test('sessions are cancelled, and said of whether they took place; the client sees what became of theirs', async ({
  server,
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of 409/)
  const therapist = await demoTherapist(request)
  const booked = await bookedClients(request, therapist.id, [
    'Robin Vale',
    'Alma Reyes',
    'Sam Rivers',
    'Jo Field',
    'Kim Doyle',
  ])
  const [soon, ahead, over, missed, failed] = booked
  if (!soon || !ahead || !over || !missed || !failed) throw new Error('Not everybody has booked.')
  await shift(server, { [soon.id]: 25, [over.id]: -120, [missed.id]: -300 })
  await signInTherapist(page, therapist)
  for (const path of ['/find-therapist', '/recommended-therapy']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/sign-in?return_to=${encodeURIComponent(path)}`)
  }
  await page.goto('/therapist/dashboard')

  const next = page.getByRole('region', { name: 'Next session' })
  await expect(next).toContainText(/Robin V\., in 2[345] minutes/)
  await expect(next).toContainText(/The room opens (on \w+ \d+ \w+ )?at \d\d:\d\d\./)
  await expect(next.getByRole('link', { name: 'See this session' })).toHaveAttribute(
    'href',
    `/session?appointment=${soon.id}`,
  )
  const behind = await (await openContext()).newPage()
  await behind.addInitScript(`{
    const { now } = Date
    Date.now = () => now() - 36 * 3_600_000
  }`)
  await signInTherapist(behind, therapist)
  await behind.goto('/therapist/dashboard')
  await expect(behind.getByRole('region', { name: 'Next session' })).toContainText(/in 2[345] minutes/)
  await behind.close()
  const tasks = page.getByRole('region', { name: 'What needs doing' })
  await expect(tasks).toContainText('Did your last 2 sessions take place?')
  // Two sessions have begun, at the fee of the first service each.
  const earnings = page.getByRole('region', { name: 'Earnings' })
  await earnings.getByText('Show as a table').click()
  await expect(earnings.getByRole('table').getByRole('row')).toHaveCount(13)

  // What is ahead can be cancelled, and nothing else.
  await expect(page.getByRole('link', { name: /^See all \d+ upcoming sessions$/ })).toBeVisible()
  await page.goto('/therapist/sessions?page=99')
  await expect(page.getByRole('heading', { name: 'Nothing is left on this page' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await expect(page).toHaveURL('/therapist/sessions')
  const sessions = page.getByRole('region', { name: 'Upcoming sessions' })
  const cancelled = sessions.getByRole('listitem').filter({ hasText: 'Alma R.' })
  await expect(cancelled.getByRole('button')).toHaveText(['Cancel session'])
  await cancelled.getByRole('button', { name: 'Cancel session' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel this session?' })
  await expect(question).toContainText('You will not be paid for it')
  await question.getByRole('button', { name: 'Keep session' }).click()
  await expect(cancelled).toBeVisible()

  // One that its client has moved since it was read stays booked.
  const other = ahead.offer.times.at(-1) ?? ''
  await cancelled.getByRole('button', { name: 'Cancel session' }).click()
  await callAs(request, ahead.client, 'POST', '/appointment/edit-session', {
    appointment_id: ahead.id,
    type: 'online',
    appointment_datetime: other,
    service_id: ahead.offer.service.id,
  })
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(question.getByRole('alert')).toContainText('This session was moved meanwhile')
  await question.getByRole('button', { name: 'Keep session' }).click()
  await expect(cancelled).toContainText(`${dayLabel(other)}, ${timeWords(other)}`)
  await cancelled.getByRole('button', { name: 'Cancel session' }).click()
  const message = question.getByLabel(/^A message to your client/)
  await message.fill('I am ill. I am sorry.')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await cancelled.getByRole('button', { name: 'Cancel session' }).click()
  await expect(message).toHaveValue('I am ill. I am sorry.')
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByText('The session is cancelled')).toBeVisible()
  await expect(page.locator(':focus')).toContainText('Alma R. has been told and gets the whole price back.')
  await expect(cancelled).toHaveCount(0)

  // What is over is said of whether it took place; a mistake can be put right.
  await page.goto('/therapist/dashboard')
  await tasks.getByRole('link', { name: 'See past sessions' }).click()
  const past = page.getByRole('region', { name: 'Past sessions' })
  const tookPlace = past.getByRole('listitem').filter({ hasText: 'Sam R.' })
  await expect(tookPlace).toContainText('Counts as completed on')
  // The words of a wrapped row of buttons, which have 24px of padding and a border, begin where the text begins.
  const text = await tookPlace.getByText(/^Counts as completed on/).boundingBox()
  const button = await tookPlace.getByRole('link', { name: /^Message/ }).boundingBox()
  expect(Math.abs((button?.x ?? 0) + 24 - (text?.x ?? 0))).toBeLessThan(2)
  await tookPlace.getByRole('button', { name: 'Client did not come' }).click()
  const settle = page.getByRole('alertdialog', { name: 'Did the client not come?' })
  await expect(settle).toContainText('You can correct it until')
  await settle.getByRole('button', { name: 'Client did not come' }).click()
  await expect(tookPlace).toContainText('Client did not come')
  await tookPlace.getByRole('button', { name: 'Mark as completed' }).click()
  const correcting = page.getByRole('alertdialog')
  await expect(correcting).toContainText('This is final')
  await correcting.getByRole('button', { name: 'Mark as completed' }).click()
  await expect(page.getByText('Sam R. can review the session now.')).toBeVisible()
  await expect(tookPlace).toContainText('Completed')
  await past
    .getByRole('listitem')
    .filter({ hasText: 'Jo F.' })
    .getByRole('button', { name: 'Client did not come' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Client did not come' }).click()
  await expect(page.getByText('Recorded that the client did not come')).toBeVisible()
  await page.goto('/therapist/dashboard')
  await expect(next).toBeVisible()
  await expect(page.getByText(/take place\?/)).toHaveCount(0)
  await page.goto('/therapist/sessions?when=past')
  await expect(past.getByRole('listitem').filter({ hasText: 'Alma R.' })).toContainText(
    'You cancelled it. The client was refunded',
  )

  // One that failed is no no-show.
  await shift(server, { [failed.id]: -400 })
  await page.goto('/therapist/sessions?when=past')
  const unsuccessful = past.getByRole('listitem').filter({ hasText: 'Kim D.' })
  await unsuccessful.getByRole('button', { name: 'It did not work' }).click()
  await page
    .getByRole('alertdialog', { name: 'Cancel because it did not work?' })
    .getByRole('button', { name: 'Cancel and refund' })
    .click()
  await expect(page.locator(':focus')).toContainText('Kim D. has been told and gets the whole price back.')
  await expect(unsuccessful).toContainText(
    'It was cancelled because the connection did not work. The client was refunded',
  )
  await expect(unsuccessful.getByRole('button')).toHaveCount(0)

  // A practitioner may write to the client of a session.
  await page.goto('/therapist/dashboard')
  await sessions
    .getByRole('listitem')
    .filter({ hasText: 'Robin V.' })
    .getByRole('link', { name: 'Message' })
    .click()
  await expect(page).toHaveURL(/\/chat\?dialogId=/)
  await expect(page.getByRole('heading', { level: 1, name: 'Robin V.' })).toBeVisible()
  await page.getByPlaceholder('Enter your message').fill('Until soon.')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: /^Messages with / })).toContainText('Sent')

  // In another window what was cancelled meanwhile says so, and nothing is lost.
  await page.goto('/therapist/dashboard')
  await sessions.getByRole('listitem').filter({ hasText: 'Robin V.' }).getByRole('button').click()
  await expect(question).toBeVisible()
  await callAs(request, therapist, 'POST', `/therapist/sessions/${soon.id}/cancel`, {})
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByText('The session is cancelled')).toBeVisible()

  // The clients.
  const seenBy = async (account: typeof soon.client) => {
    const window = await (await openContext({ baseURL: server.url })).newPage()
    await signIn(window, account)
    await window.goto('/my-sessions')
    await window.getByRole('link', { name: 'Past sessions' }).click()
    return window.getByRole('listitem', { name: therapist.firstName })
  }
  await expect(await seenBy(ahead.client)).toContainText(
    /Grace cancelled it\. £[\d.]+ (was sent|is going) back/,
  )
  await expect(await seenBy(ahead.client)).toContainText('I am ill. I am sorry.')
  await expect((await seenBy(over.client)).getByRole('button', { name: 'Review this session' })).toBeVisible()
  const ofMissed = await seenBy(missed.client)
  await expect(ofMissed).toContainText('Grace recorded that you did not come')

  // Who did come disputes it, and the back office decides.
  const client = ofMissed.page()
  await client.goto('/')
  const task = client
    .getByRole('list', { name: 'Waiting for you' })
    .getByRole('listitem')
    .filter({
      hasText: / says that you did not come/,
    })
  await expect(task).toContainText(/You can dispute it until \w+day \d+ \w+/)
  await task.getByRole('link').click()
  await expect(client).toHaveURL(`/session?appointment=${missed.id}`)
  await expect(client.getByRole('button', { name: 'That is not right' })).toBeVisible()
  await client.goto('/my-sessions/past')
  await ofMissed.getByRole('button', { name: 'That is not right' }).click()
  const dispute = client.getByRole('dialog', { name: 'Were you there?' })
  await dispute.getByRole('button', { name: 'Send it to us' }).click()
  await expect(dispute.getByText('Say what happened.')).toBeVisible()
  await dispute.getByLabel('What happened?').fill('I waited for half an hour.')
  await dispute.getByRole('button', { name: 'Send it to us' }).click()
  await expect(client.locator(':focus')).toContainText('We have your dispute')
  await expect(ofMissed).toContainText('you have disputed it')
  await expect(ofMissed.getByRole('button')).toHaveCount(0)
  const sessionsRead = client.waitForResponse(/get-past-sessions/)
  await client.goto('/')
  await sessionsRead
  await expect(client.getByText(/^You have no session booked/)).toBeVisible()
  await expect(task).toHaveCount(0)
  await page.goto('/therapist/dashboard?sessions=past')
  const disputed = past.getByRole('listitem').filter({ hasText: 'Jo F.' })
  await expect(disputed).toContainText('They dispute it')
  await expect(disputed.getByRole('button', { name: 'Mark as completed' })).toHaveCount(0)
  await page.goto(`/session?appointment=${missed.id}`)
  await expect(
    page.getByText(/^We hold the fee until we have decided, and write to you then\./),
  ).toContainText(`mention session ${missed.id.slice(0, 8).toUpperCase()}.`)

  const admin = await (await openContext({ baseURL: server.url })).newPage()
  await signInDemoAdmin(admin, request)
  await admin.goto('/admin/no-shows')
  const open = admin.getByRole('list', { name: 'Disputed no-shows' }).getByRole('listitem')
  await expect(open).toHaveCount(1)
  await expect(open).toContainText('I waited for half an hour.')
  await open.getByRole('button', { name: /^Overturn and refund/ }).click()
  const decision = admin.getByRole('dialog', { name: 'Decide for the client?' })
  await decision.getByLabel('Reason').fill('The log of the room.')
  await decision.getByRole('button', { name: 'Overturn and refund' }).click()
  await expect(admin.getByText('The no-show is overturned. Both have been told.')).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'No disputes to decide' })).toBeVisible()
  await admin.getByRole('link', { name: 'Decided' }).click()
  await expect(open).toContainText('Overturned')
  await client.goto('/my-sessions/past')
  await expect(ofMissed).toContainText(
    /we decided in your favour\. £[\d.]+ (was sent|is going) back to your card/,
  )
  await page.goto('/therapist/sessions?when=past')
  await expect(disputed).toContainText('decided for the client and refunded')
})
