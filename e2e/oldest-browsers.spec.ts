import type { Locator } from '@playwright/test'
import { signInAsAdmin } from './admin.ts'
import { makeAlive } from './alive.ts'
import { ownPractitioner, profilePath } from './booking.ts'
import { bookPayAndWrite, logOut } from './client-screens.ts'
import { expect, test } from './fixtures.ts'
import { withoutNewerBuiltIns } from './oldest-browsers.ts'
import { register, saveCard } from './people.ts'

test.beforeEach(async ({ page }) => {
  await page.addInitScript(withoutNewerBuiltIns())
})

test('a client finds a practitioner, books, pays and writes in the oldest browsers that are supported', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await page.goto('/')
  expect(await page.evaluate(`'requestIdleCallback' in window`)).toBe(false)
  await page.getByRole('textbox', { name: 'Say it in a sentence' }).fill('a woman for panic attacks')
  await page.getByRole('button', { name: 'Find matches' }).click()
  await expect(page).toHaveURL(/\/found-therapists/)
  await page.getByRole('searchbox', { name: 'Name' }).fill(offer.name)
  await expect(page).toHaveURL(/[?&]name=/)
  for (const path of [profilePath(offer), '/shortlist', '/get-help']) {
    await page.goto(path)
    await makeAlive(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

  await bookPayAndWrite(page, request, { offer, account })
  for (const name of ['My Sessions', 'Account']) {
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  await logOut(page)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('a practitioner and an admin open their screens in the oldest browsers that are supported', async ({
  page,
}) => {
  await page.goto('/therapist/sign-in')
  await page.getByLabel('Email').fill('therapist@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('demo-password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/therapist/dashboard')
  await openEach(page.getByRole('navigation', { name: 'Your practice' }))
  await logOut(page)
  await expect(page).toHaveURL('/')

  await page.goto('/admin/sign-in')
  await signInAsAdmin(page)
  await expect(page).toHaveURL('/admin')
  await openEach(page.getByRole('navigation', { name: 'Back office' }))
})

async function openEach(navigation: Locator): Promise<void> {
  const page = navigation.page()
  await expect(navigation.getByRole('link').nth(3)).toBeVisible()
  const links = await navigation.getByRole('link').all()
  for (const path of await Promise.all(links.map((link) => link.getAttribute('href')))) {
    await page.goto(path ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
}
