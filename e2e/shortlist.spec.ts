import type { Page } from '@playwright/test'
import { expectAlive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, signIn } from './people.ts'

/** Three of the demo's practitioners. */
const chosen = [3, 5, 8] as const
const profile = (id: number) => `/recommended-therapist?practitionerId=${id}`
const heart = (page: Page) =>
  page.locator('#main').getByRole('button', { name: /^Save .+ to your shortlist$/ })
const kept = (page: Page) => page.evaluate<string | null>("localStorage.getItem('shortlist')")

async function saveFromProfile(page: Page, id: number): Promise<void> {
  await page.goto(profile(id))
  await heart(page).click()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
}

test('a visitor saves people, compares them, shares one and clears the list', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const id of chosen) await saveFromProfile(page, id)

  await test.step('a profile names similar practitioners, and its link is copied', async () => {
    const similar = page.getByRole('region', { name: 'Similar practitioners' })
    await expect(similar.getByRole('listitem')).toHaveCount(3)
    await page.getByRole('button', { name: /^Share/ }).click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Link copied.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${baseURL}${profile(chosen[2])}`)
  })

  await test.step('where the device has a way to share, the link goes there alone', async () => {
    await page.evaluate(`navigator.clipboard.writeText('other')
      globalThis.shared = []
      navigator.share = async (link) => {
        shared.push(link.url)
        if (shared.length > 1) throw new DOMException('Closed', 'AbortError')
      }`)
    for (const times of [1, 2]) {
      await page.getByRole('button', { name: /^Share/ }).click()
      await expect
        .poll(() => page.evaluate('shared'))
        .toEqual(Array(times).fill(`${baseURL}${profile(chosen[2])}`))
    }
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('other')
  })

  await test.step('the list keeps them in this browser, and three stand side by side', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Your shortlist, 3 saved' }).click()
    await expect(page).toHaveURL('/shortlist')
    const people = page.getByRole('article')
    await expect(people).toHaveCount(3)
    await page.reload()
    await expect(people).toHaveCount(3)
    await page.getByRole('button', { name: 'Compare side by side' }).click()
    await expect(page.getByText('Choose two or three people.')).toBeVisible()
    for (let which = 0; which < 3; which++) await page.getByRole('checkbox').nth(which).check()
    await page.getByRole('button', { name: 'Compare side by side' }).click()
    await expect(page).toHaveURL('/shortlist/compare')
    await expect(page.getByRole('columnheader')).toHaveCount(3)
    await expect(page.getByRole('rowheader', { name: 'Next free time' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('columnheader')).toHaveCount(3)
  })

  await test.step('on both ways back the three are still chosen, and one can be changed', async () => {
    const boxes = page.getByRole('checkbox', { name: /^Compare/ })
    await page.goBack()
    for (let which = 0; which < 3; which++) await expect(boxes.nth(which)).toBeChecked()
    await boxes.nth(1).uncheck()
    await page.getByRole('button', { name: 'Compare side by side' }).click()
    await expect(page.getByRole('columnheader')).toHaveCount(2)
    await page.getByRole('link', { name: 'Back to your shortlist' }).click()
    await expect(page.getByText('2 chosen.')).toBeVisible()
    await expect(boxes.nth(0)).toBeChecked()
    await expect(boxes.nth(1)).not.toBeChecked()
    await expect(boxes.nth(2)).toBeChecked()
  })

  await test.step('one is taken off by the heart, the rest by clearing the list', async () => {
    await heart(page).first().click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await page.getByRole('button', { name: 'Clear shortlist' }).click()
    // A message is read out above a dialog too, which hides the rest of the page.
    const hidden = ':is([inert], [inert] *, [aria-hidden=true], [aria-hidden=true] *)'
    await expect(page.locator(`main${hidden}`)).toHaveCount(1)
    await expect(page.locator(`section[aria-label="Messages"]:not(${hidden})`)).toHaveCount(1)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear shortlist' }).click()
    await expect(page.getByRole('heading', { name: 'Your shortlist is empty' })).toBeVisible()
    expect(await kept(page)).toBeNull()
  })

  await test.step('the list is full at twenty', async () => {
    await page.evaluate(`localStorage.setItem('shortlist',
      JSON.stringify(Array.from({ length: 20 }, (_, at) => ({ id: at + 20, at: Date.now() }))))`)
    await page.goto(profile(chosen[0]))
    await heart(page).click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText(
      'Your shortlist holds up to 20 people. Take some off before you add more.',
    )
    await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
    await expect(
      page.getByRole('banner').getByRole('link', { name: 'Your shortlist, 20 saved' }),
    ).toBeVisible()
  })
})

test('a client who signs in is asked about the list, and it leaves the browser with them', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED/)
  const account = await register(request)
  const onAccount = async () =>
    (await callAs<{ practitioner_ids: number[] }>(request, account, 'GET', '/client/shortlist'))
      .practitioner_ids
  await saveFromProfile(page, chosen[0])
  await signIn(page, account)
  await page.reload()
  const question = page.getByRole('region', { name: 'Your shortlist' })
  await expect(question).toContainText('You saved one person before you logged in')
  await page.goto('/chats')
  await expect(page.getByRole('heading', { level: 1, name: 'Chats' })).toBeVisible()
  await expectAlive(page)
  await page.waitForLoadState('networkidle')
  await expect(question).toHaveCount(0)
  await page.goto(profile(chosen[0]))
  await expect(question).toBeVisible()
  expect(await onAccount()).toEqual([])
  await question.getByRole('button', { name: 'Add to my account' }).click()
  await expect(question).toHaveCount(0)
  await expect.poll(onAccount).toEqual([chosen[0]])
  await expect.poll(() => kept(page)).toBeNull()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')

  await saveFromProfile(page, chosen[1])
  await expect.poll(onAccount).toEqual([chosen[1], chosen[0]])
  const read = Promise.withResolvers<void>()
  await page.route('**/client/shortlist', async (route) => {
    await read.promise
    await route.fulfill({ json: { practitioner_ids: [chosen[1], chosen[0], 999_999] } })
  })
  await page.goto('/shortlist')
  await expect(page.getByText('Saved on your account. Only you can see it.')).toBeVisible()
  // What has not been read cannot be cleared.
  const clear = page.getByRole('button', { name: 'Clear shortlist' })
  await expect(clear).toHaveCount(0)
  read.resolve()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(clear).toBeVisible()
  await expect(page.getByText('One person on your list is not taking clients here')).toBeVisible()
  await page.route('**/client/shortlist/remove', (route) => route.abort())
  await page.getByRole('button', { name: 'Take off' }).click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('check your connection')
  await page.unrouteAll()

  await page.evaluate(`localStorage.setItem('shortlist', JSON.stringify([{ id: 7, at: Date.now() - 1000 }]))`)
  await page.getByRole('button', { name: /, account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in', exact: true })).toBeVisible()
  expect(await kept(page)).toBeNull()
  await page.goto('/shortlist')
  await expect(page.getByRole('heading', { name: 'Your shortlist is empty' })).toBeVisible()
})

test('a comparison counts the people who take no clients any more, and leads on when none is left', async ({
  page,
}) => {
  for (const id of chosen) await saveFromProfile(page, id)
  await page.goto('/shortlist')
  for (let which = 0; which < 3; which++) await page.getByRole('checkbox').nth(which).check()
  let listed = 2
  await page.route('**/practitioner/compare', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: unknown[] }
    await route.fulfill({ response, json: { data: data.slice(0, listed) } })
  })
  await page.getByRole('button', { name: 'Compare side by side' }).click()
  await expect(page.getByRole('columnheader')).toHaveCount(2)
  await expect(page.getByText('One person you chose is not taking clients here at the moment.')).toBeVisible()
  listed = 0
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'They are not taking clients here at the moment' }),
  ).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to your shortlist' }).click()
  await expect(page).toHaveURL('/shortlist')
})

test('every next free time names its zone to a reader whose clock shows another time', async ({
  openContext,
}) => {
  const page = await (await openContext({ timezoneId: 'America/New_York' })).newPage()
  const note = page.getByText(/^Times are in New York time, /)
  for (const id of [chosen[0], chosen[1]]) {
    await saveFromProfile(page, id)
    await expect(page.locator('header').filter({ hasText: 'Next free' }).filter({ has: note })).toBeVisible()
  }
  await page.goto('/shortlist')
  for (const which of [0, 1]) await page.getByRole('checkbox').nth(which).check()
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Compare side by side' }).click()
  await expect(page).toHaveURL('/shortlist/compare')
  await expect(note).toBeVisible()

  const home = await (await openContext()).newPage()
  await home.goto(profile(chosen[0]))
  await expect(heart(home)).toBeVisible()
  await expect(home.getByText(/^Times are in/)).toHaveCount(0)
})

test('the choice of light or dark is kept without an account, and no page is shown in the other first', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/privacy-policy')
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await paper()
  await page.getByRole('group', { name: 'Colours' }).getByText('Dark', { exact: true }).click()
  await expect.poll(paper).not.toBe(light)
  const dark = await paper()
  // Read as soon as there is a body, before anything is painted.
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body) return
    observer.disconnect()
    globalThis.firstTheme = document.documentElement.dataset.theme
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto('/')
  expect(await page.evaluate('globalThis.firstTheme')).toBe('dark')
  expect(await paper()).toBe(dark)
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await page.getByRole('group', { name: 'Colours' }).getByText('As my device').click()
  await expect.poll(paper).toBe(light)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'As my device' })).toBeChecked()
})
