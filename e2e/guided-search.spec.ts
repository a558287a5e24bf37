import type { APIRequestContext, Page } from '@playwright/test'
import type { AssistanceCategory } from '#contract/search.ts'
import { keepAsleep } from './asleep.ts'
import { pick } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { callAs, password, register, signIn, signInAgain } from './people.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Next step' })

async function categories(request: APIRequestContext): Promise<AssistanceCategory[]> {
  const response = await request.get('/api/v7/filter/need-assistance')
  return (await response.json()) as AssistanceCategory[]
}

test('from not knowing to a list of people, with a way back that loses no answer', async ({ page }) => {
  await page.goto('/')
  await page.getByText('I need assistance').click()
  await page.getByRole('button', { name: 'Next step' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'What does it relate to?' })).toBeVisible()

  await next(page).click()
  await expect(page.getByText('Choose one to go on.')).toBeVisible()
  await pick(page.getByRole('radio', { name: /^Individual difficulties/ }))
  await next(page).click()
  const first = page.getByRole('heading', { level: 1, name: 'What weighs on you most at the moment?' })
  await expect(first).toBeFocused()
  await pick(page.getByRole('radio', { name: 'Worry, fear or panic' }))
  await next(page).click()
  await pick(page.getByRole('radio', { name: 'Some months' }))
  await next(page).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'What would you like most from a session?' }),
  ).toBeVisible()

  // No answer is in the address.
  expect(new URL(page.url()).search).toBe('?filterType=need&step=3')

  await page.reload()
  await expect(
    page.getByRole('heading', { level: 1, name: 'What would you like most from a session?' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('radio', { name: 'Some months' })).toBeChecked()
  await page.goBack()
  await expect(
    page.getByRole('heading', { level: 1, name: 'What would you like most from a session?' }),
  ).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(first).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Worry, fear or panic' })).toBeChecked()

  await next(page).click()
  await next(page).click()
  await pick(page.getByRole('radio', { name: 'Practical things to try' }))
  await next(page).click()
  await pick(page.getByRole('radio', { name: 'Yes, exercises are fine' }))
  await next(page).click()
  await pick(page.getByRole('radio', { name: 'No', exact: true }))
  await expect(page.getByRole('alert')).toBeHidden()
  await page.getByRole('button', { name: 'See what we suggest' }).click()

  await expect(page).toHaveURL('/recommended-therapy')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Cognitive behavioural therapy (CBT)' }),
  ).toBeVisible()
  await expect(page.getByText(/^You told us that worry or fear takes up much of your day/)).toBeVisible()
  // The image is shown on a phone as well.
  const image = page.getByRole('main').locator('img').first()
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(image).toHaveAttribute('src', /therap/)
    await expect(image).toBeInViewport()
  }
  const fitting = page.getByRole('region', { name: 'People who fit' })
  await expect(fitting.getByRole('listitem')).toHaveCount(3)
  await expect(
    fitting.getByText(/^Offers Cognitive behavioural therapy \(CBT\), (and is|with) /),
  ).toHaveCount(3)
  await expect(fitting.getByRole('link').first()).toHaveAttribute(
    'href',
    /^\/recommended-therapist\?practitionerId=/,
  )
  await page.getByRole('link', { name: 'Find my Therapist' }).click()
  await expect(page).toHaveURL(/\?therapy_type_id=1&.*&therapy_type_name=Cognitive.*&instantBooking=false$/)
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('CBT')

  await page.goBack()
  await page.getByRole('link', { name: 'Back to my answers' }).click()
  await expect(page.getByRole('radio', { name: 'No', exact: true })).toBeChecked()
})

test('what is picked before the page is alive counts, and nothing is sent by then', async ({ page }) => {
  const wake = await keepAsleep(page)
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  await page.goto('/find-therapist?filterType=need', { waitUntil: 'commit' })
  await pick(page.getByRole('radio', { name: /^Individual difficulties/ }))
  await expect(next(page)).toBeDisabled()
  await page.keyboard.press('Enter')
  wake()
  await next(page).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'What weighs on you most at the moment?' }),
  ).toBeFocused()
  expect(sent).toEqual([])
})

