import { expect, test } from './fixtures.ts'

test('the reference of the calls is searched, and a call tried, under its own policy', async ({ page }) => {
  await page.goto('/api/docs')
  // Two hundred calls and what they carry, read and drawn by one large script.
  await expect(page.getByRole('heading', { name: /^Hearth/ })).toBeVisible({ timeout: 60_000 })
  const search = page.getByRole('textbox')
  // Calls are drawn as the page is scrolled to them.
  const first = page.getByRole('link', { name: '/admin/hand-over' })
  await expect(first).toBeVisible()
  await expect(async () => {
    await page.mouse.wheel(0, 1000)
    await expect(page.getByRole('link', { name: '/therapist/setup-schedule' })).toBeVisible({ timeout: 500 })
  }).toPass()

  await search.fill('cancel session')
  await expect(page.getByText('cancelAppointmentSession')).toBeVisible()
  await expect(first).toHaveCount(0)

  await search.fill('getIssues')
  const call = page.getByRole('button', { name: /get.*\/issue\/get-issues$/i })
  await call.click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const answered = page.waitForResponse('**/api/v7/issue/get-issues')
  await page.getByRole('button', { name: 'Execute' }).click()
  expect((await answered).status()).toBe(200)
  await expect(page.getByText(/"issue_name": "Anxiety"/)).toBeVisible()

  await search.fill('no such call')
  await expect(call).toHaveCount(0)
})
