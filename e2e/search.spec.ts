import type { Locator, Page } from '@playwright/test'
import { expectAlive, makeAlive } from './alive.ts'
import { keepAsleep } from './asleep.ts'
import { dayLabel, pick, weekTurns } from './booking.ts'
import { expect, test } from './fixtures.ts'

const list = '/found-therapists'

/** Opens the list and waits until it is alive: what is chosen before that goes the way of a plain form. */
async function openList(page: Page, query = ''): Promise<void> {
  await page.goto(`${list}${query}`)
  await expect(page.getByPlaceholder('Search this list').first()).toBeAttached()
}

function results(page: Page) {
  return page.getByRole('region', { name: 'Results' })
}

/** The results as they stand once no other search is under way. */
async function settled(page: Page) {
  await expect(results(page).locator('[aria-busy=false]')).toBeVisible()
  return results(page)
}

/** The names on the cards, in their order. */
async function names(page: Page): Promise<string[]> {
  return (await settled(page)).getByRole('article').getByRole('heading', { level: 3 }).allTextContents()
}

/** How many there are altogether, by the results' heading. */
async function total(page: Page): Promise<number> {
  const headings = (await settled(page)).getByRole('heading', { level: 2 })
  const text = await headings.filter({ hasText: 'practitioner' }).textContent()
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0)
}

/** The miles on each card. */
async function distances(page: Page): Promise<number[]> {
  const cards = await (await settled(page)).getByRole('article').allTextContents()
  return cards.map((text) => Number(/([\d.]+) miles? · /.exec(text)?.[1]))
}

/** The number of results beside a value of the filters. */
async function numberBeside(field: Locator): Promise<number> {
  await expect(field).toHaveAccessibleDescription(/^\d+$/)
  return Number(await field.getAttribute('aria-description'))
}

/** The lowest price of each card, in pounds. */
async function prices(page: Page): Promise<number[]> {
  const cards = await (await settled(page)).getByRole('article').allTextContents()
  return cards.map((text) => Number(/£(\d+(?:\.\d\d)?)/.exec(text)?.[1]))
}

/** The numbers on the cards once they rise. The address names a new order a moment before its cards are drawn. */
async function inOrder(read: () => Promise<number[]>): Promise<number[]> {
  let numbers: number[] = []
  await expect(async () => {
    numbers = await read()
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }).toPass({ timeout: 15_000 })
  return numbers
}

/**
 * Every card has the same layout: no higher than allowed, with its price and its buttons in one place, and nothing to be
 * pressed that is smaller than a fingertip.
 */
async function expectOneLayout(page: Page, maxHeight: number): Promise<void> {
  await settled(page)
  const cards = await page.evaluate<{ name: string; height: number; places: string; small: string[] }[]>(`
    [...document.querySelectorAll('article')].map((card) => {
      const { top, right, bottom, left, height } = card.getBoundingClientRect()
      const of = (name) => card.querySelector(name).getBoundingClientRect()
      const [price, button] = [of(':scope > p'), of('.result-actions')]
      const isBelow = price.top > top + height / 2
      const places = [isBelow ? left - price.left : right - price.right, bottom - button.bottom, right - button.right]
      const pressed = [...card.querySelectorAll('a')].map((link) => [link.textContent, link.getBoundingClientRect()])
      const small = pressed.filter(([, { width, height }]) => width > 0 && (width < 44 || height < 44))
      return {
        name: card.querySelector('h3').textContent,
        height: Math.round(height),
        places: [isBelow, ...places.map(Math.round)].join(' '),
        small: small.map(([text]) => text),
      }
    })`)
  expect(cards.length).toBeGreaterThan(0)
  expect(cards.filter((card) => card.height > maxHeight || card.small.length > 0)).toEqual([])
  expect(new Set(cards.map((card) => card.places)).size).toBe(1)
}

/** Texts of the cards that lie outside them or are cut off. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('article :not(.sr-only)')].filter((part) => {
      const [inner, outer] = [part, part.closest('article')].map((each) => each.getBoundingClientRect())
      const isOutside = inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1 || inner.left < outer.left - 1
      const isCut = getComputedStyle(part).overflow !== 'visible' && part.scrollHeight > part.clientHeight + 1
      return inner.width > 0 && (isOutside || isCut)
    }).map((part) => part.textContent)`)
}

/** Opens a question of the panel and ticks an answer. */
async function tick(page: Page, question: string, answer: string): Promise<void> {
  const panel = page.getByRole('complementary', { name: 'Filters' })
  const box = panel.getByRole('checkbox', { name: answer, exact: true })
  if (!(await box.isVisible())) await panel.getByText(question, { exact: true }).first().click()
  await box.check()
}

