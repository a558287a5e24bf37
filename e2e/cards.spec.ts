import { fillCard, ownPractitioner } from './booking.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, saveCard, signIn } from './people.ts'
import { keepHour, ownSeries } from './series.ts'

test('a card is added by the rules of its fields, listed, and removed after a question', async ({
  page,
  request,
}) => {
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/account/cards')
  await expect(page.getByRole('heading', { name: 'No card is saved' })).toBeVisible()
  await page.getByRole('link', { name: 'Add a card' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()

  const number = page.getByLabel('Card number')
  await number.pressSequentially('4242x4242 42424242')
  await expect(number).toHaveValue('4242 4242 4242 4242')
  await number.pressSequentially('9')
  await expect(number).toHaveValue('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').pressSequentially('1234')
  await expect(page.getByLabel('Expiry date')).toHaveValue('12 / 34')
  const code = page.getByLabel('Security code')
  await code.pressSequentially('12345')
  await expect(code).toHaveValue('123')
  await expect(code).toHaveAttribute('type', 'password')

  const add = page.getByRole('button', { name: 'Add card' })
  await add.click()
  const remember = page.getByRole('checkbox', { name: 'Remember the card for the next sessions' })
  await expect(remember).toBeFocused()
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toEqual([])
  await remember.check()
  await add.click()
  await expect(page).toHaveURL('/account/cards')
  const card = page.getByRole('listitem').filter({ hasText: 'Visa ending in 4242' })
  await expect(card).toContainText('Expires 12 / 34')

  await card.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove this card?' })
  await question.getByRole('button', { name: 'Keep card' }).click()
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  await question.getByRole('button', { name: 'Remove card' }).click()
  await expect(page.getByRole('heading', { name: 'No card is saved' })).toBeVisible()
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toEqual([])
})

test('a card that is refused is not saved, and what was typed stays', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422.*add-new-card/)
  const account = await register(request)
  await signIn(page, account)
  await page.goto('/add-card')
  await fillCard(page, '4111 1111 1111 1111')
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111')
  expect(await callAs(request, account, 'GET', '/payment/sandbox/get-client-cards')).toEqual([])
})

test('cards that do not load, and one that cannot be removed just now, can be tried again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 503/)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  const cards = '**/api/v7/payment/sandbox/**'
  await page.route(cards, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'We are very busy at the moment.' } }),
  )
  await page.goto('/account/cards')
  await expect(page.getByRole('heading', { name: 'Your saved cards did not load' })).toBeVisible({
    timeout: 20_000,
  })
  await page.unroute(cards)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Visa ending in 4242')).toBeVisible()

  await page.route(cards, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'We are very busy at the moment.' } }),
  )
  await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Remove card' }).click()
  await expect(question.getByRole('alert')).toContainText('Your card was not removed')
  await page.unroute(cards)
  await question.getByRole('button', { name: 'Remove card' }).click()
  await expect(page.getByRole('heading', { name: 'No card is saved' })).toBeVisible()
})

test('the question about a card does not move under a press, and is asked without what is not known in time', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/Failed to load resource/)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto('/account/cards')
  const question = page.getByRole('alertdialog', { name: 'Remove this card?' })
  const confirm = question.getByRole('button', { name: 'Remove card' })
  const asked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  await page.route('**/client/series*', async (route) => {
    asked.resolve()
    await mayAnswer.promise
    await route.continue()
  })
  const answer = page.waitForResponse(/\/client\/series/)
  await page.getByRole('button', { name: /^Remove / }).click()
  await asked.promise
  const before = (await confirm.isVisible()) ? await confirm.boundingBox() : undefined
  mayAnswer.resolve()
  await (await answer).finished()
  await expect(confirm).toBeVisible()
  await expect(question).not.toContainText('regular session')
  if (before) expect(await confirm.boundingBox()).toEqual(before)
  await question.getByRole('button', { name: 'Keep card' }).click()

  await page.unroute('**/client/series*')
  await page.route('**/client/series*', () => undefined)
  const remove = page.getByRole('button', { name: /^Remove / })
  await remove.click()
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await expect(question).toContainText('If it pays for a regular session, choose another card')
  await question.getByRole('button', { name: 'Keep card' }).click()
  await expect(remove).toBeFocused()
})

test('removing a card names the regular sessions that it pays, and what follows', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const { rhythm } = await keepHour(request, account, offer, offer.times[0] ?? '')
  await saveCard(request, account, '5555 5555 5555 4444')
  await signIn(page, account)
  const asked: string[] = []
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname))
  await page.goto('/account/cards')
  const question = page.getByRole('alertdialog', { name: 'Remove this card?' })
  const remove = page.getByRole('button', { name: /^Remove / })
  await expect(remove.first()).toBeVisible()
  expect(asked.filter((path) => path.endsWith('/client/series'))).toEqual([])

  await page.getByRole('button', { name: /^Remove Mastercard/ }).click()
  await expect.poll(() => asked.filter((path) => path.endsWith('/client/series')).length).toBe(1)
  await expect(question).not.toContainText('regular session')
  await question.getByRole('button', { name: 'Keep card' }).click()

  await page
    .getByRole('button', { name: /^Remove Visa/ })
    .first()
    .click()
  await expect(question).toContainText('It pays for your regular session')
  await expect(question).toContainText(`at ${rhythm.start} with ${offer.name}`)
  await expect(question).toContainText('dates that are not paid a day before are cancelled')
  for (let left = await page.getByRole('button', { name: /^Remove Visa/ }).count(); left > 0; left--) {
    if (!(await question.isVisible())) {
      await page
        .getByRole('button', { name: /^Remove Visa/ })
        .first()
        .click()
    }
    await question.getByRole('button', { name: 'Remove card' }).click()
    await expect(question).toBeHidden()
  }
  await page.goto('/my-sessions')
  await expect(page.getByText('No card pays for this hour')).toBeVisible()
  const dates = page.getByRole('list', { name: 'Next dates' })
  await expect(dates).toContainText('Not paid yet, and no card is set to pay it.')
  await expect(dates).not.toContainText('will be taken on')
  const [date] = (await ownSeries(request, account)).flatMap(({ dates: all }) =>
    all.filter(({ session_status: status }) => status === 'reserved'),
  )
  await page.goto(`/session?appointment=${date?.appointment_id}`)
  await expect(page.getByText('no card is set to pay it.')).toBeVisible()
  await page.getByRole('link', { name: 'Choose a card' }).click()
  await expect(page).toHaveURL('/my-sessions')
  await page.getByRole('button', { name: 'Choose a card' }).click()
  await page.getByRole('radio', { name: /^Mastercard/ }).check()
  await page.getByRole('button', { name: 'Use this card' }).click()
  await expect(dates).toContainText('will be taken on')
  await expect(dates).not.toContainText('no card is set')
})
