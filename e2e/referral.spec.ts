import type { APIRequestContext } from '@playwright/test'
import {
  bookByApi,
  bookPath,
  dayLabel,
  fillCard,
  ownPractitioner,
  pounds,
  timeWords,
  twoDays,
  upcoming,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { type Account, callAs, newEmail, password, register, signIn } from './people.ts'

async function codeOf(request: APIRequestContext, account: Account): Promise<string> {
  const profile = await callAs<{ referral_code: string }>(request, account, 'GET', '/client/profile')
  return profile.referral_code
}

/** As the product rounds a fifth off a fee. */
const reduced = (fee: number) => (Math.round(fee * 100) - Math.round(fee * 20)) / 100

test('a friend’s code, entered after signing up, takes 20% off the first session', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const friend = await register(request, 'Sam Friend')
  const [time] = twoDays(offer)
  const fee = offer.service.fee

  // A visitor's choice stays in view, and they are named, until it is reviewed.
  await page.goto(bookPath(offer, time))
  const choice = page.getByRole('region', { name: 'Your choice' })
  const chosen = ['Your session with', offer.name, dayLabel(time), timeWords(time), pounds(fee)]
  await expect(page).toHaveURL(/\/sign-in\?return_to=/)
  for (const words of chosen) await expect(choice).toContainText(words)
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/sign-up\?return_to=/)
  for (const words of chosen) await expect(choice).toContainText(words)
  await page.getByLabel('Name', { exact: true }).fill('Robin Vale')
  await page.getByLabel('Email').fill(newEmail())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: 'I am 18 or over' }).check()
  await page.getByRole('checkbox', { name: /^I accept/ }).check()
  await page.getByRole('checkbox', { name: /^I agree that Hearth uses/ }).check()
  await page.getByRole('button', { name: 'Create an account' }).click()

  await expect(page).toHaveURL(bookPath(offer, time))
  await page.getByText('Have a code?').click()
  await page.getByLabel('Referral code').fill(` ${(await codeOf(request, friend)).toLowerCase()} `)
  await page.getByRole('button', { name: 'Confirm referral code' }).click()
  await expect(page.getByText('20% is taken off this session.')).toBeVisible()
  await expect(page.getByText('Have a code?')).toBeHidden()

  await expect(page.getByText('Referral discount, first session')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(pounds(fee))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Referral discount, first session')).toBeVisible()
  // A card of this test alone: one that had the discount before would not get it.
  await fillCard(page, '5555 5555 5555 4444')
  await page.getByRole('button', { name: `Save card and pay ${pounds(reduced(fee))}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(pounds(reduced(fee)))

  // Once it has been used, the page says so and asks for no other.
  await page.goto('/send-referal')
  await expect(page.getByText('A code is for a first session')).toBeVisible()
  await expect(page.getByText(`You entered the code ${await codeOf(request, friend)} for it.`)).toBeVisible()
  await expect(page.getByLabel('Referral code')).toBeHidden()
})

test('a card that has had the discount pays the full price, after saying so and charging nothing', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 422.*existing-card-payment/)
  const offer = await ownPractitioner(request, info)
  const [first, second] = twoDays(offer)
  const friend = await register(request, 'Sam Friend')
  const code = { referral_code: await codeOf(request, friend) }
  const card = '3782 822463 10005'
  const [one, two] = [await register(request), await register(request)]
  for (const account of [one, two])
    await callAs(request, account, 'POST', '/client/check-referral-code', code)
  await bookByApi(
    request,
    one,
    { ...offer, service: { ...offer.service, fee: reduced(offer.service.fee) } },
    first,
    card,
  )
  await signIn(page, two)
  await page.goto('/send-referal')
  await expect(page.getByText(`We have saved the code ${code.referral_code}`)).toBeVisible()
  await expect(page.getByLabel('Referral code')).toBeHidden()

  await page.goto(bookPath(offer, second))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await fillCard(page, card)
  await page.getByRole('button', { name: `Save card and pay ${pounds(reduced(offer.service.fee))}` }).click()
  await expect(page.getByRole('alert')).toContainText('Nothing was charged')
  expect(await upcoming(request, two)).toEqual([])
  await page.getByRole('button', { name: new RegExp(`Pay ${pounds(offer.service.fee)}|Try again`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, two)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

test('an unknown referral code and one’s own get different messages, stay in the field and can be skipped', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422.*check-referral-code/)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/send-referal?return_to=%2Fmy-sessions')
  const field = page.getByLabel('Referral code')
  const confirm = page.getByRole('button', { name: 'Confirm referral code' })

  await confirm.click()
  await expect(page.getByText('Enter the code, or skip this.')).toBeVisible()
  await field.fill('NOSUCH99')
  await confirm.click()
  await expect(page.getByText('We do not know this code. Please check it.')).toBeVisible()
  await expect(field).toHaveValue('NOSUCH99')
  await expect(field).toBeFocused()

  await field.fill(await codeOf(request, account))
  await confirm.click()
  await expect(page.getByText('This is your own code. It only works for someone else.')).toBeVisible()

  await page.getByRole('button', { name: 'Skip' }).click()
  await expect(page).toHaveURL('/my-sessions')
})
