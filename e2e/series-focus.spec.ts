import type { Page } from '@playwright/test'
import { walking } from './axe.ts'
import { offerOfPractitioner } from './booking.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { register, signIn } from './people.ts'
import { keepHour } from './series.ts'
import { demoTherapist } from './therapists.ts'

test.use(walking)

/** The date whose row has the focus. */
const focused = (page: Page) => page.locator('li:focus')

test('the focus stays at a date of a series that is skipped and taken up again', async ({
  page,
  request,
  server: _server,
}) => {
  test.setTimeout(240_000)
  const offer = await offerOfPractitioner(request, (await demoTherapist(request)).id)
  const client = await register(request, 'Wren Abara')
  await keepHour(request, client, offer, offer.times.at(-3) ?? '')
  await signIn(page, client)
  await page.goto('/my-sessions')
  const row = page.getByRole('list', { name: 'Next dates' }).getByRole('listitem').first()
  await row.getByRole('button', { name: /^Skip / }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Skip it' })
    .click()
  await expect(page.getByText(/is skipped\. Nothing is charged for it\.$/)).toBeVisible()
  await expect(focused(page)).toContainText('Take it up again')
  await row.getByRole('button', { name: /^Take it up again/ }).click()
  await expect(page.getByText(/is yours again\.$/)).toBeVisible()
  await expect(focused(page)).toContainText('Skip')
})
