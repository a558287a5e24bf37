import type { APIRequestContext, Page, Route, TestInfo } from '@playwright/test'
import { makeAlive } from './alive.ts'
import {
  bookByApi,
  bookPath,
  chooseTime,
  dayLabel,
  expectHeld,
  holdByApi,
  ownPractitioner,
  pounds,
  profilePath,
  timeWords,
  twoDays,
  upcoming,
} from './booking.ts'
import { breakCalls, outage } from './broken-calls.ts'
import { expect, test } from './fixtures.ts'
import { linkMailed } from './mails.ts'
import { callAs, newEmail, password, register, saveCard, signIn } from './people.ts'

/*
 * The error catalogue, row by row: what is said, that what was typed or chosen stays, and that trying again works once
 * the fault is over. The network is what fails here; that a real refusal leaves no charge and no booking is shown where
 * each is tested for itself.
 */

/** Lets calls be carried out, and loses what the server answers. */
async function loseAnswers(page: Page, url: string) {
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort('connectionfailed')
  }
  await page.route(url, lose)
  return { mend: () => page.unroute(url, lose) }
}

/** A client with a saved card, in front of a held time. */
async function readyToPay(page: Page, request: APIRequestContext, info: TestInfo) {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  return { offer, account, pay: page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }) }
}

for (const [mode, title] of [
  ['I know', 'Who are you looking for?'],
  ['I need assistance', 'What does it relate to?'],
] as const) {
  test(`what "${mode}" leads to says so when it does not load, and comes when asked again`, async ({
    page,
    allowComplaint,
  }) => {
    allowComplaint(outage)
    await page.goto('/')
    await makeAlive(page)
    await page.getByText(mode, { exact: true }).click()
    const outageOfPages = await breakCalls(page, /find-therapist\.data|find-therapist\?/)
    await page.getByRole('button', { name: 'Next step' }).click()
    const failure = page.getByRole('heading', { level: 1, name: 'This page did not load' })
    await expect(failure).toBeVisible()
    await expect(page.getByRole('main').getByText('Please check your connection')).toBeVisible()
    // The log knows nothing of it, and the number of an earlier page would mislead.
    await expect(page.getByText('please give this number')).toHaveCount(0)
    await expect(page).toHaveURL(/\/find-therapist/)
    // As long as the fault lasts, asking again leads to the same words.
    const failedAgain = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await failedAgain
    await expect(failure).toBeVisible()
    await outageOfPages.mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(failure).toBeHidden()
    await expect(page.getByRole('main').getByRole('radio').first()).toBeVisible()
  })
}

test('results that do not load keep the search in the address, and come when asked again', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(outage)
  await page.goto('/find-therapist')
  await page.getByRole('checkbox', { name: 'Counsellor' }).check()
  const outageOfPages = await breakCalls(page, /found-therapists\.data/)
  await page.getByRole('button', { name: 'Find my Therapist' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible()
  await expect(page).toHaveURL(/\/found-therapists\?.*provider_id=\d+/)
  await outageOfPages.mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'List of Therapist or Psychiatrist' }),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Counsellor')
})

test('free times that do not load leave the rest of the profile standing', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const outageOfTimes = await breakCalls(page, '**/next-available-sessions*', 'no good')
  await page.goto(profilePath(offer))
  await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeVisible()
  const notice = page.getByRole('main').getByText('The free times did not load').first()
  const again = page.getByRole('button', { name: 'Try again' }).first()
  // The week that is shown came with the page; another one has to be asked for.
  await page.getByRole('button', { name: 'Next week' }).first().click()
  await expect(notice).toBeVisible({ timeout: 20_000 })
  await outageOfTimes.mend()
  await again.click()
  await expect(notice).toBeHidden()
})

test('a booking that cannot be begun keeps its price and time, and goes on when tried again', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  const go = page.getByRole('button', { name: 'Continue to payment' })
  const outageOfCall = await breakCalls(page, '**/appointment/create-session')
  await go.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  await expect(page.getByRole('main')).toContainText(pounds(offer.service.fee))
  await expect(page).toHaveURL(/\/book-therapist/)
  expect(await upcoming(request, account)).toEqual([])
  await outageOfCall.mend()
  await go.click()
  await expectHeld(page)
})

test('a payment whose answer is lost is finished by pressing again, and charged once', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const { pay, offer, account } = await readyToPay(page, request, info)
  const { mend } = await loseAnswers(page, '**/existing-card-payment')
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  await expect(page.getByRole('alert')).toContainText('nothing is charged or booked twice')
  await mend()
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText('Your session is booked')).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

