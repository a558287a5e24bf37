import { profilePath } from './booking.ts'
import { expect } from './fixtures.ts'
import { keyboardOf } from './keyboard.ts'
import { demoAdmin, signInDemoAdmin } from './admin.ts'
import { holdAnswers } from './lost-answers.ts'
import { test } from './own-server.ts'
import { bookedClients, shift } from './past.ts'
import { callAs, password, register, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

type Payouts = { data: { practitioner_id: number; payable: number }[] }
type Cards = { data: { practitioner_id: number; reviews_total: number }[] }

test('a session is reviewed by keyboard, answered, changed, reported, hidden and withdrawn', async ({
  server,
  page,
  request,
  openContext,
}) => {
  test.setTimeout(240_000)
  const therapist = await demoTherapist(request)
  const payable = async () => {
    const { data } = await callAs<Payouts>(request, await demoAdmin(request), 'GET', '/admin/payouts')
    return data.find((row) => row.practitioner_id === therapist.id)?.payable ?? 0
  }
  const due = await payable()
  const [booked] = await bookedClients(request, therapist.id, ['Morgan Wells'])
  if (!booked) throw new Error('Nobody has booked.')
  await shift(server, { [booked.id]: -90 })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${booked.id}/complete`)
  const totalInSearch = async () => {
    const answer = await request.get('/api/v7/practitioner/get-practitioners', {
      params: { name: 'Grace Holloway' },
    })
    const { data } = (await answer.json()) as Cards
    return data.find((card) => card.practitioner_id === therapist.id)?.reviews_total ?? 0
  }
  const before = await totalInSearch()

  // By keyboard alone.
  await signIn(page, booked.client)
  await page.goto('/my-sessions/past')
  const session = page.getByRole('listitem', { name: 'Grace Holloway' })
  await expect(session.getByRole('link', { name: 'Book again with Grace Holloway' })).toHaveAttribute(
    'href',
    /^\/recommended-therapist\?practitionerId=\d+&type=online&service=\d+#book$/,
  )
  // The underline does not reach what stands in the line as a box of its own, which therefore has one itself.
  const parts = session.getByRole('link', { name: /\d\d:\d\d to \d\d:\d\d$/ }).locator('span')
  await expect(parts).toHaveCount(2)
  for (const part of await parts.all()) await expect(part).toHaveCSS('text-decoration-line', 'underline')
  const keyboard = keyboardOf(page)
  await keyboard.reach(session.getByRole('button', { name: 'Review this session' }), 'Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Review this session' })
  await keyboard.reach(dialog.getByRole('button', { name: 'Publish review' }), 'Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Choose how many stars.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: '1 star, Poor' })).toBeFocused()
  for (let star = 1; star < 4; star++) await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: '4 stars, Good' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Kind, and clear about what comes next.')
  await keyboard.reach(dialog.getByRole('button', { name: 'Publish review' }), 'Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Thank you for your review')).toBeVisible()
  await expect(session).toContainText('Kind, and clear about what comes next.')
  expect(await totalInSearch()).toBe(before + 1)

  // The practitioner answers.
  const practice = await (await openContext({ baseURL: server.url })).newPage()
  await signInTherapist(practice, therapist)
  await practice.goto('/therapist/dashboard')
  await practice
    .getByRole('navigation', { name: 'Your practice' })
    .getByRole('link', { name: 'Clients’ reviews' })
    .click()
  const received = practice.getByRole('listitem').filter({ hasText: 'clear about what comes next' })
  await expect(received).toContainText('M.')
  await expect(received).not.toContainText('Morgan')
  await received.getByRole('button', { name: 'Reply' }).click()
  await received.getByLabel('Your reply').fill('Thank you for saying so.')
  await practice.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
  await practice
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay here' })
    .click()
  await received.getByRole('button', { name: 'Publish reply' }).click()
  await expect(received).toContainText('Your reply')
  await expect(received.getByRole('button', { name: 'Edit reply' })).toBeFocused()
  await expect(practice.getByText('Your reply is published.')).toBeAttached()

  // A visitor reads both, without a button to report.
  const visitor = await (await openContext({ baseURL: server.url })).newPage()
  await visitor.goto(profilePath(booked.offer))
  const shown = visitor.getByRole('listitem').filter({ hasText: 'clear about what comes next' })
  await expect(shown).toContainText('Reply from the practitioner')
  await expect(shown).toContainText('Thank you for saying so.')
  await expect(shown.getByRole('button')).toHaveCount(0)

  // The page of the session shows as much of it as the list does.
  await parts.first().click()
  const after = page.getByRole('region', { name: 'After your session' })
  await expect(after).toContainText('Thank you for saying so.')
  await expect(after.getByRole('button', { name: 'Report the reply to your review' })).toBeVisible()
  await expect(after.getByRole('button', { name: 'Withdraw' })).toBeVisible()

  // On the profile its author may report the reply alone; the review leads to its session.
  await page.goto(profilePath(booked.offer))
  const own = page.getByRole('listitem').filter({ hasText: 'clear about what comes next' })
  await expect(own.getByRole('link', { name: 'Your review' })).toHaveAttribute(
    'href',
    `/session?appointment=${booked.id}`,
  )
  await expect(own.getByRole('button')).toHaveText(['Report the reply to M.'])
  await page.goto('/my-sessions/past')

  // A practitioner is not offered to report what they wrote themselves.
  await practice.goto(profilePath(booked.offer))
  const ofClient = practice.getByRole('listitem').filter({ hasText: 'clear about what comes next' })
  await expect(ofClient.getByRole('button')).toHaveText(['Report the review of M.'])
  await practice.goto('/therapist/reviews')

  // The author changes it; a reload in the middle of it loses nothing that was published.
  await session.getByRole('button', { name: 'Edit review' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit your review' })
  await expect(edit.getByRole('radio', { name: '4 stars, Good' })).toBeChecked()
  await expect(edit).toContainText('not once we have hidden it after a report')
  await edit.getByLabel(/^What would you tell/).fill('Half a thought')
  await page.reload()
  await expect(session).toContainText('clear about what comes next')
  await session.getByRole('button', { name: 'Edit review' }).click()
  await edit.getByLabel(/^What would you tell/).fill('Kind, and his address is 3 Elm Row.')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Your review has been changed')).toBeVisible()

  // The practitioner deletes the reply: the focus stays with the review.
  await practice.reload()
  const answered = practice.getByRole('listitem').filter({ hasText: '3 Elm Row' })
  await answered.getByRole('button', { name: 'Delete reply' }).click()
  await practice.getByRole('alertdialog').getByRole('button', { name: 'Delete reply' }).click()
  await expect(answered.getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
  await expect(answered.getByRole('heading')).toBeFocused()
  await expect(practice.getByText('Your reply is deleted.')).toBeAttached()

  // Another client reports it; an admin hides it; its author reads why.
  const reader = await (await openContext({ baseURL: server.url })).newPage()
  await signIn(reader, await register(request, 'Robin Vale'))
  await reader.goto(profilePath(booked.offer))
  const seen = reader.getByRole('listitem').filter({ hasText: '3 Elm Row' })
  await seen.getByRole('button', { name: 'Report the review of M.' }).click()
  const report = reader.getByRole('dialog', { name: 'Report this review' })
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(report.getByText('Say what is wrong with it.')).toBeVisible()
  await report.getByLabel('What is wrong with it?').fill('It has an address.')
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(seen).toContainText('Reported')
  // So does the practitioner whom it is about.
  await practice.goto('/therapist/reviews')
  const theirs = practice.getByRole('listitem').filter({ hasText: '3 Elm Row' })
  await theirs.getByRole('button', { name: 'Report the review of M.' }).click()
  const complaint = practice.getByRole('dialog', { name: 'Report this review' })
  await complaint.getByLabel('What is wrong with it?').fill('That is where I live.')
  await complaint.getByRole('button', { name: 'Send report' }).click()
  await expect(theirs).toContainText('You have reported it')
  const office = await (await openContext({ baseURL: server.url })).newPage()
  await signInDemoAdmin(office, request)
  await office.goto('/admin/reports')
  const reported = office.getByRole('listitem').filter({ hasText: 'It has an address.' })
  await expect(reported).toContainText('3 Elm Row')
  // Both reports are in one card, for one decision.
  await expect(reported).toContainText('That is where I live.')
  await expect(reported).toContainText('Grace Holloway (practitioner)')
  await expect(reported).toContainText('Your decision closes both reports of it.')
  await reported.getByRole('button', { name: /^Hide the review: .+ about Grace Holloway, / }).click()
  const hiding = office.getByRole('dialog', { name: 'Hide this review?' })
  await expect(hiding).toContainText('The client who wrote it and Grace Holloway will read this.')
  await office.getByLabel('Reason').fill('It names an address.')
  await office.getByRole('button', { name: 'Hide it' }).click()
  await expect(reported).toHaveCount(0)
  // The entry has gone with its button: the outcome takes the focus, before the entries that are left.
  await expect(office.locator(':focus')).toHaveText('The review is hidden.')
  expect(await totalInSearch()).toBe(before)
  await visitor.reload()
  await expect(visitor.getByText('3 Elm Row')).toHaveCount(0)
  await page.reload()
  await expect(session).toContainText('We have hidden this review after a report: It names an address.')
  await expect(session).toContainText('Only you, your practitioner and our team can still read it.')
  await expect(session.getByRole('button', { name: /review/i })).toHaveCount(0)
  await parts.first().click()
  await expect(after).toContainText('Only you, your practitioner and our team can still read it.')
  await expect(after.getByRole('button', { name: /review|Withdraw/ })).toHaveCount(0)
  await page.goBack()
  // So does the practitioner.
  await practice.reload()
  await expect(theirs).toContainText('We have hidden this review after a report: It names an address.')
  await expect(theirs).toContainText('Only you, the client who wrote it and our team can still read it.')

  // Shown again, it can be withdrawn, and written anew.
  await office.getByRole('link', { name: 'Hidden' }).click()
  await expect(reported).toContainText('Reason: It names an address.')
  await expect(reported).toContainText(/Hidden, .+, by /)
  await office.getByRole('button', { name: 'Show the review again' }).click()
  await expect(office.getByRole('heading', { name: 'No reports to show' })).toBeVisible()
  // Shown again by mistake, it can be hidden once more.
  await office.getByRole('link', { name: 'Dismissed' }).click()
  await reported.getByRole('button', { name: 'Hide the review' }).click()
  await office.getByLabel('Reason').fill('It still names an address.')
  await office.getByRole('button', { name: 'Hide it' }).click()
  await expect(office.locator(':focus')).toHaveText('The review is hidden.')
  await office.getByRole('link', { name: 'Hidden' }).click()
  await expect(reported).toContainText('Reason: It still names an address.')
  await reported.getByRole('button', { name: 'Show the review again' }).click()
  await expect(office.getByRole('heading', { name: 'No reports to show' })).toBeVisible()
  await page.reload()
  await session.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw review' }).click()
  await expect(page.getByText('Your review is withdrawn')).toBeVisible()
  await expect(session.getByRole('button', { name: 'Review this session' })).toBeVisible()
  expect(await totalInSearch()).toBe(before)

  // Also on the page of the session.
  await callAs(request, booked.client, 'POST', `/appointment/${booked.id}/review`, {
    rating: 4,
    comment: 'Kind.',
  })
  await page.goto(`/session?appointment=${booked.id}`)
  await after.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw review' }).click()
  await expect(page.getByText('Your review is withdrawn')).toBeVisible()
  await expect(after.getByRole('button', { name: 'Review this session' })).toBeVisible()

  // The back office gives a part of the price back, and writes down that the rest was transferred.
  await office.goto('/admin/payments?search=Morgan')
  const paid = office.getByRole('listitem').filter({ hasText: 'Morgan Wells' })
  await paid.getByRole('button', { name: 'Refund Morgan Wells' }).click()
  const refund = office.getByRole('dialog')
  const price = Number(await refund.getByLabel('Amount').inputValue())
  await refund.getByLabel('Amount').fill('10')
  await refund.getByLabel('Reason').fill('They waited.')
  await refund.getByRole('button', { name: 'Refund' }).click()
  await expect(paid).toContainText('−£10')
  await office.getByRole('link', { name: 'Payouts' }).click()
  await expect(office.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  const owed = office.getByRole('listitem').filter({ hasText: 'Grace Holloway' })
  await expect(owed).toContainText('Last paid out')
  await owed.getByRole('button', { name: 'Mark as paid out to Grace Holloway' }).click()
  const payout = office.getByRole('dialog')
  await expect(payout.getByLabel('Amount')).toHaveValue(String(due + price - 10))
  await payout.getByLabel('Bank reference').fill('BACS 1234')
  await payout.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(owed).toContainText('Can be paid out£0')
  expect(await payable()).toBe(0)
  await practice.goto('/therapist/money')
  await expect(practice.getByText('Paid out to you')).toBeVisible()
})

test('a review that was published without an answer is changed in the window it was typed in', async ({
  server,
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED/)
  const therapist = await demoTherapist(request)
  const [booked] = await bookedClients(request, therapist.id, ['Robin Marsh'])
  if (!booked) throw new Error('Nobody has booked.')
  await shift(server, { [booked.id]: -90 })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${booked.id}/complete`)
  await signIn(page, booked.client)
  const list = page.getByRole('listitem', { name: 'Grace Holloway' })
  for (const { path, session, typed } of [
    { path: '/my-sessions/past', session: list, typed: 'She listens wel' },
    {
      path: `/session?appointment=${booked.id}`,
      session: page.getByRole('main'),
      typed: 'She hears what is not said',
    },
  ]) {
    await page.goto(path)
    await session.getByRole('button', { name: 'Review this session' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('4 stars').click({ force: true })
    const words = dialog.getByRole('textbox')
    await words.fill(`${typed}.`)
    await page.route('**/review', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Publish review' }).click()
    await expect(dialog.getByText('Your review was not saved')).toBeVisible()
    await page.unrouteAll()
    // Read again meanwhile, the page has it.
    await expect(session.getByText(`${typed}.`)).toBeAttached()
    await words.fill(`${typed}, always.`)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    await expect(session).toContainText(`${typed}, always.`)
    await callAs(request, booked.client, 'DELETE', `/appointment/${booked.id}/review`)
  }
})

test('the words of a review and of a reply are there again after a closed dialog and a new sign-in', async ({
  server,
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(120_000)
  allowComplaint(/status of 401/)
  const therapist = await demoTherapist(request)
  const [booked] = await bookedClients(request, therapist.id, ['Ash Lindley'])
  if (!booked) throw new Error('Nobody has booked.')
  await shift(server, { [booked.id]: -90 })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${booked.id}/complete`)
  const { client } = booked

  await signIn(page, client)
  await page.goto('/my-sessions/past')
  const session = page.getByRole('listitem', { name: 'Grace Holloway' })
  const write = session.getByRole('button', { name: 'Review this session' })
  const dialog = page.getByRole('dialog', { name: 'Review this session' })
  const words = dialog.getByRole('textbox')
  await write.click()
  await dialog.getByText('4 stars').click({ force: true })
  await words.fill('She asked what I had not dared to.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await write.click()
  await expect(words).toHaveValue('She asked what I had not dared to.')
  await expect(dialog.getByRole('radio', { name: '4 stars, Good' })).toBeChecked()

  await callAs(request, client, 'POST', '/client/logout-everywhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await page.getByLabel('Email').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await write.click()
  await expect(words).toHaveValue('She asked what I had not dared to.')
  const answers = await holdAnswers(page, '**/review')
  await dialog.getByRole('button', { name: 'Publish review' }).click()
  await answers.isAsked
  const four = dialog.getByRole('radio', { name: '4 stars, Good' })
  await dialog.getByText('2 stars').click({ force: true })
  await expect(four).toBeChecked()
  await four.press('ArrowRight')
  await expect(four).toBeChecked()
  await expect(dialog.getByText('Good', { exact: true })).toBeVisible()
  await expect(words).not.toBeEditable()
  answers.release()
  await expect(session).toContainText('She asked what I had not dared to.')
  await expect(session).toContainText('Rated 4.0 out of 5')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('She asked')

  const desk = await (await openContext()).newPage()
  await signInTherapist(desk, therapist)
  await desk.goto('/therapist/reviews')
  const review = desk.getByRole('listitem', { name: /^Ash L\.|^A\./ }).filter({ hasText: 'She asked' })
  await review.getByRole('button', { name: 'Reply' }).click()
  await review.getByRole('textbox').fill('Thank you for coming back.')
  await desk.reload()
  await review.getByRole('button', { name: 'Reply' }).click()
  await expect(review.getByRole('textbox')).toHaveValue('Thank you for coming back.')
  await review.getByRole('button', { name: 'Publish reply' }).click()
  await expect(review.getByRole('textbox')).toBeHidden()
  expect(await desk.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Thank you for')
})

test('a reply is not published once the client has deleted their account, nor offered again', async ({
  server,
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const therapist = await demoTherapist(request)
  const [booked] = await bookedClients(request, therapist.id, ['Blair Penrose'])
  if (!booked) throw new Error('No session is booked.')
  await shift(server, { [booked.id]: -90 })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${booked.id}/complete`)
  await callAs(request, booked.client, 'POST', `/appointment/${booked.id}/review`, {
    rating: 4,
    comment: 'She let me finish.',
  })
  await signInTherapist(page, therapist)
  await page.goto('/therapist/reviews')
  const review = page.getByRole('listitem', { name: /^B\.|^A former client/ }).first()
  await expect(review).toContainText('She let me finish.')
  await review.getByRole('button', { name: 'Reply' }).click()
  await review.getByRole('textbox').fill('Thank you, Blair.')
  await callAs(request, booked.client, 'POST', '/client/delete-account', {
    current_password: password,
    understood: true,
  })
  await review.getByRole('button', { name: 'Publish reply' }).click()
  await expect(review.getByRole('alert')).toContainText('You can no longer reply to it.')
  await review.getByRole('button', { name: 'Cancel' }).click()
  await expect(review).toContainText('The words were deleted when their writer closed their account.')
  await expect(review.getByRole('button')).toHaveCount(0)
})
