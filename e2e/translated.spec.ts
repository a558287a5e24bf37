import { expectAlive, makeAlive } from './alive.ts'
import { keepAsleep } from './asleep.ts'
import { expect, test } from './fixtures.ts'
import { newEmail, password, register, signIn } from './people.ts'
import { translate } from './translator.ts'

test('on a page that the browser translates, numbers change and texts come and go', async ({
  page,
  request,
}) => {
  await page.goto('/found-therapists?session_type=online')
  await makeAlive(page)
  // They come with the page's first work in the browser. What is translated before that is put together anew.
  await expect(page.getByRole('button', { name: /^Save .+ to your shortlist$/ }).first()).toBeVisible()
  await translate(page)
  const total = page.getByText(/^\d+ practitionerso\b/).first()
  const before = await total.textContent()
  await page.getByRole('radio', { name: 'Femaleo', exact: true }).check()
  await expect(page).toHaveURL(/gender=Female/)
  await expect(total).not.toHaveText(before ?? '')
  const answer = await request.get('/api/v7/practitioner/get-practitioners?session_type=online&gender=Female')
  const { meta } = (await answer.json()) as { meta: { total: number } }
  await expect(total).toContainText(`${meta.total} practitionerso`)
  await expect(page.locator('font', { hasText: `${before}` })).toHaveCount(0)
})

test('a text that goes, or before which another one comes, does not take a translated page with it', async ({
  page,
  request,
}) => {
  const account = await register(request)
  const next = newEmail()
  await signIn(page, account)
  await page.goto('/account/email')
  await page.getByLabel('New email').fill(next)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('status').filter({ hasText: `We sent an email to ${next}` })).toBeVisible()
  await page.goto('/account')
  await makeAlive(page)
  await translate(page)
  await page.getByRole('button', { name: 'Sendo theo linko againo' }).first().click()
  await expect(page.getByText('Onlyo theo newesto linko workso.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a page that is translated before it is alive comes alive', async ({ page, allowComplaint }) => {
  // React says that it had to put the page together anew.
  allowComplaint(/Minified React error #418/)
  const wake = await keepAsleep(page)
  await page.goto('/found-therapists?session_type=online', { waitUntil: 'commit' })
  await expect(page.getByText(/^\d+ practitioners\b/).first()).toBeVisible()
  await translate(page)
  wake()
  await expectAlive(page)
  await page.getByRole('radio', { name: /^Female/ }).check()
  await expect(page).toHaveURL(/gender=Female/)
})
