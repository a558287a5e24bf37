import { bookPath, expectHeld, fillCard, ownPractitioner, pounds, startPaying, upcoming } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { keyboardOf } from './keyboard.ts'
import { callAs, register, saveCard, signIn } from './people.ts'

const declined = '4000 0000 0000 0002'
const asksTheBank = '4000 0025 0000 3155'

test('a declined card leaves the time held, and another card pays', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*existing-card-payment/)
  const { offer, account } = await startPaying(page, request, info)
  const pay = page.getByRole('button', { name: `Save card and pay ${pounds(offer.service.fee)}` })
  await pay.click()
  const toMend = page.getByText(/fields need another look/)
  await expect(toMend).toBeAttached()
  await fillCard(page, declined)
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('This card did not work')
  await expect(toMend).toHaveCount(0)
  await keyboardOf(page).expectKept()
  await expectHeld(page)
  expect(await upcoming(request, account)).toEqual([])

  // What was typed stays, but the code; the card is not among the saved ones.
  await expect(page.getByLabel('Card number')).toHaveValue(declined)
  await expect(page.getByLabel('Expiry date')).not.toHaveValue('')
  await expect(page.getByLabel('Security code')).toHaveValue('')
  await expect(page.getByRole('radio', { name: /^Remember the card/ })).toBeChecked()
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toEqual([])

  await fillCard(page)
  await pay.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
})

test('a card can pay once without being saved; without one of the two choices nothing is sent', async ({
  page,
  request,
}, info) => {
  const { offer, account } = await startPaying(page, request, info)
  const price = pounds(offer.service.fee)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByRole('button', { name: `Save card and pay ${price}` }).click()
  await expect(page.getByText('Choose what happens to the card.')).toBeVisible()
  expect(await upcoming(request, account)).toEqual([])
  await fillCard(page)
  await page.getByRole('radio', { name: /^Only for this session/ }).check()
  await page.getByRole('button', { name: `Pay ${price}`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toEqual([])
})

test('a saved card that is declined is replaced by another saved one', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*existing-card-payment/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await saveCard(request, account, declined)
  await signIn(page, account)

  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('radio', { name: /0002/ }).check()
  const pay = page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` })
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('This card did not work')
  await expectHeld(page)

  // It has never paid, so it is not kept; the other one is the next to pay.
  await expect(page.getByRole('radio', { name: /0002/ })).toBeHidden()
  await keyboardOf(page).expectKept()
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  await expect(page.getByText('Your session is booked')).toBeVisible()
})

test('a card that was removed elsewhere leaves the choice once it is refused, and the last one leads to a new card', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 404.*existing-card-payment/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const first = await saveCard(request, account)
  const second = await saveCard(request, account, '5555555555554444')
  const remove = (card: { customer_id: string }) =>
    callAs(request, account, 'DELETE', `/payment/sandbox/cards/${card.customer_id}`)
  await signIn(page, account)

  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('radio', { name: /4444/ })).toBeChecked()
  await remove(second)
  const pay = page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` })
  await pay.press('Enter')
  await expect(page.getByRole('alert')).toContainText('This card does not exist')
  await expect(page.getByRole('radio', { name: /4444/ })).toBeHidden()
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
  await keyboardOf(page).expectKept()

  await remove(first)
  await pay.press('Enter')
  await expect(pay).toBeHidden()
  const add = page.getByRole('link', { name: /^Add a card and pay/ })
  await expect(add).toBeVisible()
  await keyboardOf(page).expectKept()
  await expectHeld(page)
})

test('a card whose bank asks first pays once that is confirmed', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*existing-card-payment/)
  const { account } = await startPaying(page, request, info)
  await fillCard(page, asksTheBank)
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  const question = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  await expect(question).toBeVisible()
  // Behind it the form keeps what was typed.
  await expect(page.getByLabel('Card number')).toHaveValue(asksTheBank)
  await expect(page.getByLabel('Security code')).not.toHaveValue('')
  expect(await upcoming(request, account)).toEqual([])
  await question.getByRole('button', { name: 'Confirm' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
})

test("stopping the bank's check charges nothing, keeps the time, and another card pays", async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*existing-card-payment/)
  const { account } = await startPaying(page, request, info)
  await fillCard(page, asksTheBank)
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  const question = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('nothing was charged')
  await expectHeld(page)
  expect(await upcoming(request, account)).toEqual([])

  await fillCard(page)
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
})

test('a page that was left while the bank asked goes on with that payment, once', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 402.*existing-card-payment/)
  const { account } = await startPaying(page, request, info)
  const question = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  const asked = page.getByText('Did you approve the payment with your bank?')
  const goOn = page.getByRole('button', { name: 'Finish booking' })
  await fillCard(page, asksTheBank)
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(question).toBeVisible()
  await page.reload()
  await expect(asked).toBeInViewport()
  await page.getByRole('link', { name: 'Back to the booking and your saved cards' }).click()
  await expect(page.getByRole('radio', { name: /3155/ })).toBeVisible()
  await expect(asked).toBeVisible()

  // Stopped here, there is nothing to go on with.
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('nothing was charged')
  await page.reload()
  await expect(page.getByRole('radio', { name: /3155/ })).toBeVisible()
  await expect(asked).toBeHidden()

  await page.getByRole('button', { name: /^Pay £/ }).click()
  await expect(question).toBeVisible()
  await page.reload()
  expect(await upcoming(request, account)).toEqual([])
  await goOn.click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Sessions' })).toBeVisible()
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed' }])
})

test('a card that cannot be right is refused under its fields before anything is sent', async ({
  page,
  request,
}, info) => {
  await startPaying(page, request, info)
  await fillCard(page, '4242 4242 4242 4241')
  const number = page.getByLabel('Card number')
  await page.getByLabel('Expiry date').fill('01 / 20')
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toBeFocused()
  await expect(page.getByLabel('Expiry date')).toHaveAttribute('aria-invalid', 'true')

  // Typed in one go, it is put into shape.
  await number.fill('')
  await number.pressSequentially('4242424242424242')
  await expect(number).toHaveValue('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('')
  await page.getByLabel('Expiry date').pressSequentially('1234')
  await expect(page.getByLabel('Expiry date')).toHaveValue('12 / 34')
  await page.getByRole('button', { name: /^Save card and pay/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
})
