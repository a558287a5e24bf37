import { bookPath, expectHeld, ownPractitioner, pounds, upcoming } from './booking.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { register, saveCard, signIn } from './people.ts'

test('a server that dies in the middle of a booking loses nothing: the time stays held, and paying goes on', async ({
  server,
  page,
  request,
  allowComplaint,
}, info) => {
  test.setTimeout(240_000)
  allowComplaint(/ERR_(CONNECTION_(REFUSED|RESET)|SOCKET_NOT_CONNECTED)|Failed to fetch/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  const pay = page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` })
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()

  await server.kill()
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  await expect(page.getByRole('alert')).toContainText('nothing is charged or booked twice')
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
  await expectHeld(page)

  await server.start()
  expect(await upcoming(request, account)).toEqual([])
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})
