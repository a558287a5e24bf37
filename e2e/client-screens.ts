import type { APIRequestContext, Page } from '@playwright/test'
import { bookPath, expectHeld, type Offer, upcoming } from './booking.ts'
import { chatter, kept, openDialog, send } from './chats.ts'
import { expect } from './fixtures.ts'
import { type Account, password } from './people.ts'

/** Logs in on the screen that asks for it. */
export async function logIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Log in' }).click()
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

/** A client with a saved card logs in on the way to a session, pays for it, and writes to its practitioner. */
export async function bookPayAndWrite(
  page: Page,
  request: APIRequestContext,
  { offer, account }: { offer: Offer; account: Account },
): Promise<void> {
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await logIn(page, account.email)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByText('Your session is booked')).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])

  const me = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, me, offer.id)
  await page.getByRole('link', { name: `Message ${offer.name}` }).click()
  await send(page, 'A lantern in the fog.')
  await expect
    .poll(async () => (await kept(request, me, dialogId)).map(({ message }) => message))
    .toEqual(['A lantern in the fog.'])
}