test('the form’s filters are in the address, which shows another visitor the same results', async ({
  page,
  openContext,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Next step' }).click()
  await expect(page).toHaveURL('/find-therapist?filterType=know')

  await page.getByRole('checkbox', { name: 'Counsellor' }).check()
  const issues = page.getByRole('combobox', { name: 'What would you like help with?' })
  await issues.fill('anxi')
  await page.getByRole('option', { name: 'Anxiety', exact: true }).click()
  // The list stays for the next choice.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: 'Anxiety' })).toBeVisible()
  await page.getByRole('radio', { name: 'Female', exact: true }).check()
  await page.getByRole('button', { name: 'Find my Therapist' }).click()

  await expect(page).toHaveURL(/\/found-therapists\?provider_id=\d+&issue_id=\d+&gender=Female$/)
  await expect(page).toHaveTitle(/^List of Therapist or Psychiatrist: Anxiety, Counsellor, Female /)
  const found = await names(page)
  expect(found.length).toBeGreaterThan(0)
  const count = await total(page)

  const other = await (await openContext()).newPage()
  await other.goto(page.url())
  expect(await names(other)).toEqual(found)
  expect(await total(other)).toBe(count)
  await expect(other.getByRole('list', { name: 'Filters in use' })).toContainText('Anxiety')

  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Who are you looking for?' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Counsellor' })).toBeChecked()
  await expect(page.getByRole('row', { name: 'Anxiety' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Female', exact: true })).toBeChecked()
})

test('an empty sentence leaves the button beside its field, and names no words of the last one', async ({
  page,
}) => {
  await openList(page)
  const box = page.getByRole('textbox', { name: 'Say it in a sentence' })
  const button = page.getByRole('button', { name: 'Find matches' })
  await box.fill('evenings')
  await button.click()
  await expect(page.getByText('Not used: “evenings”')).toBeVisible()
  await button.click()
  await expect(page.getByText('Tell us what you are looking for.')).toBeVisible()
  await expect(page.getByText('Not used')).toHaveCount(0)
  const [field, beside] = [await box.boundingBox(), await button.boundingBox()]
  const middle = (of: typeof field) => (of ? of.y + of.height / 2 : Number.NaN)
  expect(Math.abs(middle(field) - middle(beside))).toBeLessThan(4)

  // What is written while a sentence is read stays, as does a filter that is chosen by then.
  const written = Promise.withResolvers<void>()
  await page.route('**/search/parse', async (route) => {
    const response = await route.fetch()
    await written.promise
    await route.fulfill({ response })
  })
  await box.fill('a woman')
  await button.click()
  await box.fill('and evenings')
  await page.getByRole('radio', { name: 'Online', exact: true }).check()
  await expect(page).toHaveURL(/session_type=online/)
  written.resolve()
  await expect(page).toHaveURL(/gender=Female/)
  await expect(page).toHaveURL(/session_type=online/)
  await expect(box).toHaveValue('and evenings')

  // So does a filter whose results are still to come.
  const found = Promise.withResolvers<void>()
  await page.route(/found-therapists\.data\?.*sort=rating/, async (route) => {
    if (!route.request().url().includes('max_price')) await found.promise
    await route.continue()
  })
  await page.getByLabel('Sort by').selectOption('Best rated')
  await box.fill('under £80')
  await button.click()
  await expect(page).toHaveURL(/max_price=80/)
  await expect(page).toHaveURL(/sort=rating/)
  found.resolve()
})

test('the example of a sentence finds a practitioner, and its results begin at their top', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 600 })
  await page.goto('/')
  await makeAlive(page)
  const said = await page.getByText(/^Such as: /).textContent()
  const example = /^Such as: (.+?)\. /.exec(said ?? '')?.[1] ?? ''
  const box = page.getByRole('textbox', { name: 'Say it in a sentence' })
  await box.fill(example)
  expect(await page.evaluate('window.scrollY')).toBeGreaterThan(0)
  await box.press('Enter')
  await expect(page).toHaveURL(
    /issue_id=\d+&gender=Female&max_price=\d+&session_type=face_to_face&near=Leeds$/,
  )
  expect(await total(page)).toBeGreaterThan(0)
  expect(await page.evaluate('window.scrollY')).toBe(0)
})

test('a sentence on the home page becomes filters that can be removed, and is in no address', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  await page.goto('/')
  await makeAlive(page)
  const box = page.getByRole('textbox', { name: 'Say it in a sentence' })
  await box.fill('female CBT therapist for panic attacks in Leeds under £60, evenings')
  await box.press('Enter')

  await expect(page).toHaveURL(
    /\/found-therapists\?provider_id=\d+&issue_id=\d+&gender=Female&max_price=60&session_type=face_to_face&near=Leeds$/,
  )
  const chips = page.getByRole('list', { name: 'Filters in use' })
  for (const chip of ['Panic attacks', 'CBT Therapist', 'Female', 'Up to £60', 'Within 10 miles of Leeds']) {
    await expect(chips.getByRole('link', { name: `Remove filter: ${chip}` })).toBeVisible()
  }
  await expect(page.getByText('5 filters set.')).toBeAttached()
  await expect(page.getByText('Not used: “evenings”')).toBeVisible()
  await expect(box).toHaveValue('')
  await chips.getByRole('link', { name: 'Remove filter: CBT Therapist' }).press('Enter')
  await expect(page).toHaveURL(/found-therapists\?issue_id=\d+&gender=Female/)

  // A second sentence changes what it names alone; the filters stay after a reload, and the sentence does not.
  await box.fill('online, up to £90')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page).toHaveURL(/\?issue_id=\d+&gender=Female&max_price=90&session_type=online$/)
  await expect(page.getByText('Not used')).toHaveCount(0)
  await page.reload()
  await expect(chips.getByRole('link')).toHaveCount(5)
  await expect(box).toHaveValue('')

  await openList(page)
  await box.fill('someone in Newport')
  await box.press('Enter')
  await expect(page.getByRole('button', { name: 'Newport, Wales' })).toBeVisible()
  await expect(box).toBeFocused()
  await page.getByRole('button', { name: 'Newport, Wales' }).click()
  await expect(page).toHaveURL(/session_type=face_to_face&near=Newport/)
  await expect(page.getByRole('button', { name: 'None of these' })).toHaveCount(0)

  await box.fill('i want to die')
  await box.press('Enter')
  const card = page.getByRole('alert').filter({ hasText: 'You do not have to face this alone' })
  await expect(card.getByRole('link', { name: '999' })).toBeVisible()
  await expect(card.getByRole('link', { name: '116 123' })).toBeVisible()
  expect(
    await page.evaluate<string>('JSON.stringify([history.state, {...localStorage}, {...sessionStorage}])'),
  ).not.toMatch(/evenings|want to die/)
  // It stays while the search goes on. A sentence that is sent while the results of the one before load is read.
  let loading = 0
  await page.route(/found-therapists\.data/, async (route) => {
    loading++
    if (loading === 1) await expect.poll(() => loading).toBe(2)
    await route.continue().catch(() => undefined)
  })
  await box.fill('up to £80')
  await box.press('Enter')
  await expect.poll(() => loading).toBe(1)
  await box.press('Enter')
  await expect(page.getByText('Tell us what you are looking for.')).toHaveCount(0)
  await box.fill('online, under £70')
  await box.press('Enter')
  await expect(page).toHaveURL(/max_price=70/)
  await expect(card).toBeVisible()
  expect(asked.filter((each) => /evenings|panic|to%20die|want\+to/.test(each))).toEqual([])
})

