import type { APIRequestContext, Page, Route, TestInfo } from '@playwright/test'
import { makeAlive } from './alive.ts'
import { keepAsleep } from './asleep.ts'
import { bookByApi, ownPractitioner } from './booking.ts'
import { chatter, openDialog } from './chats.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

const opening = (page: Page) => page.getByRole('status').getByRole('img', { name: 'Opening' })
const chunk = (name: string) => new RegExp(`/assets/${name}-`)

/** Holds scripts back until they are let through, or refuses them. */
async function hold(page: Page, name: string) {
  const gate = Promise.withResolvers<'abort' | 'continue'>()
  const decide = async (route: Route) => {
    const decision = await gate.promise
    await route[decision]()
  }
  await page.route(chunk(name), decide)
  return {
    let: () => gate.resolve('continue'),
    refuse: () => gate.resolve('abort'),
    stop: () => page.unroute(chunk(name), decide),
  }
}

/** A client with a session of a practitioner of their own. */
async function booked(request: APIRequestContext, info: TestInfo) {
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  const { session_id: id } = await bookByApi(request, client, offer, offer.times[0] ?? '')
  return { offer, client, id }
}

test('a page whose script does not come is loaded as a document, and costs nothing before it is asked for', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|preload/)
  await page.goto('/sign-up')
  await makeAlive(page)
  const refused = await hold(page, 'privacy-policy')
  refused.refuse()
  await page.evaluate('window.isSameDocument = true')
  const isSameDocument = () => page.evaluate<boolean>(`'isSameDocument' in window`)
  await page.getByLabel('Name').fill('Robin Vale')
  // As the focus comes to a link, or the pointer, its script is fetched ahead.
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })
  const failed = page.waitForEvent('requestfailed')
  await link.hover()
  await failed
  await link.focus()
  await page.waitForTimeout(500)
  expect(await isSameDocument()).toBe(true)
  await expect(page.getByLabel('Name')).toHaveValue('Robin Vale')

  await link.click()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
  expect(await isSameDocument()).toBe(false)
  await page.goBack()
  await expect(page).toHaveURL('/sign-up')
})

test('a dialog of a session opens with its press, says that it is on its way, and can be tried again', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  const { client, id } = await booked(request, info)
  await signIn(page, client)
  const refused = await hold(page, 'CancelSession')
  await page.goto(`/session?appointment=${id}`)
  const cancel = page.getByRole('button', { name: 'Cancel session' })
  await expect(cancel).toBeVisible()
  await page.waitForLoadState('networkidle')

  await cancel.click()
  await expect(opening(page)).toBeVisible()
  await expect(cancel).toBeFocused()
  refused.refuse()
  const problem = page.getByRole('dialog', { name: 'This did not open' })
  await expect(problem).toBeVisible()
  await expect(opening(page)).toHaveCount(0)
  await problem.getByRole('button', { name: 'Close' }).click()
  await expect(problem).toBeHidden()
  await expect(cancel).toBeFocused()
  await refused.stop()

  // Escape while it is on its way: it does not come up later.
  const held = await hold(page, 'CancelSession')
  await cancel.press('Enter')
  await expect(opening(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opening(page)).toHaveCount(0)
  const arrived = page.waitForResponse((response) => chunk('CancelSession').test(response.url()))
  held.let()
  await (await arrived).finished()
  await page.waitForTimeout(500)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(cancel).toBeFocused()

  await cancel.press('Enter')
  const asked = page.getByRole('alertdialog', { name: 'Cancel this session?' })
  await expect(asked).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await expect(cancel).toBeFocused()
  expect(await callAs(request, client, 'GET', `/sessions/${id}`)).toMatchObject({ status: 'confirmed' })
})

test('a session stands without its chat, which is loaded again on request', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  const { offer, client, id } = await booked(request, info)
  await openDialog(request, await chatter(request, client, 'client'), offer.id)
  await signIn(page, client)
  const refused = await hold(page, 'ChatPage')
  refused.refuse()
  await page.goto(`/session?appointment=${id}`)
  const chat = page.getByRole('region', { name: /^Chat with/ })
  await expect(chat.getByText('The chat did not load')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Move to another time' })).toBeVisible()
  await expect(page.getByPlaceholder('Enter your message')).toHaveCount(0)
  await refused.stop()
  await chat.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByPlaceholder('Enter your message')).toBeVisible()
  await expect(chat.getByText('The chat did not load')).toHaveCount(0)
})