test('a booking whose answer is lost is looked up, and said to be booked', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const { pay, offer, account } = await readyToPay(page, request, info)
  await loseAnswers(page, '**/instant-book')
  await pay.click()
  await expect(page.getByRole('heading', { name: 'You have booked this session' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

test('a booking that never reached the server is booked by pressing again', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const { pay, account } = await readyToPay(page, request, info)
  const { mend } = await breakCalls(page, '**/instant-book')
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  expect(await upcoming(request, account)).toEqual([])
  await mend()
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
})

test('a link for a new password that could not be asked for keeps the address', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(account.email)
  const outageOfCall = await breakCalls(page, '**/forgot-password', 'no good')
  const send = page.getByRole('button', { name: 'Send me a link' })
  await send.click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong on our side')
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await expect(page).toHaveURL('/forgot-password')
  await outageOfCall.mend()
  await send.click()
  await expect(page.getByRole('main').getByText('We sent you a message with a new password.')).toBeVisible()
})

test('a session that could not be moved keeps the time that was chosen', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const [first, second] = twoDays(offer)
  await bookByApi(request, account, offer, first)
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  await chooseTime(dialog, second)
  const outageOfCall = await breakCalls(page, '**/edit-session')
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The connection was lost')
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ starts_at: expect.anything() }])
  expect(new Date((await upcoming(request, account))[0]?.starts_at ?? 0)).toEqual(new Date(first))
  await outageOfCall.mend()
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByText('Your booking is changed!')).toBeVisible()
  expect(new Date((await upcoming(request, account))[0]?.starts_at ?? 0)).toEqual(new Date(second))
})

test('a session that could not be cancelled stays, with the reason that was written', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  allowComplaint(/status of 409.*cancel-session/)
  // A page that hears of nothing: else the question has the new time before it is answered.
  await page.routeWebSocket(/\/socket/, () => undefined)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  const question = page.getByRole('alertdialog')
  await question.getByLabel('Reason').fill('I have to travel')
  const outageOfCall = await breakCalls(page, '**/cancel-session')
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(question.getByRole('alert')).toContainText('The connection was lost')
  await expect(question.getByLabel('Reason')).toHaveValue('I have to travel')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
  await outageOfCall.mend()
  // Moved in another tab, it stays booked until its new time is read.
  const other = offer.times.at(-1) ?? ''
  const [booked] = await upcoming(request, account)
  await callAs(request, account, 'POST', '/appointment/edit-session', {
    appointment_id: booked?.appointment_id,
    type: 'online',
    appointment_datetime: other,
    service_id: offer.service.id,
  })
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(question.getByRole('alert')).toContainText('This session was moved meanwhile')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
  await question.getByRole('button', { name: 'Keep session' }).click()
  await expect(page.getByRole('main')).toContainText(`${dayLabel(other)}, ${timeWords(other)}`)
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await expect(question.getByLabel('Reason')).toHaveValue('I have to travel')
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByText('Your session is cancelled')).toBeVisible()
})

test('sessions that do not load show an error and not an empty list, and load on a retry', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await signIn(page, account)
  // What comes by the socket would have them read again meanwhile.
  await page.routeWebSocket(/\/socket/, () => undefined)
  const outageOfCall = await breakCalls(page, '**/get-upcoming-sessions', 'no good')
  await page.goto('/my-sessions')
  await expect(page.getByRole('heading', { name: 'Your sessions did not load' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeHidden()
  await outageOfCall.mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
})

test('saved cards that do not load while paying do not pass for none', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  const outageOfCall = await breakCalls(page, '**/get-client-cards', 'no good')
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Your saved cards did not load')).toBeVisible({ timeout: 20_000 })
  await outageOfCall.mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
  await expect(page).toHaveURL('/my-sessions')
})

test('a card that could not be saved stays typed, and is saved once', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/add-card?return_to=%2Faccount%2Fcards')
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('checkbox', { name: /^Remember the card/ }).check()
  const { mend } = await loseAnswers(page, '**/add-new-card')
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page.getByRole('alert')).toContainText('Your card was not saved')
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await mend()
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page).toHaveURL('/account/cards')
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toHaveLength(1)
})