test('a visitor who needs assistance is asked first what it is about', async ({ page }) => {
  await page.goto('/')
  await page.getByText('I need assistance').click()
  await page.getByRole('button', { name: 'Next step' }).click()
  await expect(page).toHaveURL('/find-therapist?filterType=need')
  await expect(page.getByRole('heading', { level: 1, name: 'What does it relate to?' })).toBeVisible()
})

test('each filter of the panel goes into the address, and going back takes it off again', async ({
  page,
}) => {
  await openList(page)
  const states: { url: string; count: number; first: string | undefined }[] = []
  const note = async () => {
    // The address may change before the results do: the API's total is the one to wait for.
    const answer = await page.request.get(
      `/api/v7/practitioner/get-practitioners${new URL(page.url()).search}`,
    )
    const { meta } = (await answer.json()) as { meta: { total: number } }
    await expect.poll(() => total(page)).toBe(meta.total)
    states.push({ url: page.url(), count: meta.total, first: (await names(page))[0] })
  }
  await note()
  const steps: [RegExp, () => Promise<void>][] = [
    [
      /session_type=face_to_face/,
      () => page.getByRole('radio', { name: 'Face-to-face', exact: true }).check(),
    ],
    [/language_id=\d+/, () => tick(page, 'Languages', 'Polish')],
    [/gender=Female/, () => page.getByRole('radio', { name: 'Female', exact: true }).check()],
    [/max_price=120/, () => page.getByRole('spinbutton', { name: 'At most' }).fill('120')],
  ]
  for (const [address, act] of steps) {
    await act()
    await expect(page).toHaveURL(address)
    await note()
  }
  const counts = states.map((state) => state.count)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect(counts.at(-1)).toBeLessThan(counts[0] ?? 0)

  for (const { url, count, first } of states.slice(0, -1).toReversed()) {
    await page.goBack()
    await expect(page).toHaveURL(url)
    await expect.poll(() => total(page)).toBe(count)
    expect((await names(page))[0]).toBe(first)
  }
  await expect(page.getByRole('radio', { name: 'Either' })).toBeChecked()
  await page.goForward()
  await expect(page.getByRole('radio', { name: 'Face-to-face', exact: true })).toBeChecked()
  await expect(page).toHaveURL(states[1]?.url ?? '')
})

test('a year that is typed slowly leaves the list in place until it is whole', async ({ page }) => {
  await openList(page)
  const count = await total(page)
  const from = page.getByRole('complementary', { name: 'Filters' }).getByLabel('From', { exact: true })
  const year = String(new Date().getFullYear() + 1)
  await from.focus()
  // Day and month alike, whichever the browser asks for first.
  await page.keyboard.type(`0606${year.slice(0, 1)}`)
  await expect(from).toHaveValue('0002-06-06')
  // Longer than the pause after which what is typed is searched for.
  await page.waitForTimeout(1000)
  expect(await total(page)).toBe(count)
  await expect(page).toHaveURL(list)
  await expect(from).toBeFocused()
  await page.keyboard.type(year.slice(1))
  await expect(page).toHaveURL(`${list}?date_from=${year}-06-06`)
  await expect(from).toHaveValue(`${year}-06-06`)
  await expect(from).toBeFocused()
})

test('a place that is not known is in no chip and no order, and neither is a name without letters', async ({
  page,
}) => {
  await openList(page)
  const all = await total(page)
  await openList(page, '?near=SE22 8AA&issue_id=1&sort=nearest')
  await expect(page).toHaveURL(`${list}?issue_id=1&session_type=face_to_face&near=SE22&sort=nearest`)
  await expect(results(page).getByText('We do not know this postcode')).toBeVisible()
  const chips = page.getByRole('list', { name: 'Filters in use' })
  await expect(chips).toContainText('Face-to-face')
  await expect(chips).not.toContainText('SE22')
  await expect(page).not.toHaveTitle(/SE22/)
  const sort = page.getByLabel('Sort by')
  await expect(sort).toHaveValue('recommended')
  await expect(sort.getByRole('option', { name: 'Nearest' })).toHaveCount(0)
  // The order that was asked for is that of the place that is chosen instead.
  await results(page).getByRole('link', { name: 'London', exact: true }).click()
  await expect(chips).toContainText('Within 10 miles of London')
  await expect(sort).toHaveValue('nearest')

  await openList(page, '?name=%F0%9F%98%80')
  await expect(page).toHaveURL(list)
  expect(await total(page)).toBe(all)
  await expect(chips).toBeHidden()
})