test('another category picked before the page is alive takes the place of the one that is kept', async ({
  page,
}) => {
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('radio', { name: /^A traumatic event/ }))
  await next(page).click()
  await expect(page).toHaveURL(/step=1/)
  const wake = await keepAsleep(page)
  await page.goto('/find-therapist?filterType=need', { waitUntil: 'commit' })
  const picked = page.getByRole('radio', { name: /^Individual difficulties/ })
  await pick(picked)
  wake()
  await expect(next(page)).toBeEnabled()
  await expect(picked).toBeChecked()
  await next(page).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'What weighs on you most at the moment?' }),
  ).toBeVisible()
})

test('an answer to watch leaves the options where they are, and keeps whom to call in sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('radio', { name: /^A traumatic event/ }))
  for (const answer of [
    'Violence or a threat',
    'Within the last month',
    'I am on edge, or cannot sleep',
    'I want to feel steadier first',
  ]) {
    await next(page).click()
    await pick(page.getByRole('radio', { name: answer }))
    await expect(numbers(page)).toBeHidden()
  }
  await next(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Is it over?' })).toBeFocused()
  const places = () =>
    Promise.all([
      page.getByRole('radio').first().boundingBox(),
      page.getByRole('radio', { name: 'I am not sure' }).boundingBox(),
      next(page).boundingBox(),
    ])
  const before = await places()
  await pick(page.getByRole('radio', { name: 'I am not sure' }))
  await expect(page.getByRole('alert')).toContainText('You do not have to face this alone')
  expect(await places()).toEqual(before)
  for (const [name, number] of [
    ['999', 'tel:999'],
    ['111', 'tel:111'],
    ['116 123', 'tel:116123'],
  ] as const) {
    await expect(numbers(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', number)
  }
  await next(page).click()
  await expect(page.getByRole('heading', { level: 1, name: /thoughts of hurting yourself/ })).toBeFocused()
  await expect(numbers(page)).toBeVisible()
  await pick(page.getByRole('radio', { name: 'No', exact: true }))
  await page.getByRole('button', { name: 'See what we suggest' }).click()
  await expect(page.getByRole('link', { name: 'Find my Therapist' })).toBeVisible()
  await expect(numbers(page)).toBeVisible()
})

test('an urgent answer leads to whom to call before anything else, by keyboard, with a quiet way on', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('radio', { name: /^A traumatic event/ }))
  for (const answer of ['Violence or a threat', 'Years ago', 'I feel numb or far away', 'I am ready to']) {
    await next(page).click()
    await pick(page.getByRole('radio', { name: answer }))
  }
  await next(page).click()
  const callNow = page.getByRole('heading', { level: 1, name: 'Please call now' })

  await test.step('in the middle of the questions', async () => {
    await pick(page.getByRole('radio', { name: 'No, it is still happening' }))
    await page.keyboard.press('Enter')
    await expect(callNow).toBeFocused()
    // The address tells nothing of the answer.
    expect(new URL(page.url()).search).toBe('?filterType=need&step=6')
    await page.goBack()
    await expect(page.getByRole('radio', { name: 'No, it is still happening' })).toBeChecked()
    await page.goForward()
    await expect(callNow).toBeFocused()
    await page.reload()
    await expect(callNow).toBeFocused()
    for (const name of ['Call 999', 'Call 111', 'Call 116 123']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: new RegExp(`^${name}`) })).toBeFocused()
    }
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Continue with the questions' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /thoughts of hurting yourself/ })).toBeFocused()
  })

  await test.step('after the last question', async () => {
    await pick(page.getByRole('radio', { name: 'Yes, and I am afraid that I might act on it' }))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/recommended-therapy')
    await expect(callNow).toBeFocused()
    await expect(page.getByRole('main').getByRole('img')).toHaveCount(0)
    await expect(page.getByText('We suggest')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Find my Therapist' })).toHaveCount(0)
    expect(asked.filter((path) => path.endsWith('/find-recommended-therapy'))).toEqual([])
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(375)
    await page.getByRole('button', { name: 'See our suggestion' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Psychiatric assessment/ })).toBeFocused()
    await expect(numbers(page)).toBeVisible()
  })
})

/** The note with the emergency numbers beside the questions. */
const numbers = (page: Page) => page.getByText('You do not have to face this alone').locator('..')

