import type { Page } from '@playwright/test'
import { makeAlive } from './alive.ts'
import { bookByApi, ownPractitioner, profilePath } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { register, signIn, signInAgain } from './people.ts'

const scrolled = (page: Page) => page.evaluate<number>('Math.round(window.scrollY)')
const settle = (page: Page) => page.waitForTimeout(400)

test('a message that is closed leaves the page where it is, and gives the focus back', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 500/)
  await signIn(page, await register(request))
  await page.route('**/client/shortlist', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { code: 'internal_error', message: 'It did not work.' } })
      : route.continue(),
  )
  await page.goto('/found-therapists')
  await makeAlive(page)
  // Its code may come as late as the message.
  const isRead = Promise.withResolvers<void>()
  await page.route('**/kept-focus-*.js', async (route) => {
    await isRead.promise
    await route.continue()
  })
  const hearts = page.locator('#main').getByRole('button', { name: /^Save .+ to your shortlist$/ })
  // By its name: the list is read again once one of its times has passed, and other journeys change it.
  const name = (await hearts.nth(5).getAttribute('aria-label')) ?? ''
  const heart = page.locator('#main').getByRole('button', { name, exact: true })
  await heart.click()
  const close = page.getByRole('button', { name: 'Close message' })
  await expect(close).toBeVisible()
  const before = await scrolled(page)
  expect(before).toBeGreaterThan(300)
  await close.focus()
  const code = page.waitForResponse('**/kept-focus-*.js')
  isRead.resolve()
  await (await code).finished()
  await settle(page)
  await close.click()
  await expect(close).toBeHidden()
  await settle(page)
  expect(await scrolled(page)).toBe(before)
  await expect(heart).toBeFocused()
})

test('a link to a part of another page, another practitioner and the way back lead where they should', async ({
  page,
  request,
}, info) => {
  await page.setViewportSize({ width: 480, height: 800 })
  await test.step('a part of another page', async () => {
    await signIn(
      page,
      await signInAgain(request, { name: 'Alex Morgan', email: 'client@demo.test' }, 'demo-password'),
    )
    await page.goto('/my-sessions/past')
    await page
      .getByRole('link', { name: /^Book again with/ })
      .first()
      .click()
    await expect(page).toHaveURL(/#book$/)
    const part = page.locator('#book')
    await expect(part).toBeInViewport()
    await settle(page)
    await expect(part).toBeInViewport()
    await expect(part).toBeFocused()
  })
  await test.step('another practitioner', async () => {
    const offer = await ownPractitioner(request, info)
    await page.goto(profilePath(offer))
    const similar = page.getByRole('region', { name: 'Similar practitioners' }).getByRole('link').first()
    await similar.scrollIntoViewIfNeeded()
    await settle(page)
    const from = await scrolled(page)
    await similar.click()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).not.toHaveText(offer.name)
    await expect(heading).toBeFocused()
    expect(await scrolled(page)).toBe(0)
    await page.goBack()
    await expect(heading).toHaveText(offer.name)
    await settle(page)
    expect(Math.abs((await scrolled(page)) - from)).toBeLessThan(60)
  })
})

test('enlarged to 400 %, a question shows its words and its buttons', async ({ page, request }, info) => {
  const client = await register(request)
  const offer = await ownPractitioner(request, info)
  await bookByApi(request, client, offer, offer.times.at(-3) ?? '')
  await signIn(page, client)
  await page.setViewportSize({ width: 480, height: 235 })
  await page.goto('/my-sessions')
  await page
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click()
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  const buttons = question.getByRole('button')
  for (const height of [235, 155]) {
    await page.setViewportSize({ width: height === 235 ? 480 : 341, height })
    await page.mouse.move(170, height - 30)
    await page.mouse.wheel(0, -2000)
    await expect(question.getByRole('heading').first()).toBeInViewport({ ratio: 0.9 })
    await page.mouse.wheel(0, 2000)
    await expect(buttons.last()).toBeInViewport({ ratio: 1 })
  }
})