test('the results can be sorted, and keep the order on the next page', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/')
  await makeAlive(page)
  await page.getByRole('searchbox', { name: 'Near' }).fill('ls6 2ab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=LS6`)
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Within 10 miles of LS6')
  await page.getByLabel('Sort by').selectOption({ label: 'Nearest' })
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=LS6&sort=nearest`)
  const miles = await inOrder(() => distances(page))
  expect(miles.length).toBeGreaterThan(1)
  const panel = page.getByRole('complementary', { name: 'Filters' })
  await panel.getByLabel('Within').selectOption({ label: '1 mile' })
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=LS6&within=1&sort=nearest`)
  await panel.getByRole('searchbox', { name: 'Town or postcode' }).fill('Newport')
  await page.keyboard.press('Enter')
  const question = results(page).getByText('There is more than one place of this name')
  await expect(question).toBeVisible()
  await results(page).getByRole('link', { name: 'Newport, Wales' }).click()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(/near=Newport,%20Wales/)
  // Online sessions have no place.
  await panel.getByRole('radio', { name: 'Online', exact: true }).check()
  await expect(page).toHaveURL(`${list}?session_type=online`)
  expect(sent.filter((text) => /ls6.{0,3}2ab/i.test(text))).toEqual([])

  await openList(page, '?instantBooking=true')
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Free in the next 7 days')
  await openList(page)
  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' })
  await expect(page).toHaveURL(`${list}?sort=price_asc`)
  const first = await inOrder(() => prices(page))

  await page
    .getByRole('navigation', { name: 'Pages of results' })
    .getByRole('link', { name: 'Page 2' })
    .click()
  await expect(page).toHaveURL(`${list}?sort=price_asc&page=2`)
  await expect(results(page).getByRole('heading', { level: 2 })).toContainText('page 2')
  await expect(page).toHaveTitle(/^List of Therapist or Psychiatrist, page 2 /)
  const second = await prices(page)
  expect(second[0]).toBeGreaterThanOrEqual(first.at(-1) ?? 0)

  await page.getByLabel('Sort by').selectOption({ label: 'Highest price' })
  await expect(page).toHaveURL(`${list}?sort=price_desc`)
  await expect.poll(async () => (await prices(page))[0]).toBeGreaterThan(first.at(-1) ?? 0)

  // On a slow network no count of the former search stands beside what is chosen.
  const slow = Promise.withResolvers<void>()
  await page.route(/found-therapists\.data/, async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.getByRole('radio', { name: 'Online', exact: true }).check()
  const heading = page.getByRole('heading', { level: 2, name: 'Counting…' })
  await expect(heading).toBeVisible()
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Online')
  await expect(page.locator('.pending-bar')).toBeVisible()
  slow.resolve()
  await expect(page.getByRole('heading', { level: 2, name: /^\d+ practitioners/ })).toBeVisible()
  await expect(page.locator('.pending-bar')).toHaveCount(0)
})

test('every practitioner is on one page of the results, and pages can be gone back to', async ({ page }) => {
  await openList(page, '?provider_id=1,2')
  const count = await total(page)
  const seen: string[] = []
  const pages = page.getByRole('navigation', { name: 'Pages of results' })
  const links = results(page).getByRole('link', { name: /^See profile of/ })
  for (let at = 1; ; at++) {
    await expectOneLayout(page, 260)
    const hrefs = (await links.all()).map((link) => link.getAttribute('href'))
    seen.push(...(await Promise.all(hrefs)).map(String))
    const next = pages.getByRole('link', { name: 'Next page' })
    if (!(await next.isVisible())) break
    await next.click()
    await expect(page).toHaveURL(`${list}?provider_id=1,2&page=${at + 1}`)
    await expect(results(page).getByRole('heading', { level: 2 })).toBeFocused()
  }
  expect(seen).toHaveLength(count)
  expect(new Set(seen).size).toBe(count)
  await page.goBack()
  await expect
    .poll(async () => links.first().getAttribute('href'))
    .toBe(seen[Math.floor((count - 1) / 20) * 20 - 20])

  await openList(page, '?provider_id=1,2&page=999')
  await expect(page).toHaveURL(`${list}?provider_id=1,2&page=${Math.ceil(count / 20)}`)
})

test('a search without results offers to drop a filter, and doing so finds practitioners', async ({
  page,
}) => {
  await openList(page, '?session_type=online&name=Xyzzyqqq')
  await expect(page.getByRole('heading', { name: 'Nobody matches all of these filters' })).toBeVisible()
  const way = page.getByRole('link', { name: /^Any name/ })
  const promised = Number(/\d+/.exec((await way.textContent()) ?? '')?.[0])
  await way.click()
  await expect(page).toHaveURL(`${list}?session_type=online`)
  await expect.poll(() => total(page)).toBe(promised)
  expect((await names(page)).length).toBeGreaterThan(0)
})

test('on a phone the filters open over the results and say how many they leave', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await page.goto('/')
  await page.getByRole('searchbox', { name: 'Near' }).fill('leeds')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=Leeds`)
  expect((await distances(page))[0]).toBeLessThanOrEqual(10)
  await expect(results(page).getByRole('article').first()).toContainText(/miles? · .*Leeds/)
  await expectOneLayout(page, 360)
  await openList(page)
  await expectOneLayout(page, 360)
  await page.getByRole('button', { name: 'Filter results' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter results' })
  // The longest name of the demo.
  await dialog.getByRole('searchbox', { name: 'Name' }).fill('Katarzyna Lewandowska')
  await expect(page).toHaveURL(`${list}?name=Katarzyna%20Lewandowska#filters`)
  const show = dialog.getByRole('button', { name: /^Show [1-9] practitioners?$/ })
  const shown = Number(/\d+/.exec((await show.textContent()) ?? '')?.[0])
  await show.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Filter results' })).toBeFocused()
  expect(await total(page)).toBe(shown)
  await expectOneLayout(page, 360)
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  expect(await cutOff(page)).toEqual([])
  await page.evaluate(`document.documentElement.style.fontSize = ''`)

  // The way back closes the panel, whether something was chosen in it or not, and then takes the choices off.
  await page.getByRole('button', { name: 'Filter results' }).click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`${list}?name=Katarzyna%20Lewandowska`)
  await page.getByRole('button', { name: 'Filter results' }).click()
  await dialog.getByRole('radio', { name: 'Online', exact: true }).check()
  await expect(page).toHaveURL(/session_type=online#filters$/)
  await expect(show).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`${list}?name=Katarzyna%20Lewandowska&session_type=online`)
  await expect(page.getByRole('list', { name: 'Filters in use' })).toContainText('Online')
  await page.goBack()
  await expect(page).toHaveURL(`${list}?name=Katarzyna%20Lewandowska`)
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(list)
})