test('signing up without an answer keeps everything, and makes one account', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(outage)
  await page.goto('/sign-up')
  const email = newEmail()
  await page.getByLabel('Name').fill('Sam Okafor')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: 'I am 18 or over' }).check()
  await page.getByRole('checkbox', { name: /^I accept the/ }).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  const outageOfCall = await breakCalls(page, '**/client/register')
  const create = page.getByRole('button', { name: 'Create an account' })
  await create.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
  await outageOfCall.mend()
  await create.click()
  await expect(page).toHaveURL('/send-referal')
})

test('signing in without an answer does not pass for a wrong password', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  const outageOfCall = await breakCalls(page, '**/client/login')
  const logIn = page.getByRole('button', { name: 'Log in' })
  await logIn.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByText('Check your password and try again.')).toBeHidden()
  await outageOfCall.mend()
  await logIn.click()
  await expect(page).toHaveURL('/')
})

test('a practitioner’s sign-in shows the server’s message, under the fields or above the form', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/status of (401|422|429).*login/)
  await page.goto('/therapist/sign-in')
  const logIn = page.getByRole('button', { name: 'Log in' })
  await logIn.click()
  await expect(page.getByText('Enter your email.')).toBeVisible()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await page.getByLabel('Email').fill('therapist@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await logIn.click()
  await expect(page.getByRole('alert')).toHaveText('The email or the password is not right.')
  await expect(page.getByLabel('Email')).toHaveValue('therapist@demo.test')
  await page.route('**/therapist/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '60' },
      json: { code: 'too_many_requests', message: 'Too many tries. Please wait a minute.' },
    }),
  )
  await logIn.click()
  await expect(page.getByRole('alert')).toContainText(
    'Too many tries. Please wait a minute. You can try again in 60 seconds.',
  )
  await page.getByRole('alert').getByRole('link', { name: 'Choose a new one now' }).click()
  await expect(page).toHaveURL('/therapist/forgot-password')
})

test('a referral code that could not be checked stays in its field', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const friend = await register(request)
  const { referral_code } = await callAs<{ referral_code: string }>(request, friend, 'GET', '/client/profile')
  await signIn(page, await register(request))
  await page.goto('/send-referal')
  await page.getByLabel('Referral code').fill(referral_code)
  const outageOfCall = await breakCalls(page, '**/check-referral-code')
  const confirm = page.getByRole('button', { name: 'Confirm referral code' })
  await confirm.click()
  await expect(page.getByRole('alert')).toContainText('Your code could not be checked')
  await expect(page.getByLabel('Referral code')).toHaveValue(referral_code)
  await outageOfCall.mend()
  await confirm.click()
  await expect(page.getByRole('heading', { level: 1, name: '20% off your first session' })).toBeVisible()
})

test('a hold whose answer is lost is found again by pressing again', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  const go = page.getByRole('button', { name: 'Continue to payment' })
  const { mend } = await loseAnswers(page, '**/appointment/create-session')
  await go.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  await mend()
  await go.click()
  await expectHeld(page)
  await page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
})

test('a server that fails while being paid charges once in the end', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const { pay, offer, account } = await readyToPay(page, request, info)
  const { mend } = await breakCalls(page, '**/existing-card-payment', 'no good')
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('nothing is charged or booked twice')
  await expectHeld(page)
  expect(await upcoming(request, account)).toEqual([])
  await mend()
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

test('a move whose answer is lost is said to be done, and done once', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const [first, second] = twoDays(offer)
  await bookByApi(request, account, offer, first)
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  await chooseTime(dialog, second)
  await loseAnswers(page, '**/edit-session')
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByRole('heading', { name: 'Your booking is changed!' })).toBeFocused()
  await expect(dialog).toContainText(timeWords(second))
  expect(await upcoming(request, account)).toMatchObject([{ fee: offer.service.fee }])
})

test('moving to a time taken meanwhile changes nothing, and another time can be chosen', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*edit-session/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const [first, second] = twoDays(offer)
  const third = offer.times.findLast((time) => time !== second) ?? ''
  await bookByApi(request, account, offer, first)
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  await chooseTime(dialog, second)
  await holdByApi(request, await register(request, 'Ines Moreau'), offer, second)
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This time is no longer free')
  expect((await upcoming(request, account)).map((session) => Date.parse(session.starts_at))).toEqual([
    Date.parse(first),
  ])
  await chooseTime(dialog, third)
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByText('Your booking is changed!')).toBeVisible()
})

