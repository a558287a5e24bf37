import { bookByApi, bookPath, ownPractitioner } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { register, signIn } from './people.ts'

test('a client who has paid for a time in one tab is led to the session in another', async ({
  page,
  request,
  allowComplaint,
}, info) => {
  allowComplaint(/status of 409.*create-session/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await signIn(page, account)
  const [time = ''] = offer.times
  await page.goto(bookPath(offer, time))
  const goOn = page.getByRole('button', { name: 'Continue to payment' })
  await expect(goOn).toBeEnabled()
  const { session_id: id } = await bookByApi(request, account, offer, time)
  const main = page.getByRole('main')
  const link = main.getByRole('link', { name: 'See your session' })

  await goOn.click()
  await expect(main.getByRole('alert')).toContainText('You have already booked this session')
  await expect(link).toHaveAttribute('href', `/session?appointment=${id}`)
  await expect(main).not.toContainText('Someone else')

  await page.reload()
  await expect(main.getByText('You have already booked this session')).toBeVisible()
  await expect(main).not.toContainText('Someone else')
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Your session with ${offer.name}`)
})