test('what is chosen in the filters of a phone stays when they are closed before its results come', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 720 })
  await openList(page)
  const dialog = page.getByRole('dialog', { name: 'Filter results' })
  const online = dialog.getByRole('radio', { name: 'Online', exact: true })
  const inPerson = dialog.getByRole('radio', { name: 'Face-to-face', exact: true })
  const ways = [
    { choice: online, query: '?session_type=online', close: () => page.keyboard.press('Escape') },
    { choice: inPerson, query: '?session_type=face_to_face', close: () => page.goBack() },
  ]
  for (const { choice, query, close } of ways) {
    await page.getByRole('button', { name: 'Filter results' }).click()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const asked = page.waitForRequest((request) => request.url().includes(`${list}.data${query}`))
    await page.route(`**${list}.data*`, async (route) => {
      await isReleased
      await route.fallback()
    })
    await choice.check()
    await asked
    await close()
    await expect(dialog).toBeHidden()
    // Opened again meanwhile, the panel has the choice.
    await page.getByRole('button', { name: 'Filter results' }).click()
    await expect(choice).toBeChecked()
    await close()
    await expect(dialog).toBeHidden()
    release()
    await expect(page).toHaveURL(`${list}${query}`)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Filter results' }).click()
    await expect(choice).toBeChecked()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(`${list}${query}`)
  }
})

test('the number beside a value is what choosing it leaves, with and without JavaScript', async ({
  page,
  openContext,
}) => {
  await openList(page)
  const online = page.getByRole('radio', { name: 'Online', exact: true })
  const female = page.getByRole('radio', { name: 'Female', exact: true })
  const offered = await numberBeside(online)
  const women = await numberBeside(female)
  const held = Promise.withResolvers<void>()
  await page.route(/found-therapists\.data/, async (route) => {
    await held.promise
    await route.continue()
  })
  await female.check()
  await expect(page.getByRole('heading', { name: 'Counting…' })).toBeVisible()
  await expect(online).toHaveAccessibleDescription('')
  held.resolve()
  await expect(page.getByRole('heading', { name: `${women} practitioners` })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: `${women} practitioners` })).toHaveCount(1)
  // Values of one filter are alternatives, so their own numbers stay.
  await expect(female).toHaveAccessibleDescription(String(women))
  const both = await numberBeside(online)
  expect(both).toBeLessThan(offered)
  // All options of a list have one, those that the page was not sent with too.
  await page.getByText('Languages', { exact: true }).first().click()
  await expect(page.getByRole('checkbox', { name: 'Italian', exact: true })).toHaveAccessibleDescription(
    /^\d/,
  )

  await page.getByLabel('At most').fill('1')
  await expect(page).toHaveURL(/max_price=1$/)
  await expect(online).toHaveAccessibleDescription('0 · would need any price')
  await expect(page.getByText('0 · would need any price').first()).toBeVisible()
  await online.check()
  await expect(page).toHaveURL(/max_price=1&session_type=online$/)

  await page.setViewportSize({ width: 375, height: 720 })
  await openList(page, '?gender=Female')
  await page.getByRole('button', { name: 'Filter results' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter results' })
  const choice = dialog.getByRole('radio', { name: 'Online', exact: true })
  await expect(choice).toHaveAccessibleDescription(String(both))
  await choice.check()
  await expect(dialog.getByRole('button', { name: `Show ${both} practitioners` })).toBeVisible()

  const plain = await (await openContext({ javaScriptEnabled: false })).newPage()
  await plain.goto(`${list}?gender=Female`)
  await expect(plain.getByRole('radio', { name: 'Online', exact: true })).toHaveAccessibleDescription(
    String(both),
  )
  await plain.goto(`${list}/filters?gender=Female`)
  await expect(plain.getByRole('radio', { name: 'Online', exact: true })).toHaveAccessibleDescription(
    String(both),
  )
})

test('a name is found without its accents and with a typing mistake', async ({ page }) => {
  await openList(page)
  const [name = ''] = await names(page)
  const [first = '', last = ''] = name.toUpperCase().split(' ')
  await page
    .getByRole('searchbox', { name: 'Name' })
    .fill(`${first} ${last.slice(0, -1)}${last.at(-1) === 'X' ? 'Y' : 'X'}`)
  await expect.poll(() => names(page)).toContain(name)
  await expect(page).toHaveURL(/name=/)
})