test('a moving window that does not load says so, and comes when asked again', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await page.goto('/my-sessions')
  const outageOfProfile = await breakCalls(page, `**/practitioner/${offer.id}/profile`, 'no good')
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  await expect(dialog.getByRole('heading', { name: 'The free times did not load' })).toBeVisible({
    timeout: 20_000,
  })
  await outageOfProfile.mend()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('group', { name: 'Day', exact: true })).toBeVisible()
})

test('a cancellation whose answer is lost is finished by pressing again, and said', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  const question = page.getByRole('alertdialog')
  const { mend } = await loseAnswers(page, '**/cancel-session')
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(question.getByRole('alert')).toContainText('The connection was lost')
  await expect(question.getByRole('alert')).toContainText('it is cancelled and refunded only once')
  await expect.poll(() => upcoming(request, account)).toEqual([])
  await mend()
  await question.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByText('Your session is cancelled')).toBeVisible()
})

test('a third hold is refused beside two others, until the client releases one in place', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 429.*create-session/)
  const account = await register(request)
  await signIn(page, account)
  const held: string[] = []
  for (const kind of ['first', 'second']) {
    const offer = await ownPractitioner(request, info)
    held.push(offer.name)
    // At different times: two sessions at once are refused for another reason.
    await page.goto(bookPath(offer, offer.times[kind === 'first' ? 0 : 2] ?? ''))
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expectHeld(page)
  }
  const wanted = await ownPractitioner(request, info)
  await page.goto(bookPath(wanted, wanted.times.at(-1) ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const refusal = page.getByRole('alert')
  await expect(refusal).toContainText('You are holding two other times')
  for (const name of held) await expect(refusal.getByRole('link', { name })).toBeVisible()
  await refusal.getByRole('button', { name: `Release the time with ${held[0]}` }).click()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
})

test('a confirmation that does not load does not say that anything is booked', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(outage)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const { session_id } = await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  const outageOfCall = await breakCalls(page, `**/appointment/${session_id}`, 'no good')
  await page.goto(`/session-is-booked?session=${session_id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Your session did not load' })).toBeVisible({
    timeout: 20_000,
  })
  await outageOfCall.mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(offer.name)
})

async function openResetLink(page: Page, request: APIRequestContext, email: string): Promise<void> {
  await request.post('/api/v7/client/forgot-password', { data: { email } })
  const link = await linkMailed(email, '/reset-password')
  await page.goto(link.pathname + link.search)
}

test('a new password that could not be sent stays typed, and the link still works', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await openResetLink(page, request, account.email)
  const [once, again] = [
    page.getByLabel('New password', { exact: true }),
    page.getByLabel('New password again'),
  ]
  await once.fill('seven slow herons')
  await again.fill('seven slow herons')
  const save = page.getByRole('button', { name: 'Save new password' })
  const outageOfCall = await breakCalls(page, '**/client/password/reset')
  await save.click()
  await expect(page.getByRole('alert')).toContainText('Something went wrong')
  await expect(page.getByRole('alert')).toContainText('check your connection')
  await expect(once).toHaveValue('seven slow herons')
  await expect(again).toHaveValue('seven slow herons')
  await outageOfCall.mend()
  await save.click()
  await expect(page.getByRole('main').getByText('Your password is changed.')).toBeVisible()
})

test('an account whose answer was lost can be logged into, and is not made twice', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 422.*register`))
  await page.goto('/sign-up')
  const email = newEmail()
  await page.getByLabel('Name').fill('Sam Okafor')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: 'I am 18 or over' }).check()
  await page.getByRole('checkbox', { name: /^I accept the/ }).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  const { mend } = await loseAnswers(page, '**/client/register')
  const create = page.getByRole('button', { name: 'Create an account' })
  await create.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await mend()
  await create.click()
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('There is already an account with this email. You can sign in.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/')
})

test('a referral code whose answer was lost is confirmed by pressing again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const friend = await register(request)
  const { referral_code } = await callAs<{ referral_code: string }>(request, friend, 'GET', '/client/profile')
  await signIn(page, await register(request))
  await page.goto('/send-referal')
  await page.getByLabel('Referral code').fill(referral_code)
  const { mend } = await loseAnswers(page, '**/check-referral-code')
  const confirm = page.getByRole('button', { name: 'Confirm referral code' })
  await confirm.click()
  await expect(page.getByRole('alert')).toContainText('Your code could not be checked')
  await mend()
  await confirm.click()
  await expect(page.getByRole('heading', { level: 1, name: '20% off your first session' })).toBeVisible()
})

