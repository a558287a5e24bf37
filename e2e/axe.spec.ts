import type { APIRequestContext, TestInfo } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../src/web/routes.ts'
import { looker, narrow, screens, walking, wear, wide } from './axe.ts'
import {
  bookByApi,
  bookPath,
  chooseTime,
  fillCard,
  ownPractitioner,
  pick,
  profilePath,
  twoDays,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { linkMailed } from './mails.ts'
import { type Account, password, register, saveCard, signIn } from './people.ts'

test('every route has its screens looked at', () => {
  // One redirects to the dashboard and shows nothing of its own.
  const paths = pathsOf(routes).filter((path) => path !== '/therapist')
  expect(paths.length).toBeGreaterThan(15)
  expect(Object.values(screens).flat().sort()).toEqual(paths.sort())
})

function pathsOf(entries: RouteConfigEntry[]): string[] {
  return entries.flatMap(({ path, index, children }) => [
    ...(path !== undefined || index ? [`/${path ?? ''}`] : []),
    ...pathsOf(children ?? []),
  ])
}

test.use(walking)

test('the screens of the search are accessible', async ({ page, request, allowComplaint }, info) => {
  allowComplaint(/status of (404|500)|found-therapists/)
  const { look, expectAllSeen } = looker(page, screens.discovery)
  await page.goto('/')
  await look('home')
  await page.getByRole('banner').locator('summary').click()
  await look('home, menu open', { in: narrow })
  await page.goto('/find-therapist?filterType=need')
  await look('guided, category')
  await page.getByRole('button', { name: 'Next step' }).click()
  await expect(page.getByText('Choose one to go on.')).toBeVisible()
  await look('guided, nothing chosen')
  await pick(page.getByRole('radio', { name: /^Individual difficulties/ }))
  for (const answer of [
    'Worry, fear or panic',
    'Some months',
    'Practical things to try',
    'Yes, exercises are fine',
  ]) {
    await page.getByRole('button', { name: 'Next step' }).click()
    await pick(page.getByRole('radio', { name: answer }))
  }
  await look('guided, a list')
  await page.getByRole('button', { name: 'Next step' }).click()
  await pick(page.getByRole('radio', { name: 'Now and then, but I would not act on it' }))
  await expect(page.getByRole('alert')).toBeVisible()
  await look('guided, danger')
  await pick(page.getByRole('radio', { name: 'Yes, and I am afraid that I might act on it' }))
  await page.getByRole('button', { name: 'See what we suggest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Please call now' })).toBeFocused()
  await look('guided, call now')
  await page.goBack()
  await pick(page.getByRole('radio', { name: 'Now and then, but I would not act on it' }))
  await page.getByRole('button', { name: 'See what we suggest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /CBT/ })).toBeVisible()
  await look('recommendation')
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/recommended-therapy')
  await expect(page.getByRole('heading', { level: 1, name: 'A few questions first' })).toBeVisible()
  await look('recommendation without answers')
  await page.goto('/find-therapist')
  await look('form')
  const languages = page.getByRole('combobox', { name: 'Languages' })
  await languages.scrollIntoViewIfNeeded()
  await languages.click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await look('form, list open')
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveCount(1)
  await expect(page.locator('[aria-hidden=true] :focus')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await languages.click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await look('form, something chosen')

  await page.goto('/found-therapists/filters?issue_id=1')
  await look('all filters')
  await page.goto('/found-therapists?issue_id=1&session_type=online&sort=rating')
  await look('results')
  await page.getByRole('textbox', { name: 'Say it in a sentence' }).fill('in Newport, want to die, evenings')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page.getByRole('button', { name: 'None of these' })).toBeVisible()
  await look('results, of a sentence')
  await page.getByRole('button', { name: 'Filter results' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Languages', { exact: true }).first().click()
  await look('results, filters open', { in: narrow })
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await wear(page, wide)
  for (const question of ['Languages', 'Insurers']) {
    await page.getByRole('complementary').getByText(question, { exact: true }).first().click()
  }
  await look('results, questions open', { in: wide })
  await wear(page, narrow)
  await page.goto('/found-therapists?session_type=online&name=Xyzzyqqq')
  await expect(page.getByRole('heading', { name: 'Nobody matches all of these filters' })).toBeVisible()
  await look('results, nobody')
  await page.route(/found-therapists\.data/, (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.getByRole('link', { name: /^Any name/ }).click()
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  await look('results, failed')

  const offer = await ownPractitioner(request, info)
  await page.goto(profilePath(offer))
  await look('profile')
  await chooseTime(page.getByRole('region', { name: 'Book a session' }), offer.times[0] ?? '')
  for (const more of await page.getByRole('button', { name: /^(Show|See)/ }).all()) await more.click()
  await look('profile, all shown and a time chosen')
  const { without } = await withoutTimes(request)
  await page.goto(`/recommended-therapist?practitionerId=${without}`)
  await look('profile, no free times')
  await page.goto('/recommended-therapist?practitionerId=987654')
  await look('profile, not here')
  await page.goto('/shortlist/compare')
  await look('comparison, nothing')
  await page.getByRole('link', { name: 'Go to your shortlist' }).click()
  await look('shortlist, nothing')
  await page.evaluate(
    "localStorage.setItem('shortlist', JSON.stringify([3, 5, 8].map((id) => ({ id, at: Date.now() - 1000 }))))",
  )
  await page.reload()
  await expect(page.getByRole('checkbox')).toHaveCount(3)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await expect(page.getByText('3 chosen.')).toBeVisible()
  await look('shortlist')
  await page.getByRole('button', { name: 'Compare side by side' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await look('comparison')
  expectAllSeen()
})

test('reading', async ({ page, allowComplaint }) => {
  allowComplaint(/status of 404/)
  const { look, expectAllSeen } = looker(page, screens.reading)
  await page.goto('/frequently-asked-questions')
  await look('questions')
  for (const summary of await page.getByRole('main').locator('summary').all()) await summary.click()
  await look('questions, all open')
  await page.goto('/privacy-policy')
  await look('privacy policy')
  await page.goto('/about-the-data')
  await look('about the data')
  await page.goto('/accessibility')
  await look('accessibility')
  await page.goto('/terms-and-conditions')
  await look('terms')
  await page.goto('/calendar-connected?outcome=incomplete')
  await look('back from Google, with a part missing')
  await page.goto('/calendar-connected?outcome=toString')
  await expect(page.getByText('This did not work')).toBeVisible()
  await page.goto('/no-such-page')
  await look('not found')
  expectAllSeen()
})

test('signing in and up', async ({ page, allowComplaint }) => {
  allowComplaint(/status of (400|401|404|410|422)/)
  const { look, expectAllSeen } = looker(page, screens.entrances)
  for (const [path, refused] of [
    ['/sign-in', 'Check your password and try again.'],
    ['/therapist/sign-in', 'The email or the password is not right.'],
  ] as const) {
    await page.goto(path)
    await look(path)
    await page.getByLabel('Email').fill('nobody@example.test')
    await page.getByLabel('Password', { exact: true }).fill('not a password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText(refused)).toBeVisible()
    await look(`${path}, refused`)
  }
  await page.goto('/sign-up')
  await look('sign-up')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await look('sign-up, with errors')
  await page.goto('/send-referal')
  await look('referral code')
  await page.getByLabel('Referral code').fill('NOSUCH99')
  await page.getByRole('button', { name: 'Confirm referral code' }).click()
  await expect(page.getByText('We do not know this code.')).toBeVisible()
  await look('referral code, unknown')
  for (const role of ['', '/therapist']) {
    await page.goto(`${role}/forgot-password`)
    await look(`${role}/forgot-password`)
    await page.getByLabel('Email').fill('nobody@example.test')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await expect(page.getByRole('main').getByText('We sent you a message with a new password.')).toBeVisible()
    await look(`${role}/forgot-password, sent`)
    await page.goto(`${role}/reset-password`)
    await look(`${role}/reset-password, incomplete`)
    await page.goto(`${role}/reset-password?token=used&email=nobody@example.test`)
    await page.getByLabel('New password', { exact: true }).fill('seven slow herons')
    await page.getByLabel('New password again').fill('seven slow heron')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await expect(page.getByText('Passwords do not match.')).toBeVisible()
    await look(`${role}/reset-password, mismatch`)
    await page.getByLabel('New password again').fill('seven slow herons')
    await page.getByRole('button', { name: 'Save new password' }).click()
    await expect(page.getByText('Something went wrong')).toBeVisible()
    await look(`${role}/reset-password, refused`)
  }
  await page.goto('/verify-email')
  await look('confirm the email, incomplete')
  await page.goto('/verify-email#token=used')
  await expect(page.getByText('Log in to confirm your email')).toBeVisible()
  await look('confirm the email, signed out')
  expectAllSeen()
})

test('booking and paying', async ({ page, request, allowComplaint }, info) => {
  allowComplaint(/status of (402|404|409|422)/)
  const { look, expectAllSeen } = looker(page, screens.booking)
  const { offer, account } = await somebody(request, info)
  await signIn(page, account)
  await page.goto('/book-therapist')
  await look('nothing to book')
  await page.goto(`/book-therapist?practitionerId=${offer.id}`)
  await expect(page.getByRole('link', { name: 'Start chat with therapist' })).toBeVisible()
  await look('a practitioner without a time')
  const path = bookPath(offer, offer.times[0] ?? '')
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible()
  await look('review')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await look('add a card')
  await page.getByRole('radio', { name: /^Remember the card/ }).check()
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true')
  await look('add a card, with errors')
  await fillCard(page, '4000 0000 0000 0002')
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await look('add a card, declined')
  await fillCard(page, '4000 0025 0000 3155')
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('the bank asks')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.goto(path)
  await expect(page.getByRole('radio', { name: /3155/ })).toBeVisible()
  await look('pay with a saved card')
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await page.goto(path)
  await expect(page.getByText('You have booked this session')).toBeVisible()
  await look('booked already')
  await page.goto('/session-is-booked')
  await look('booked')
  await page.goto(bookPath({ ...offer, service: { ...offer.service, id: 999_999 } }, offer.times[1] ?? ''))
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  await look('not offered')
  await page.goto('/add-card')
  await look('add a card alone')
  await page.goto('/account/cards')
  await page.getByRole('button', { name: 'Remove Visa ending in 3155' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('saved cards, one being removed')
  expectAllSeen()
})

test('the account', async ({ page, request, allowComplaint }, info) => {
  allowComplaint(/status of (401|422|500)/)
  const { look, expectAllSeen } = looker(page, screens.account)
  const { offer, account } = await somebody(request, info)
  const secret = (label: string) => page.getByLabel(label, { exact: true })
  await signIn(page, account)
  await page.goto('/account')
  await expect(page.getByRole('link', { name: `Email ${account.email}` })).toBeVisible()
  await look('overview')
  await page.goto('/account/name')
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await look('name, with an error')
  await page.goto('/account/email')
  await expect(page.getByText('is not confirmed yet')).toBeVisible()
  await look('email')
  await page.getByLabel('New email').fill('new@example.test')
  await secret('Your password').fill('not my password')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByText('Check your password and try again.')).toBeVisible()
  await look('email, with an error')
  await secret('Your password').fill(password)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('main').getByText('We sent an email to new@example.test')).toBeVisible()
  await look('email, asked')
  await page.goto('/account/password')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByText('Enter your current password.')).toBeVisible()
  await look('password, with errors')
  await page.goto('/account/devices')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('devices, leaving all')
  await page.goto('/account/calendar')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await expect(page.getByText('Your link is ready')).toBeVisible()
  await look('calendar link, just made')
  await page.goto('/account/data')
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect(page.getByRole('main').getByText('Your file is ready')).toBeVisible()
  await look('data, saved')
  await page.goto('/account/delete')
  await page.getByText('Everything that is kept, and for how long').click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Please confirm that you understand.')).toBeVisible()
  await look('deletion, with errors')
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await page.reload()
  await expect(page.getByRole('main').getByText('Your account cannot be deleted yet')).toBeVisible()
  await look('deletion, not yet')
  await page.goto('/confirm-email')
  await look('new email, incomplete')
  await page.goto('/confirm-email#token=used')
  await expect(page.getByText('Your email was not changed')).toBeVisible()
  await look('new email, refused')
  await page.goto('/verify-email#token=used')
  await expect(
    page.getByRole('alert').filter({ hasText: 'This link did not confirm your email' }),
  ).toBeVisible()
  await look('confirm the email, refused')
  const link = await linkMailed(account.email, '/verify-email')
  await page.goto(link.pathname + link.hash)
  await expect(page.getByRole('main').getByText('Your email is confirmed', { exact: true })).toBeVisible()
  await look('confirm the email, done')
  await page.route('**/client/profile', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'That did not work.' } }),
  )
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Your account did not load' })).toBeVisible()
  await look('did not load')
  await page.evaluate(() => {
    for (const key of ['accessToken', 'refreshToken', 'user']) sessionStorage.removeItem(key)
  })
  await page.evaluate(() => sessionStorage.setItem('written-account-deleted', 'yes'))
  await page.goto('/goodbye')
  await look('goodbye')
  expectAllSeen()
})

test('my sessions', async ({ page, request, allowComplaint }, info) => {
  allowComplaint(/status of 500/)
  const { look, expectAllSeen } = looker(page, screens.sessions)
  const { offer, account } = await somebody(request, info)
  await signIn(page, account)
  await page.goto('/my-sessions')
  await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
  await look('none')
  const menu = page.getByRole('banner').locator('summary')
  await menu.click()
  await look('none, menu open', { in: narrow })
  await menu.click()
  await wear(page, wide)
  await page.getByRole('button', { name: /account$/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await look('none, menu open', { in: wide })
  await wear(page, narrow)

  const [first, second] = twoDays(offer)
  await saveCard(request, account)
  await bookByApi(request, account, offer, first)
  await page.reload()
  const session = page.getByRole('listitem', { name: offer.name })
  await expect(session).toBeVisible()
  await look('one')
  await session.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
  await expect(dialog.getByRole('button', { name: 'Next week' })).toBeVisible()
  await look('moving')
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByText('Nothing has changed yet')).toBeVisible()
  await look('moving, nothing chosen')
  await chooseTime(dialog, second)
  await look('moving, a time chosen')
  await dialog.getByRole('button', { name: 'Book session' }).click()
  await expect(dialog.getByText('Your booking is changed!')).toBeVisible()
  await look('moved')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await session.getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('cancelling')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel session' }).click()
  await expect(page.getByText('Your session is cancelled')).toBeVisible()
  await look('cancelled')
  await page.route('**/get-upcoming-sessions', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'That did not work.' } }),
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your sessions did not load' })).toBeVisible()
  await look('did not load')
  expectAllSeen()
})

async function somebody(request: APIRequestContext, info: TestInfo) {
  const account: Account = await register(request)
  return { account, offer: await ownPractitioner(request, info) }
}

/** Finds a listed practitioner without free times. */
async function withoutTimes(request: APIRequestContext): Promise<{ without: number }> {
  for (let page = 1; page <= 5; page++) {
    const response = await request.get('/api/v7/practitioner/get-practitioners', {
      params: { sort: 'soonest', per_page: 50, page: 6 - page },
    })
    const { data } = (await response.json()) as {
      data: {
        practitioner_id: number
        next_available: { online: string | null; face_to_face: string | null }
      }[]
    }
    const found = data.find(({ next_available: next }) => next.online === null && next.face_to_face === null)
    if (found) return { without: found.practitioner_id }
  }
  throw new Error('Everybody has free times.')
}