test('a profile shows all about a practitioner, and more on demand', async ({ page }) => {
  await openList(page, '?session_type=online&sort=rating')
  const link = results(page)
    .getByRole('link', { name: /^See profile of/ })
    .first()
  const name = (await link.textContent())?.replace('See profile of ', '') ?? ''
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()

  const more = page.getByRole('button', { name: 'Show more' }).first()
  await more.click()
  await page.getByRole('button', { name: 'Show less' }).first().click()
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  for (const heading of ['Helps with', 'Sessions and prices', 'Ways of working', 'Licences', 'Reviews']) {
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
  await page.goBack()
  await expect(page).toHaveURL(`${list}?session_type=online&sort=rating`)
  await expect(results(page).getByRole('article').first()).toBeVisible()
})

test('what is opened on a profile before the page is alive stays open once it is, with the focus', async ({
  page,
}) => {
  await openList(page, '?session_type=online&sort=rating')
  const profile = await results(page)
    .getByRole('link', { name: /^See profile of/ })
    .first()
    .getAttribute('href')
  const wake = await keepAsleep(page)
  await page.goto(profile ?? '', { waitUntil: 'commit' })
  const main = page.getByRole('main')
  const reviews = main.locator('section', { has: page.getByRole('heading', { name: 'Reviews' }) })
  const shown = reviews.locator('li:visible')
  await reviews.locator('summary').click()
  await expect(shown).not.toHaveCount(4)
  const opened = await shown.count()
  await main.locator('summary', { hasText: 'Show more' }).press('Enter')
  await expect(main.getByText('Show less').first()).toBeVisible()
  wake()
  await expectAlive(page)
  await expect(page.getByRole('button', { name: 'Show less' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
  await expect(shown).toHaveCount(opened)
  await expect(main.locator('details', { hasText: 'Show' })).toHaveCount(0)
})

test('the session and the format chosen on a profile before it is alive are chosen once it is', async ({
  page,
  openContext,
}) => {
  const area = page.getByRole('region', { name: 'Book a session' })
  const service = area.getByLabel('Session', { exact: true })
  const time = area.getByRole('group', { name: /^Free times on/ }).getByRole('radio')
  const book = area.getByRole('link', { name: 'Book session' })
  const wakeFirst = await keepAsleep(page)
  await page.goto('/recommended-therapist?practitionerId=1', { waitUntil: 'commit' })
  await service.selectOption({ index: 1 })
  const chosen = await service.inputValue()
  wakeFirst()
  await expectAlive(page)
  // Late in a week it may have no free time left.
  await area.getByRole('button', { name: 'Next week' }).click()
  await pick(time.first())
  await expect(service).toHaveValue(chosen)
  await expect(book).toHaveAttribute('href', new RegExp(`[?&]service=${chosen}&`))

  // In a tab of its own, which knows of no choice before.
  const other = await (await openContext()).newPage()
  const wake = await keepAsleep(other)
  await other.goto('/recommended-therapist?practitionerId=1', { waitUntil: 'commit' })
  const formats = other.getByRole('group', { name: 'How you meet' }).getByRole('radio')
  await expect(formats).toHaveCount(2)
  const unchosen = (await formats.first().isChecked()) ? formats.nth(1) : formats.first()
  await pick(unchosen)
  wake()
  // What the page without scripts has as a link is a button by then.
  await expect(other.getByRole('button', { name: 'Next week' })).toBeVisible()
  await expect(unchosen).toBeChecked()
})

test('what is chosen before the page is alive is searched for once it is', async ({ page }) => {
  const wake = await keepAsleep(page)
  await page.goto(`${list}?session_type=online&page=2`, { waitUntil: 'commit' })
  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' })
  await page.getByRole('radio', { name: 'Female', exact: true }).check()
  wake()
  await expect(page).toHaveURL(`${list}?gender=Female&session_type=online&sort=price_asc`)
  await expect(page.getByLabel('Sort by')).toHaveValue('price_asc')
  await expect(page.getByRole('radio', { name: 'Female', exact: true })).toBeChecked()
  const sorted = await prices(page)
  expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
  // A page on which nothing was chosen stays as it was asked for.
  await page.goto(`${list}?session_type=online&page=2`)
  await expect(page.getByPlaceholder('Search this list').first()).toBeAttached()
  await settled(page)
  await expect(page).toHaveURL(`${list}?session_type=online&page=2`)
})

test('what is filled in before the page is alive stays filled in', async ({ page }) => {
  const wake = await keepAsleep(page)
  await page.goto('/find-therapist?session_type=face_to_face', { waitUntil: 'commit' })
  await page.getByRole('checkbox', { name: 'Counsellor' }).check()
  await page.getByText('Anxiety, grief, sleep…').click()
  await page.getByRole('checkbox', { name: 'Anxiety', exact: true }).check()
  await page.getByLabel('Therapist name').fill('Anna')
  wake()
  await expect(page.getByRole('main').locator('summary')).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'Anxiety', exact: true })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Counsellor' })).toBeChecked()
  await expect(page.getByLabel('Therapist name')).toHaveValue('Anna')
  // Closed and left, the list can be searched.
  await page.getByRole('main').locator('summary').click()
  await page.getByLabel('Therapist name').focus()
  await expect(page.getByRole('row', { name: 'Anxiety' })).toBeVisible()
  await page.getByRole('button', { name: 'Find my Therapist' }).click()
  await expect(page).toHaveURL(/\?provider_id=\d+&issue_id=\d+&name=Anna&session_type=face_to_face$/)
})

test('a profile opens at the first week with days ahead in the format of the next free time, one press away', async ({
  page,
  request,
}) => {
  type Next = Record<'online' | 'face_to_face', string | null>
  const found: { practitioner_id: number; next_available: Next }[] = []
  for (const at of [1, 2, 3, 4]) {
    const answer = await request.get('/api/v7/practitioner/get-practitioners', {
      params: { sort: 'soonest', per_page: 50, page: at },
    })
    found.push(...((await answer.json()) as { data: typeof found }).data)
  }
  const there = found.findLast(
    ({ next_available: { online, face_to_face } }) => face_to_face && (!online || face_to_face < online),
  )
  // The practitioner with the latest next time: in a week that is not the present one.
  const late = found.findLast(
    ({ next_available: { online, face_to_face } }) => online && (!face_to_face || online < face_to_face),
  )
  const cases = [
    { who: there, format: 'Face-to-face', at: there?.next_available.face_to_face },
    { who: late, format: 'Online', at: late?.next_available.online },
  ]
  for (const { who, format, at } of cases) {
    if (!who || !at) throw new Error(`Nobody is free ${format} first.`)
    await page.goto(`/recommended-therapist?practitionerId=${who.practitioner_id}`)
    const area = page.getByRole('region', { name: 'Book a session' })
    const days = area.getByRole('group', { name: 'Day', exact: true })
    // At the weekend the days of the present week are over, unless there is a time on what is left of it.
    const now = new Date()
    const daysLeft = (7 - now.getUTCDay()) % 7
    const nextMonday = new Date(now.getTime() + (daysLeft + 1) * 24 * 3600_000).toISOString().slice(0, 10)
    const isOver = daysLeft < 2 && at >= nextMonday
    expect(await weekTurns(area, isOver ? nextMonday : now.toISOString())).toEqual([])
    const isLater = (await weekTurns(area, at)).length > 0
    if (isLater) await area.getByRole('button', { name: /^Next free: / }).click()
    await expect(days.getByRole('radio', { name: new RegExp(`^${dayLabel(at)}\\b`) })).toBeChecked()
    const formats = area.getByRole('group', { name: 'How you meet' })
    if ((await formats.count()) > 0) await expect(formats.getByRole('radio', { name: format })).toBeChecked()
    else await expect(area).toContainText(format)
    const announcement = area.getByText(/^\d[^,]*, (no|\d+) free times?$/)
    await expect(announcement).toHaveCount(isLater ? 1 : 0)
    await area.getByRole('button', { name: 'Next week' }).click()
    await expect(announcement).toHaveCount(1)
  }

  // On a phone the bar leads to the times while they are out of sight, and there is one way on once a time is chosen.
  await page.setViewportSize({ width: 375, height: 640 })
  const day = late?.next_available.online?.slice(0, 10)
  await page.goto(`/recommended-therapist?practitionerId=${late?.practitioner_id}&type=online&day=${day}`)
  const area = page.getByRole('region', { name: 'Book a session' })
  const choose = page.getByRole('link', { name: 'Choose a time' })
  await page.getByRole('heading', { name: 'Licences' }).scrollIntoViewIfNeeded()
  await choose.click()
  await expect(area.getByRole('heading', { name: 'Book a session' })).toBeInViewport()
  await expect(choose).toBeHidden()
  await pick(
    area
      .getByRole('group', { name: /^Free times on/ })
      .getByRole('radio')
      .first(),
  )
  const book = page.getByRole('link', { name: 'Book session' })
  await area.getByRole('link', { name: 'Book session' }).scrollIntoViewIfNeeded()
  await expect(book).toHaveCount(1)
  await page.getByRole('heading', { name: 'Licences' }).scrollIntoViewIfNeeded()
  await expect(book.last()).toBeInViewport()
  await expect(book.first()).not.toBeInViewport()
})

test('going back from a booking finds the format, the session and the day that were chosen', async ({
  page,
  request,
}) => {
  const answer = await request.get('/api/v7/practitioner/get-practitioners', { params: { per_page: 50 } })
  const { data } = (await answer.json()) as { data: { practitioner_id: number; session_types: string[] }[] }
  const both = data.find(({ session_types: formats }) => formats.length > 1)
  await page.goto(`/recommended-therapist?practitionerId=${both?.practitioner_id}`)
  await expectAlive(page)
  const area = page.getByRole('region', { name: 'Book a session' })
  const formats = area.getByRole('group', { name: 'How you meet' }).getByRole('radio')
  const other = formats.nth((await formats.first().isChecked()) ? 1 : 0)
  await pick(other)
  const session = area.getByLabel('Session', { exact: true })
  const hasChoice = (await session.count()) > 0
  if (hasChoice) await session.selectOption({ index: 1 })
  const service = hasChoice ? await session.inputValue() : ''
  await area.getByRole('button', { name: 'Next week' }).click()
  const times = area.getByRole('group', { name: /^Free times on/ })
  const day = area.getByRole('group', { name: 'Day', exact: true }).getByRole('radio', { checked: true })
  await pick(times.getByRole('radio').last())
  const chosen = await day.inputValue()
  await area.getByRole('link', { name: 'Book session' }).click()
  await expect(page).toHaveURL(/\/sign-in\?/)

  await page.goBack()
  await expect(other).toBeChecked()
  if (hasChoice) await expect(session).toHaveValue(service)
  await expect(day).toHaveValue(chosen)
  await expect(times).toBeVisible()
  // The page opened anew begins anew.
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' }).click()
  await page.goto(`/recommended-therapist?practitionerId=${both?.practitioner_id}`)
  await expectAlive(page)
  await expect(other).not.toBeChecked()
})

test('searching, sorting and reading work without JavaScript', async ({ openContext }) => {
  const context = await openContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/find-therapist')
  await page.getByRole('checkbox', { name: 'Counsellor' }).check()
  await page.getByRole('radio', { name: 'Female', exact: true }).check()
  await page.getByRole('button', { name: 'Find my Therapist' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?provider_id=\d+&gender=Female$/)
  expect((await names(page)).length).toBeGreaterThan(0)
  const count = await total(page)

  await page.getByLabel('Sort by').selectOption({ label: 'Lowest price' })
  await page.getByRole('button', { name: 'Sort' }).click()
  await expect(page).toHaveURL(/gender=Female&sort=price_asc$/)
  const sorted = await prices(page)
  expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))

  await page.getByRole('radio', { name: 'Online', exact: true }).check()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page).toHaveURL(/session_type=online/)
  expect(await total(page)).toBeLessThanOrEqual(count)

  await results(page)
    .getByRole('article')
    .filter({ hasNotText: /Full\. / })
    .getByRole('link', { name: /^See profile of/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByText('Show more').first().click()
  await expect(page.getByText('Show less').first()).toBeVisible()
  const area = page.getByRole('region', { name: 'Book a session' })
  await area.getByRole('link', { name: 'Next week' }).click()
  await expect(page).toHaveURL(/[?&]week=\d{4}-\d\d-\d\d/)
  await expect(area).toBeVisible()

  await page.goto('/')
  await page.getByLabel('Say it in a sentence').fill('a woman for anxiety')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?issue_id=1&gender=Female$/)
  const left = page.getByText('Some of your words became no filter.')
  await expect(left).toBeHidden()
  await page.getByLabel('Say it in a sentence').fill('evenings')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?issue_id=1&gender=Female#left-words$/)
  await expect(left).toBeInViewport()
  const alive = await (await openContext()).newPage()
  await alive.goto(page.url())
  await expectAlive(alive)
  await expect(alive.getByText('Some of your words became no filter.')).toBeVisible()
  await alive.getByLabel('Say it in a sentence').fill('online')
  await alive.getByRole('button', { name: 'Find matches' }).click()
  await expect(alive).toHaveURL(/session_type=online$/)
  await expect(alive.getByText('Some of your words became no filter.')).toHaveCount(0)
  await page.getByLabel('Say it in a sentence').fill('I want to end my life')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page.getByRole('link', { name: /^999/ })).toBeVisible()
  await page.getByRole('link', { name: 'See practitioners' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?issue_id=1&gender=Female$/)
})

test('a list that cannot be read anew by itself stays, and a search that fails says so', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/status of 503/)
  await page.clock.install()
  await openList(page)
  const shown = await names(page)
  const refused: string[] = []
  await page.route(`**${list}.data*`, (route) => {
    refused.push(route.request().url())
    return route.fulfill({ status: 503, body: 'The server is starting.' })
  })
  // Its times have passed by then.
  await page.clock.fastForward(4 * 24 * 3_600_000)
  await expect.poll(() => refused.length).toBe(1)
  await page.waitForTimeout(500)
  expect(await names(page)).toEqual(shown)
  await page.clock.fastForward('01:00')
  await expect.poll(() => refused.length).toBe(2)
  await page.waitForTimeout(500)
  expect(await names(page)).toEqual(shown)

  // The list, and the choice in it, are gone as soon as it is clicked.
  await page.getByRole('radio', { name: 'Online', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => refused.length).toBe(4)
  await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(`${list}?session_type=online`)
  expect((await names(page)).length).toBeGreaterThan(0)
})

