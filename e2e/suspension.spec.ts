import { looker, walking } from './axe.ts'
import { bookByApi, ownPractitioner, timeWords } from './booking.ts'
import { breakCalls, outage } from './broken-calls.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { mailTo } from './mails.ts'
import { approve, demoAdmin, handInProfile, signInDemoAdmin } from './admin.ts'
import { files } from './onboarding.ts'
import { callAs, register, signIn } from './people.ts'
import { keepHour, ownSeries } from './series.ts'
import { signInTherapist } from './therapists.ts'

test.use(walking)

const reason = 'CANARY a client has complained.'

test('an admin freezes, restores and cancels sessions, and their client sees each of it without the reason', async ({
  page,
  request,
  openContext,
  baseURL,
  allowComplaint,
}, info) => {
  // What was moved meanwhile.
  allowComplaint(/status of 409/)
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  const { session_id: booked } = await bookByApi(request, client, offer, offer.times[0] ?? '')
  const theirs = await (await openContext({ ...walking, baseURL })).newPage()
  await signIn(theirs, client)
  await theirs.goto('/my-sessions')
  const session = theirs.getByRole('listitem', { name: offer.name })
  await expect(session.getByRole('link', { name: /room of the session/ })).toBeVisible()

  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${offer.id}`)
  const ahead = page.getByRole('region', { name: 'Sessions ahead' })
  await expect(ahead.getByText('Robin V.')).toBeVisible()
  const standing = page.getByRole('region', { name: 'Status' })
  const dialog = page.getByRole('dialog')
  await standing.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByText(/^1 session ahead, £/)).toBeVisible()
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await looker(page, []).look('the suspend dialog')
  await walkForm(page, 'features/back-office/SuspendDialog', {
    within: dialog,
    submit: 'Suspend',
    fields: [
      ['What it is about', (within) => within.getByLabel('What it is about').selectOption('conduct')],
      [/^Cancel and refund them now/, 'tick'],
      ['Reason'],
    ],
  })
  await expect(dialog.getByText('For this, sessions are usually cancelled.')).toBeVisible()
  await dialog.getByLabel('Reason').fill(reason)
  // By the keyboard alone.
  await dialog.getByLabel('What it is about').selectOption('papers')
  await expect(dialog.getByText('For this, sessions are usually frozen.')).toBeVisible()
  const freeze = dialog.getByLabel('Freeze them for up to 72 hours')
  const cancel = dialog.getByLabel('Cancel and refund them now')
  await expect(cancel, 'the choice stays that of the admin').toBeChecked()
  await cancel.focus()
  await page.keyboard.press('ArrowDown')
  await expect(freeze).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type(reason)
  await dialog.getByRole('button', { name: 'Suspend' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(ahead.getByText(/^Frozen: cancelled on/)).toBeVisible()
  await looker(page, []).look('a suspended practitioner with a frozen session')

  await theirs.reload()
  await expect(session.getByText('This session is being checked')).toBeVisible()
  await expect(session.getByText('The link is unavailable while we check the session.')).toBeVisible()
  await expect(session.getByRole('link', { name: /room of the session/ })).toHaveCount(0)
  await expect(theirs.getByText('CANARY')).toHaveCount(0)
  await looker(theirs, []).look('a session that is being checked')
  const own = theirs.getByRole('main')
  await session.getByRole('link', { name: offer.name, exact: true }).click()
  await expect(own.getByText(/^We are checking this session\./)).toBeVisible()
  await expect(own.getByRole('button', { name: 'Move to another time' })).toHaveCount(0)
  await expect(own.getByRole('button', { name: 'Cancel session' })).toBeVisible()
  const profile = own.getByRole('link', { name: 'See profile' })
  await expect(profile, 'it could not be opened').toHaveCount(0)
  await expect(theirs.getByText('CANARY')).toHaveCount(0)
  await looker(theirs, ['/session']).look('the page of a session that is being checked')

  await standing.getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lift it' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  // The open page has learned of it by itself.
  await expect(own.getByRole('button', { name: 'Move to another time' })).toBeVisible()
  await expect(profile).toBeVisible()
  await theirs.goto('/my-sessions')
  await expect(session.getByRole('link', { name: /room of the session/ })).toBeVisible()

  // What its client moves meanwhile is not cancelled.
  const other = offer.times[1] ?? ''
  await ahead.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText(`${timeWords(offer.times[0] ?? '')}: Robin V. gets £`)).toBeVisible()
  await callAs(request, client, 'POST', '/appointment/edit-session', {
    appointment_id: booked,
    type: 'online',
    appointment_datetime: other,
    service_id: offer.service.id,
  })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Cancel session' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This session was moved meanwhile')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(ahead.getByText(timeWords(other))).toBeVisible()

  await standing.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByLabel('What it is about').selectOption('conduct')
  await cancel.check()
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog).toBeHidden()
  await expect(ahead.getByText('None.')).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByText(`We had to cancel your session with ${offer.name}`)).toBeVisible()
  await expect(
    theirs.getByText(/^We are sorry\. £\d+ (was sent|is going) back to your card\.$/),
  ).toBeVisible()
  await expect(
    theirs.getByText('These people help with the same things and are free that week:'),
  ).toBeVisible()
  await expect(theirs.getByText('CANARY')).toHaveCount(0)
  await looker(theirs, []).look('a session that we had to cancel')
  const mail = await mailTo(client.email, 'There is something new for you on Hearth')
  expect(mail).not.toContain('CANARY')

  // Others may look for this practitioner.
  await standing.getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lift it' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
})

test('a series is paused with its practitioner, and goes on when the client says so', async ({
  page,
  request,
  openContext,
  baseURL,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  await keepHour(request, client, offer, offer.times[0] ?? '')
  const admin = await demoAdmin(request)
  const path = `/admin/practitioners/${offer.id}`
  await callAs(request, admin, 'POST', `${path}/suspend`, { reason, cause: 'papers', sessions: 'freeze' })
  const main = page.getByRole('main')
  const { look } = looker(page, [])
  const office = await (await openContext({ ...walking, baseURL })).newPage()
  await signInDemoAdmin(office, request)
  await office.goto(`/admin/practitioner?id=${offer.id}`)
  const ahead = office.getByRole('region', { name: 'Sessions ahead' })
  await ahead.getByRole('button', { name: 'Cancel' }).last().click()
  const dialog = office.getByRole('dialog')
  await expect(dialog.getByText(/ has not paid yet and is not charged, and both get an email/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await office.getByRole('button', { name: 'Close for good' }).click()
  await expect(dialog.getByText(/£\d[\d.]*, not paid yet$/).first()).toBeVisible()
  await expect(dialog.getByText(/^No card is charged for a session that is not paid yet/)).toBeVisible()
  await signIn(page, client)
  await page.goto('/my-sessions')
  await expect(main.getByText('Paused for now')).toBeVisible()
  await expect(main.getByText('CANARY')).toHaveCount(0)
  await look('a paused series')
  await callAs(request, admin, 'POST', `${path}/reinstate`)
  await page.reload()
  await expect(main.getByText(/ is back$/)).toBeVisible()
  await look('a series that can go on')
  await main.getByRole('button', { name: 'Go on' }).click()
  await expect(main.getByText('Your hour goes on')).toBeVisible()
  expect((await ownSeries(request, client)).map(({ state }) => state)).toEqual(['active'])
})

test('an admin closes a profile for good only once that is confirmed, and the practitioner reads why', async ({
  page,
  request,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  // What is closed to them is refused.
  allowComplaint(/status of 403/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  const theirs = await (await openContext({ ...walking, baseURL })).newPage()
  await signInTherapist(theirs, therapist)

  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${therapist.id}`)
  const standing = page.getByRole('region', { name: 'Status' })
  const dialog = page.getByRole('dialog')
  await standing.getByRole('button', { name: 'Close for good' }).click()
  await expect(dialog.getByText('No sessions, bookings or requests.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await expect(dialog.getByText('Give a reason.')).toBeVisible()
  await expect(dialog.getByText('Please confirm it.')).toBeVisible()
  await looker(page, []).look('the dialog that closes a profile')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(standing.getByText('Approved', { exact: true })).toBeVisible()

  await standing.getByRole('button', { name: 'Close for good' }).click()
  await dialog.getByLabel('Reason').fill('You told us that you are leaving.')
  await dialog.getByLabel('I know that this cannot be undone.').check()
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await expect(dialog).toBeHidden()
  await expect(standing.getByText('Closed', { exact: true })).toBeVisible()
  await expect(standing.getByRole('button')).toHaveCount(0)
  await looker(page, []).look('a closed profile')

  await theirs.goto('/therapist/dashboard')
  await expect(theirs.getByRole('heading', { name: 'Your profile is closed' })).toBeVisible()
  await expect(theirs.getByText('You told us that you are leaving.')).toBeVisible()
  await looker(theirs, []).look('what a practitioner reads whose profile is closed')
  await theirs.getByRole('link', { name: 'your earnings and statements' }).click()
  await expect(theirs).toHaveURL('/therapist/money')
  await expect(theirs.getByRole('region', { name: 'Earnings' })).toContainText('Owed to you')
  await expect(theirs.getByRole('region', { name: 'Your balance' })).toContainText('Owed to you in full')
  await expect(theirs.getByText('did not load')).toHaveCount(0)
  await looker(theirs, []).look('the money of a practitioner whose profile is closed')
  await theirs.getByRole('link', { name: 'Subscription and invoices' }).click()
  await expect(theirs.getByRole('region', { name: 'Invoices' })).toBeVisible()
  await expect(theirs.getByRole('heading', { name: /^You(r| have no) subscription/ })).toBeVisible()
  await expect(theirs.getByRole('region', { name: 'Your introduction on video' })).toHaveCount(0)
  const ofCards = theirs
    .getByRole('main')
    .getByRole('link', { name: /add a card|update card|enable subscription/i })
  await expect(ofCards).toHaveCount(0)
  await theirs.goto('/therapist/account/leave')
  await expect(theirs.getByText(/^Your profile is closed\./)).toBeVisible()
  await expect(
    theirs.getByRole('main').getByRole('link', { name: /Cancel your subscription|your dashboard/ }),
  ).toHaveCount(0)
  await looker(theirs, []).look('leaving, once the profile is closed')
})

test('a suspended practitioner reads that nothing is charged, and what cancelling the subscription means then', async ({
  page,
  request,
  allowComplaint,
}) => {
  // What is closed to them is refused.
  allowComplaint(/status of 403/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  const { payment_method_id } = await callAs<{ payment_method_id: string }>(
    request,
    therapist,
    'POST',
    '/therapist/payment/add-new-card',
    { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
  )
  await callAs(request, therapist, 'POST', '/therapist/subscription/subscribe', { payment_method_id })
  await callAs(request, await demoAdmin(request), 'POST', `/admin/practitioners/${therapist.id}/suspend`, {
    reason,
    cause: 'conduct',
    sessions: 'freeze',
  })
  await signInTherapist(page, therapist)
  const main = page.getByRole('main')
  allowComplaint(outage)
  const { mend } = await breakCalls(page, '**/therapist/suspension', 'no good')
  await page.goto('/therapist/subscription')
  await expect(main.getByRole('button', { name: /^Invoice .* as PDF$/ })).toBeVisible()
  await expect(main.getByText('Your subscription could not be checked')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your introduction on video' })).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Update card' })).toHaveCount(0)
  await mend()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(
    main.getByRole('heading', { name: 'Nothing is charged while you are suspended' }),
  ).toBeVisible()

  await page.goto('/therapist/account/leave')
  await expect(main.getByText(/^Sessions that wait for our decision/)).toBeVisible()
  await expect(main.getByText(/Hold the sessions/)).toHaveCount(0)
  await main.getByRole('link', { name: 'Cancel your subscription' }).click()
  await expect(
    page.getByRole('heading', { name: 'Nothing is charged while you are suspended' }),
  ).toBeVisible()
  await expect(main.getByText(/^You have paid until .* Once the suspension is lifted/)).toBeVisible()
  await expect(main.getByText(/It renews on/)).toHaveCount(0)
  await main.getByRole('button', { name: 'Cancel subscription' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText(/which you have paid for\./)).toBeVisible()
  await expect(dialog.getByText(/clients can find you|resume it|stay booked/)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByRole('heading', { name: 'Your subscription is cancelled' })).toBeVisible()
})

test('a practitioner who is suspended for their papers is led to each of them, and back', async ({
  page,
  request,
  allowComplaint,
}) => {
  // What is closed to them is refused.
  allowComplaint(/status of 403/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  const body = { reason, cause: 'papers', sessions: 'freeze' }
  await callAs(
    request,
    await demoAdmin(request),
    'POST',
    `/admin/practitioners/${therapist.id}/suspend`,
    body,
  )
  await signInTherapist(page, therapist)
  await page.goto('/therapist/profile-view')
  await page.getByRole('link', { name: 'What happens now' }).click()
  await expect(page).toHaveURL('/therapist/suspended')
  await page.goBack()
  await expect(page.getByText('Your profile is suspended')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit or refill profile' })).toHaveCount(0)
  for (const name of [
    'Who you are',
    'Your DBS check',
    'Your licences and registrations',
    'Your professional insurance',
  ]) {
    await page.goto('/therapist/suspended')
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/therapist/suspended')
  }
  // Nothing but the file can be sent, so its last day goes with it.
  await page.goBack()
  await page.getByText('Yes', { exact: true }).click()
  const certificate = page.getByLabel('Insurance certificate', { exact: true })
  await certificate.setInputFiles(await files.certificate())
  await expect(page.getByText('Enter the day it ends first, as day, month and year.')).toBeVisible()
  for (const [label, digits] of [
    ['Day', '31'],
    ['Month', '12'],
    ['Year', '2034'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(digits)
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/ has arrived\.$/)).toBeVisible()
  await expect(page.getByText(/31 December 2034/)).toBeVisible()
})

test('an open dashboard leads a practitioner who is suspended meanwhile to the page that explains it', async ({
  page,
  request,
  allowComplaint,
}) => {
  // The chat's token has ended; it and everything else that is closed to them is refused.
  allowComplaint(/status of 40[13]/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  await signInTherapist(page, therapist)
  const opened = page.waitForEvent('websocket')
  await page.goto('/therapist/dashboard')
  await (await opened).waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'))
  const admin = await demoAdmin(request)
  const body = { reason, cause: 'papers', sessions: 'freeze' }
  await callAs(request, admin, 'POST', `/admin/practitioners/${therapist.id}/suspend`, body)
  await expect(page).toHaveURL('/therapist/suspended')
  await expect(page.getByRole('heading', { level: 1, name: 'Your profile is suspended' })).toBeVisible()
})