test('a new password whose answer was lost is not said to have failed, and the next try leads to logging in', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 422.*password/reset`))
  const account = await register(request)
  await openResetLink(page, request, account.email)
  await page.getByLabel('New password', { exact: true }).fill('seven slow herons')
  await page.getByLabel('New password again').fill('seven slow herons')
  const save = page.getByRole('button', { name: 'Save new password' })
  const { mend } = await loseAnswers(page, '**/client/password/reset')
  await save.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Something went wrong')
  await expect(alert).toContainText('We cannot tell whether your password was changed')
  await mend()
  await save.click()
  await expect(alert).toContainText('Your password is most likely changed')
  await alert.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill('seven slow herons')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/')
})

test('a password changed without an answer is not said to be unchanged', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 422.*change-password`))
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/password')
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill('seven slow herons')
  await page.getByLabel('New password again').fill('seven slow herons')
  const save = page.getByRole('button', { name: 'Save new password' })
  const { mend } = await loseAnswers(page, '**/client/change-password')
  await save.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('We cannot tell whether your password was changed')
  await expect(alert).not.toContainText('was not changed')
  await mend()
  await save.click()
  await expect(page.getByText('Your new password may be in use already')).toBeVisible()
})

test('a change of email without an answer is not said to have failed, and shows where the link went', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/email')
  const wanted = newEmail()
  await page.getByLabel('New email').fill(wanted)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await loseAnswers(page, '**/client/change-email')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('We cannot tell whether the link was sent')
  await expect(alert).not.toContainText('was not changed')
  await expect(page.getByText(`${wanted} is not confirmed yet`)).toBeVisible()
})

test('a deletion without an answer is not said to have failed, also once one is signed out', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 401`))
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/delete')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  // The server has done it long before the page gives the answer up.
  const end = Promise.withResolvers<void>()
  await page.route('**/client/delete-account', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await end.promise
    await route.abort('connectionfailed')
  })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  end.resolve()
  const words = page.getByRole('main').getByText('We cannot tell whether your account was deleted')
  await expect(words).toBeVisible()
  await page.reload()
  await expect(words).toBeVisible()
})

test('a deletion whose answer was lost is not said to have failed, and trying again says why one is signed out', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 401`))
  const account = await register(request)
  await signIn(page, account)
  // Without the socket, over which the server would end the sign-in a moment later.
  await page.routeWebSocket(/\/socket\//, () => {})
  // Nor does another call end it: what the page reads as it opens has been read.
  const opened = ['/client/profile/show', '/chat/session'].map((path) => page.waitForResponse(`**${path}`))
  await page.goto('/account/delete')
  await Promise.all(opened)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  const { mend } = await loseAnswers(page, '**/client/delete-account')
  const remove = page.getByRole('button', { name: 'Delete my account' })
  await expect(remove).toBeVisible()
  await remove.click()
  await expect(page.getByRole('alert')).toContainText('We cannot tell whether your account was deleted')
  await mend()
  await remove.click()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(
    page.getByRole('main').getByText('We cannot tell whether your account was deleted'),
  ).toBeVisible()
})

test('a deletion that the server cannot carry out now is not said to have failed, and is done when tried again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(outage)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/delete')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  await page.route('**/client/delete-account', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue(),
  )
  const remove = page.getByRole('button', { name: 'Delete my account' })
  await remove.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('We cannot tell whether your account was deleted')
  await expect(alert).not.toContainText('was not deleted')
  await page.unroute('**/client/delete-account')
  await remove.click()
  await expect(page).toHaveURL('/goodbye')
})

test('a new email whose confirmation was lost is not said to have failed, and is named by the next try', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(new RegExp(`${outage.source}|status of 422.*confirm-email`))
  const account = await register(request)
  const wanted = newEmail()
  await callAs(request, account, 'POST', '/client/change-email', {
    email: wanted,
    current_password: password,
  })
  const link = await linkMailed(wanted, '/confirm-email')
  await signIn(page, account)
  const { mend } = await loseAnswers(page, '**/client/confirm-email')
  await page.goto(link.pathname + link.hash)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Your email may be changed already')
  await expect(alert).not.toContainText('was not changed')
  await mend()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main').getByText('Your email is changed')).toBeVisible()
  await page.getByRole('button', { name: /account$/ }).click()
  await expect(page.getByRole('menu').getByText(wanted)).toBeVisible()
})