test('the page of all filters is as it was left on the way back from the results', async ({ page }) => {
  await page.goto(`${list}/filters?issue_id=1`)
  const form = page.locator('main form')
  const online = form.getByRole('radio', { name: 'Online', exact: true })
  await expectAlive(page)
  await online.check()
  await form.getByRole('spinbutton', { name: 'At most' }).fill('120')
  await form.getByRole('button', { name: 'Show results' }).click()
  await expect(page).toHaveURL(`${list}?issue_id=1&max_price=120&session_type=online`)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'All filters' })).toBeVisible()
  await expect(online).toBeChecked()
  await expect(form.getByRole('spinbutton', { name: 'At most' })).toHaveValue('120')
  await page.reload()
  await expect(online).toBeChecked()
  await page.getByRole('link', { name: 'Back to the results' }).click()
  await expect(page).toHaveURL(`${list}?issue_id=1&max_price=120&session_type=online`)
})

test('without JavaScript the filters open on a phone as well', async ({ openContext }) => {
  const context = await openContext({ javaScriptEnabled: false, viewport: { width: 375, height: 720 } })
  const page = await context.newPage()
  await page.goto(list)
  await page.getByRole('link', { name: 'Filter results' }).click()
  await expect(page).toHaveURL(`${list}/filters`)
  await expect(page.getByRole('heading', { level: 1, name: 'All filters' })).toBeVisible()
  await page.getByRole('radio', { name: 'Face-to-face', exact: true }).check()
  await page.getByText('Languages', { exact: true }).first().click()
  await page.getByRole('checkbox', { name: 'Welsh', exact: true }).check()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page).toHaveURL(/\/found-therapists\?language_id=\d+&session_type=face_to_face$/)
  await expect(results(page).getByRole('article').first()).toBeVisible()
})

test('results name London as the place of the days searched by where the reader’s clock differs', async ({
  openContext,
}) => {
  const page = await (await openContext({ timezoneId: 'Pacific/Auckland' })).newPage()
  const from = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const note = results(page).getByText(/^Times are in Auckland time, /)
  await openList(page)
  await expect(note).toHaveText(/Time\.$/)
  await openList(page, `?date_from=${from}&date_to=${from}`)
  await expect(note).toHaveText(/Time\. The days you search by are days in London\.$/)

  const home = await (await openContext({ timezoneId: 'Europe/London' })).newPage()
  await openList(home, `?date_from=${from}&date_to=${from}`)
  await expect(results(home).getByText('days in London')).toHaveCount(0)
})
