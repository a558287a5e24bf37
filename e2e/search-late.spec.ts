import type { Page, Route } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const list = '/found-therapists'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Filter results' })
const openFilters = (page: Page) => page.getByRole('button', { name: 'Filter results' }).click()

async function openList(page: Page, query = ''): Promise<void> {
  await page.goto(`${list}${query}`)
  await expect(page.getByPlaceholder('Search this list').first()).toBeAttached()
}

/** Holds back the answers of what the pattern names, until the function that it returns is called. */
async function holdBack(page: Page, pattern: RegExp): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    await released.promise
    await route.fallback()
  }
  await page.route(pattern, hold)
  return async () => {
    released.resolve()
    await page.unroute(pattern, hold)
  }
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 720 } })

  test('a filter that is removed just before the panel opens stays removed when it closes', async ({
    page,
  }) => {
    await openList(page, '?issue_id=1&gender=Female')
    const ways = [() => page.keyboard.press('Escape'), () => page.goBack()]
    for (const close of ways) {
      const release = await holdBack(page, /found-therapists\.data/)
      await page.getByRole('link', { name: 'Remove filter: Female' }).click()
      await openFilters(page)
      await release()
      await expect(page).toHaveURL(`${list}?issue_id=1#filters`)
      await expect(dialogOf(page)).toBeVisible()
      await close()
      await expect(dialogOf(page)).toBeHidden()
      await expect(page).toHaveURL(`${list}?issue_id=1`)
      await page.goBack()
      await expect(page).toHaveURL(`${list}?issue_id=1&gender=Female`)
    }
  })

  test('a place that is spelled anew leaves the panel open, unless it is closed by then', async ({
    page,
  }) => {
    await openList(page)
    await openFilters(page)
    const dialog = dialogOf(page)
    const place = dialog.getByRole('searchbox', { name: 'Town or postcode' })
    await place.fill('hackney')
    await dialog.getByLabel('Within').focus()
    await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=Hackney#filters`)
    await expect(dialog).toBeVisible()
    await expect(place).toHaveValue('Hackney')
    const release = await holdBack(page, /found-therapists\.data/)
    await place.fill('leeds')
    await dialog.getByLabel('Within').focus()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await release()
    await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=Leeds`)
    await expect(dialog).toBeHidden()
  })
})

test('a place that is being corrected is not spelled anew under the fingers', async ({ page }) => {
  await openList(page)
  const place = page.getByRole('searchbox', { name: 'Town or postcode' })
  const release = await holdBack(page, /found-therapists\.data/)
  await place.fill('leeds')
  await page.keyboard.press('Enter')
  await place.fill('Yor')
  await release()
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=Leeds`)
  await page.keyboard.type('k')
  await expect(place).toHaveValue('York')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${list}?session_type=face_to_face&near=York`)
})

test('what is typed into a filter leaves those that a sentence sets meanwhile', async ({ page }) => {
  await openList(page)
  const release = await holdBack(page, /search\/parse/)
  await page.getByRole('textbox', { name: 'Say it in a sentence' }).fill('a woman, online')
  await page.keyboard.press('Enter')
  const most = page.getByRole('spinbutton', { name: 'At most' })
  // Without a pause that would be searched in.
  const typed = most.pressSequentially('99999', { delay: 200 })
  await expect(most).not.toHaveValue('')
  await release()
  await typed
  await expect(page).toHaveURL(`${list}?gender=Female&max_price=99999&session_type=online`)
  await expect(most).toHaveValue('99999')
})

test('typing on replaces the entry of its own letters alone', async ({ page }) => {
  await page.goto('/')
  await openList(page)
  const most = page.getByRole('spinbutton', { name: 'At most' })
  await most.fill('120')
  await expect(page).toHaveURL(`${list}?max_price=120`)
  await most.fill('121')
  await expect(page).toHaveURL(`${list}?max_price=121`)
  await page.goBack()
  await expect(page).toHaveURL(list)
  await most.fill('80')
  await expect(page).toHaveURL(`${list}?max_price=80`)
  await page.getByRole('radio', { name: 'Online', exact: true }).check()
  await expect(page).toHaveURL(`${list}?max_price=80&session_type=online`)
  await most.fill('90')
  await expect(page).toHaveURL(`${list}?max_price=90&session_type=online`)
  for (const before of ['?max_price=80&session_type=online', '?max_price=80', '']) {
    await page.goBack()
    await expect(page).toHaveURL(list + before)
  }
})

test('a sentence that is read late does not lead away from another page', async ({ page }) => {
  const releaseProfile = await holdBack(page, /recommended-therapist.*practitionerId/)
  await openList(page)
  const release = await holdBack(page, /search\/parse/)
  const asked = page.waitForRequest(/search\/parse/)
  await page.getByRole('textbox', { name: 'Say it in a sentence' }).fill('a woman')
  await page.keyboard.press('Enter')
  await asked
  const card = page.getByRole('region', { name: 'Results' }).getByRole('article').first()
  await card.locator('a[href^="/recommended-therapist"]').first().click()
  await expect
    .poll(() => page.evaluate<string>('__reactRouterDataRouter.state.navigation.location?.pathname ?? ""'))
    .toBe('/recommended-therapist')
  await release()
  await expect(page.getByRole('button', { name: 'Find matches' })).toBeEnabled()
  await releaseProfile()
  await expect(page).toHaveURL(/\/recommended-therapist\?practitionerId=\d+/)
})

test('the search that is kept is the one that was made: a place that is not known is left out', async ({
  page,
}) => {
  await openList(page, '?name=Xyzzyqqq&session_type=face_to_face&near=Xyzzyville')
  await expect(page.getByRole('link', { name: 'Tell me by email' })).toHaveAttribute(
    'href',
    '/search-wish?name=Xyzzyqqq&session_type=face_to_face',
  )
})
