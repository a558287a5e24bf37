import type { Page } from '@playwright/test'
import { expectAlive } from './alive.ts'
import { expect, test } from './fixtures.ts'
import { register, signIn } from './people.ts'

test.use({ chromiumKind: 'whole', chromiumWithout: ['--disable-back-forward-cache'] })

test.beforeEach(({ page }) =>
  page.addInitScript(`addEventListener('pageshow', ({ persisted }) => {
    const { hidden } = document.documentElement
    if (persisted) sessionStorage.cameBack = location.pathname + (hidden ? ' hidden' : '')
  })`),
)

async function goBack(page: Page): Promise<void> {
  await page.evaluate(`sessionStorage.removeItem('cameBack')`)
  await page.goBack({ waitUntil: 'commit' })
}

/** The path of the document that the browser had kept as it was left, and whether it came hidden. */
const cameBack = (page: Page) => page.evaluate(`sessionStorage.cameBack`)

test('going back after signing out shows nothing of the account', async ({ page, request }) => {
  await signIn(page, await register(request, 'Robin Vale'))
  await page.goto('/account/name')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Robin Vale')
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await goBack(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveCount(0)
  expect(await cameBack(page)).toBe('/account/name hidden')
})

test('a page that a visitor has left names the account once they have signed in and come back to it', async ({
  page,
  request,
}) => {
  const account = await register(request, 'Robin Vale')
  for (const path of ['/found-therapists', '/frequently-asked-questions']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    if (path === '/found-therapists') await expectAlive(page)
    await page.goto('/terms-and-conditions')
    await signIn(page, account)
    await goBack(page)
    await expect(page.getByRole('button', { name: /^Robin.*account$/ })).toBeVisible()
    expect(await cameBack(page)).toContain(path)
    await page.evaluate('sessionStorage.clear()')
  }
})
