import { walking } from './axe.ts'
import { bookByApi, offerOfPractitioner, weekBefore } from './booking.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { moveSessions } from './past.ts'
import { register, saveCard, signIn, signInAgain } from './people.ts'
import { ownSeries } from './series.ts'
import { demoTherapist } from './therapists.ts'

test.use(walking)

test('a client who stops the check of their bank while they keep an hour is led to the payment of its first session', async ({
  page,
  request,
  server,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/status of 402/)
  const offer = await offerOfPractitioner(request, (await demoTherapist(request)).id)
  const [soon = ''] = offer.times
  const client = await register(request, 'Wren Abara')
  const { session_id } = await bookByApi(request, client, offer, soon)
  await server.passTo(Date.parse(soon) - 30 * 3_600_000)
  const back = await signInAgain(request, client)
  // It took place a week ago, so that the first date is paid on agreement.
  await moveSessions(server, { [session_id]: weekBefore(soon) })
  await saveCard(request, back, '4000002500003155')
  await signIn(page, back)
  await page.goto(`/series?appointment=${session_id}`)
  await page.getByRole('radio', { name: /3155/ }).check({ force: true })
  await page.getByRole('button', { name: 'Agree' }).click()
  const bank = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  await bank.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Pay for \w+day / })).toBeVisible()
  const first = async () => (await ownSeries(request, back))[0]
  expect(await first()).toMatchObject({
    state: 'active',
    dates: [{ session_status: 'reserved' }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
  })

  // The page is left while the bank asks about the payment, and goes on with it.
  await page.getByRole('radio', { name: /3155/ }).check({ force: true })
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await expect(bank).toBeVisible()
  await page.reload()
  await expect(page.getByText('Did you approve the payment with your bank?')).toBeInViewport()
  expect(await first()).toMatchObject({
    dates: [{ session_status: 'reserved' }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
  })
  await page.getByRole('button', { name: 'Finish paying' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Pay for / })).toBeHidden()
  expect(await first()).toMatchObject({
    dates: [{ session_status: 'confirmed' }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
  })
})