test('the account menu comes with its press, by keyboard too, and can be pressed again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  await signIn(page, await register(request))
  const refused = await hold(page, 'MenuList')
  await page.goto('/account')
  const account = page.getByRole('button', { name: 'Robin, account' })
  const menu = page.getByRole('menu', { name: 'Account' })
  await account.press('Enter')
  await expect(account).toHaveAttribute('aria-busy', 'true')
  refused.refuse()
  await expect(page.getByText('The menu did not open.')).toBeVisible()
  await expect(account).not.toHaveAttribute('aria-busy')
  await expect(menu).toHaveCount(0)
  await refused.stop()

  await account.press('Enter')
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(account).toBeFocused()
  await expect(account).toHaveAttribute('aria-expanded', 'false')
  await account.press('ArrowUp')
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeFocused()
  await page.keyboard.press('Escape')
  await account.click()
  await menu.getByRole('menuitem', { name: 'My Sessions' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(menu).toHaveCount(0)
})

test('whom to call first waits for no results and no further script', async ({ page, allowComplaint }) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  await page.setViewportSize({ width: 375, height: 600 })
  const notes = await hold(page, 'SentenceNotes')
  notes.refuse()
  await page.goto('/')
  await makeAlive(page)
  const gate = Promise.withResolvers<void>()
  await page.route(/found-therapists\.data/, async (route) => {
    await gate.promise
    await route.continue().catch(() => undefined)
  })
  const box = page.getByRole('textbox', { name: 'Say it in a sentence' })
  await box.fill('i want to die in the evenings')
  await box.press('Enter')
  const card = page.getByRole('alert').filter({ hasText: 'You do not have to face this alone' })
  await expect(card.getByRole('link', { name: '116 123' })).toBeInViewport()
  await expect(page).toHaveURL('/')
  gate.resolve()
  await expect(page).toHaveURL('/found-therapists')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(card.getByRole('link', { name: '116 123' })).toBeInViewport()
  await expect(page.getByText('Not used')).toHaveCount(0)
  await notes.stop()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await expect(page.getByText(/^Not used: .*evenings/)).toBeVisible()
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('link', { name: '116 123' })).toBeInViewport()

  // Both go with the search.
  await page.getByRole('banner').getByRole('link', { name: 'Hearth' }).first().click()
  await expect(page).toHaveURL('/')
  await expect(box).toBeVisible()
  await expect(card).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText('Not used')).toHaveCount(0)
  await expect(card).toHaveCount(0)
})

test('the filters of a phone can be opened again', async ({ page, allowComplaint }) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  await page.setViewportSize({ width: 375, height: 740 })
  const refused = await hold(page, 'FilterDialog')
  refused.refuse()
  await page.goto('/found-therapists')
  await makeAlive(page)
  const filter = page.getByRole('button', { name: 'Filter results' })
  const problem = page.getByRole('dialog', { name: 'This did not open' })
  const dialog = page.getByRole('dialog', { name: 'Filter results' })
  await filter.click()
  await expect(problem).toBeVisible()
  await problem.getByRole('button', { name: 'Close' }).click()
  await expect(problem).toBeHidden()
  await expect(page).toHaveURL('/found-therapists')
  await expect(page.getByRole('article').first()).toBeVisible()

  await filter.click()
  await expect(problem).toBeVisible()
  await refused.stop()
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog).toBeVisible()
  await expect(problem).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(filter).toBeFocused()
  await expect(page).toHaveURL('/found-therapists')
})

test('a list of the search form stands before what makes it searchable, and keeps what was chosen in it', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  const refused = await hold(page, 'ChipsPicker')
  refused.refuse()
  await page.goto('/find-therapist')
  await makeAlive(page)
  const lists = page.getByRole('main').locator('summary')
  await lists.first().click()
  const choice = page.getByRole('main').locator('details[open]').getByRole('checkbox').first()
  await choice.check()
  const chosen = page.getByRole('grid', { name: /^Chosen: / })
  await expect(chosen).toHaveCount(0)
  await refused.stop()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  // The one that is open stays so until it is closed and left.
  await expect(lists).toHaveCount(1)
  await expect(choice).toBeChecked()
  await expect(choice).toBeFocused()
  await lists.click()
  await expect(choice).toBeHidden()
  await expect(lists).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(lists).toHaveCount(0)
  await expect(chosen).toHaveCount(1)
})

test('a list of the search form that is opened before the page is alive stays open', async ({ page }) => {
  const wake = await keepAsleep(page)
  await page.goto('/find-therapist', { waitUntil: 'commit' })
  const lists = page.getByRole('main').locator('summary')
  // Without a touch, by which the page would come alive.
  await lists.first().dispatchEvent('click')
  const choice = page.getByRole('main').locator('details[open]').getByRole('checkbox').nth(1)
  await expect(choice).toBeVisible()
  wake()
  await makeAlive(page)
  await expect(lists).toHaveCount(1)
  await choice.check()
  await expect(choice).toBeChecked()
})

test('the report of a review can be opened again', async ({ page, request, allowComplaint }) => {
  allowComplaint(/ERR_FAILED|preload|dynamically imported module/)
  await signInTherapist(page, await demoTherapist(request))
  const refused = await hold(page, 'ReportDialog')
  refused.refuse()
  await page.goto('/therapist/reviews')
  const report = page.getByRole('button', { name: /^Report/ }).first()
  await report.click()
  const problem = page.getByRole('dialog', { name: 'This did not open' })
  await expect(problem).toBeVisible()
  await problem.getByRole('button', { name: 'Close' }).click()
  await expect(report).toBeFocused()
  await refused.stop()
  await report.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Report this review' })
  await expect(asked.getByLabel('What is wrong with it?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await expect(report).toBeFocused()
})