test('every question of every category is answered by keyboard alone', async ({ page, request }) => {
  for (const category of await categories(request)) {
    await page.goto('/find-therapist?filterType=need')
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await expect(page.getByRole('progressbar')).toBeVisible()
    await focusOn(page, 'radio')
    for (let at = 0; at < category.value; at++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    for (const question of category.therapy_filter_questions) {
      await expect(page.getByRole('heading', { level: 1, name: question.question_name })).toBeFocused()
      await focusOn(page, 'radio')
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
    }
    await expect(page).toHaveURL('/recommended-therapy')
    await expect(page.getByText(/^You told us that/)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }
})

/** Tabs on until something of a kind has the focus. */
async function focusOn(page: Page, role: string): Promise<void> {
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    const kind = await page.evaluate<string | null>("document.activeElement?.getAttribute('type') ?? null")
    if (kind === role) return
  }
  throw new Error(`Nothing of kind ${role} took the focus.`)
}

test('a suggestion that does not load keeps the answers, and comes when asked again', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/Failed to load resource/)
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('radio', { name: /^I want to discuss medication/ }))
  for (const answer of ['The medicine that I take', 'Sleep', 'Yes', 'No']) {
    await next(page).click()
    await pick(page.getByRole('radio', { name: answer, exact: true }))
  }
  await page.route('**/find-recommended-therapy', (route) => route.abort('connectionfailed'))
  await page.getByRole('button', { name: 'See what we suggest' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Our suggestion did not load' })).toBeVisible()
  await page.unroute('**/find-recommended-therapy')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Psychiatric assessment/ })).toBeVisible()
})

test('a suggestion names the clock of its times to a reader whose clock shows another time', async ({
  openContext,
}) => {
  const page = await (await openContext({ timezoneId: 'America/New_York' })).newPage()
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('radio', { name: /^I want to discuss medication/ }))
  for (const answer of ['The medicine that I take', 'Sleep', 'Yes', 'No']) {
    await next(page).click()
    await pick(page.getByRole('radio', { name: answer, exact: true }))
  }
  await page.getByRole('button', { name: 'See what we suggest' }).click()
  const fitting = page.getByRole('region', { name: 'People who fit' })
  await expect(fitting).toContainText(/and is free .+ at \d\d:\d\d/)
  await expect(fitting).toContainText(/Times are in New York time, /)
})

test('a suggestion without answers leads to the questions, and a step too far to the first that is open', async ({
  page,
}) => {
  await page.goto('/recommended-therapy')
  await expect(page.getByRole('heading', { level: 1, name: 'A few questions first' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the questions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'What does it relate to?' })).toBeVisible()
  await page.goto('/find-therapist?filterType=need&step=4')
  await expect(page.getByRole('heading', { level: 1, name: 'What does it relate to?' })).toBeVisible()
})

test('what was answered before a sign-out is gone for the next person at the same tab', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request))
  const radios = page.getByRole('main').getByRole('radio')
  await page.goto('/find-therapist?filterType=need')
  await pick(radios.first())
  await next(page).click()
  await page.goto('/get-help')
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Please call now' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Please call now' })).toBeVisible()

  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await page.goto('/get-help')
  await expect(page.getByRole('button', { name: 'Yes', exact: true })).toBeVisible()
  await page.goto('/find-therapist?filterType=need')
  await expect(radios.first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('radio', { checked: true })).toHaveCount(0)
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/danger|answers/)
})

test('what was answered before a session ended is there again for the same account, and gone for another one', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const [client, other] = [await register(request), await register(request, 'Wren Abara')]
  await signIn(page, client)
  const checked = page.getByRole('main').getByRole('radio', { checked: true })
  const signInAfterEnd = async (ended: { token: string }, next: { email: string }) => {
    await callAs(request, ended, 'POST', '/client/logout-everywhere')
    await page.goto('/my-sessions')
    await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
    await page.getByLabel('Email').fill(next.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL('/my-sessions')
  }
  await page.goto('/find-therapist?filterType=need')
  await pick(page.getByRole('main').getByRole('radio').first())
  await next(page).click()

  await signInAfterEnd(client, client)
  await page.goto('/find-therapist?filterType=need')
  await expect(checked).toHaveCount(1)

  await signInAfterEnd(await signInAgain(request, client), other)
  await page.goto('/find-therapist?filterType=need')
  await expect(page.getByRole('main').getByRole('radio').first()).toBeVisible()
  await expect(checked).toHaveCount(0)
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('answers')
})
