import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'

const admin = { email: 'first.admin@example.test', password: 'seven slow herons' }

/** A server of its own without demo data, whose first admin has no second factor yet. */
test.use({
  seed: 'reference',
  environment: async ({ seed: _seed }, use) =>
    use(async () => ({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })),
})

test('the first admin sets up an app before anything else, signs in with it, and with a recovery code once', async ({
  page,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of (401|422)|ERR_FAILED/)
  await page.goto('/admin/audit')
  await logIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'One thing before you start' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Back office' })).toBeHidden()

  const key = /^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/
  const setUp = page.getByRole('button', { name: 'Set up the app' })
  await page.route(/\/assets\/dist-/, (route) => route.abort())
  await setUp.click()
  await expect(page.getByText('The QR code did not load. The key does the same.')).toBeVisible()
  await expect(page.getByText(key)).toBeVisible()
  await page.unroute(/\/assets\/dist-/)
  await page.reload()
  await setUp.click()
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const secret = ((await page.getByText(key).textContent()) ?? '').replaceAll(' ', '')
  const code = page.getByLabel('Code', { exact: true })
  await code.fill(codeOf(secret, 5))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByText(/^This code is not right/)).toBeVisible()
  await code.fill(codeOf(secret, 0))
  await code.press('Enter')
  const heading = page.getByRole('heading', { name: 'Keep your recovery codes' })
  await expect(heading).toBeFocused()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  // They stay while one is away to keep them: to another tab, for longer than what was read counts as new.
  await page.clock.install()
  await page.clock.fastForward(60_000)
  const read = page.waitForResponse('**/admin/profile')
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
  await read
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible()
  await expect(codes).toHaveCount(10)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByRole('checkbox', { name: 'I have kept these codes' })).toBeFocused()
  await page.getByRole('checkbox', { name: 'I have kept these codes' }).check({ force: true })
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Entries' })).toContainText('Set up second factor')

  await logOut(page)
  await page.goto('/admin')
  await logIn(page)
  await expect(code).toBeFocused()
  await code.fill('123456')
  await code.press('Enter')
  await expect(page.getByText(/^This code is not right/)).toBeVisible()
  // That of the next step, since the present one has been used.
  await code.fill(codeOf(secret, 1))
  await code.press('Enter')
  await expect(page.getByRole('heading', { name: 'Nothing is waiting for you' })).toBeVisible()

  await logOut(page)
  await page.goto('/admin')
  await logIn(page)
  await code.fill(recovery.toLowerCase())
  await code.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Vetting' })).toBeVisible()
  await page.getByRole('link', { name: 'Second factor' }).click()
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
  await logOut(page)
  await page.goto('/admin')
  await logIn(page)
  await code.fill(recovery)
  await code.press('Enter')
  await expect(page.getByText(/^This code is not right/)).toBeVisible()
})

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /, account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

function codeOf(secret: string, steps: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 })
}
