import type { Locator, Route } from '@playwright/test'
import { bookByApi, ownPractitioner, pounds } from './booking.ts'
import { breakCalls, outage } from './broken-calls.ts'
import { expect, test } from './fixtures.ts'
import { callAs, register, signIn } from './people.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

/*
 * One call of a page fails while the others succeed. The part that it fills must not read as if there were nothing to
 * show: it names what did not load, and loads it again.
 */

test.beforeEach(async ({ page, allowComplaint }) => {
  allowComplaint(outage)
  // The socket has lists read again once it is connected, which may be before "Try again" is pressed.
  await page.routeWebSocket(/\/socket\//, () => {})
})

const heldCalls = /get-upcoming-sessions\?.*held=true/
const upcomingCalls = /get-upcoming-sessions$/

/** Presses "Try again" of the alert with a title, in an area. */
async function tryAgain(area: Locator, title: string): Promise<void> {
  const text = area.getByText(title, { exact: true })
  await text.locator('xpath=ancestor::div[.//button][1]').getByRole('button', { name: 'Try again' }).click()
  await expect(text).toBeHidden()
}

test('a client reads which of the things that wait for them did not load, each once', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request))
  const parts = [
    ['Your regular sessions did not load', '**/client/series'],
    ['Times held for you did not load', heldCalls],
    ['Your past sessions did not load', '**/get-past-sessions*'],
    ['Your waitlists did not load', '**/client/waitlist'],
  ] as const
  const outages = await Promise.all(parts.map(([, calls]) => breakCalls(page, calls, 'no good')))
  await page.goto('/')
  const waiting = page.getByRole('list', { name: 'Waiting for you' })
  for (const [title] of parts) await expect(waiting.getByText(title, { exact: true })).toHaveCount(1)
  await expect(waiting.getByRole('listitem')).toHaveCount(parts.length)
  for (const [index, [title]] of parts.entries()) {
    await outages[index]?.mend()
    await waiting
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: 'Try again' })
      .click()
    await expect(waiting.getByText(title, { exact: true })).toHaveCount(0)
  }
  await expect(waiting).toBeHidden()
})

test('what did not load stays named, with its button, until it has loaded', async ({ page, request }) => {
  await signIn(page, await register(request))
  await breakCalls(page, '**/client/series', 'no good')
  await page.goto('/')
  const item = page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem')
  await expect(item.getByText('Your regular sessions did not load', { exact: true })).toBeVisible()
  const asked = Promise.withResolvers<Route>()
  await page.route('**/client/series', (route) => asked.resolve(route))
  const again = item.getByRole('button')
  await again.click()
  const route = await asked.promise
  await expect(item.getByText('Your regular sessions did not load', { exact: true })).toBeVisible()
  await expect(again).toBeDisabled()
  await expect(again).toBeFocused()
  await route.fulfill({ json: { data: [] } })
  await expect(item).toHaveCount(0)
})

test('My Sessions names the held times and the cancelled sessions that did not load', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request))
  const held = await breakCalls(page, heldCalls, 'no good')
  const past = await breakCalls(page, '**/get-past-sessions*', 'no good')
  await page.goto('/my-sessions')
  const main = page.getByRole('main')
  await expect(main.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
  for (const [title, { mend }] of [
    ['Times held for you did not load', held],
    ['Cancelled sessions did not load', past],
  ] as const) {
    await expect(main.getByText(title, { exact: true })).toBeVisible()
    await mend()
    await tryAgain(main, title)
  }
  await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('a reserved session names no amount while it is unknown whether another price is asked', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const { session_id: id } = await bookByApi(request, account, offer, offer.times[0] ?? '')
  const [session] = await callAs<object[]>(request, account, 'GET', '/appointment/get-upcoming-sessions')
  const day = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const reserved = {
    ...session,
    status: 'reserved',
    series_id: '0197a000-0000-7000-8000-000000000001',
    payment_due: null,
    card_set: true,
    pay_at: day(1),
    pay_by: day(2),
  }
  await page.route(upcomingCalls, (route) => route.fulfill({ json: [reserved] }))
  const { mend } = await breakCalls(page, `**/sessions/${id}`, 'no good')
  await signIn(page, account)
  const failed = page.waitForResponse((response) => response.url().endsWith(`/sessions/${id}`))
  await page.goto('/')
  await (await failed).finished()
  const next = page.getByRole('region', { name: 'Your next session' })
  await expect(next.getByText('Not paid yet.', { exact: true })).toBeVisible()
  await expect(next.getByText(/will be taken on/)).toHaveCount(0)
  await mend()
  await page.reload()
  await expect(next.getByText(`Not paid yet: ${pounds(offer.service.fee)} will be taken on`)).toBeVisible()
})

test('a waitlist form says that sessions to swap did not load, and keeps what is chosen', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await bookByApi(request, account, offer, offer.times[0] ?? '')
  await signIn(page, account)
  const { mend } = await breakCalls(page, upcomingCalls, 'no good')
  await page.goto(`/join-waitlist?practitionerId=${offer.id}`)
  const main = page.getByRole('main')
  const title = 'Your booked sessions did not load'
  await expect(main.getByText(title, { exact: true })).toBeVisible()
  await expect(main.getByText('You can also join without a session to swap')).toBeVisible()
  await expect(main.getByLabel('Swap a session you have booked')).toHaveCount(0)
  const chip = main.getByRole('group', { name: 'When could you come?' }).getByRole('checkbox').first()
  await chip.check({ force: true })
  await main.getByLabel('Not before').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10))
  await mend()
  await tryAgain(main, title)
  await expect(main.getByLabel('Swap a session you have booked')).toBeVisible()
  await expect(chip).toBeChecked()
  await expect(main.getByLabel('Not before')).not.toHaveValue('')
})

test('a practitioner reads that their video order or their card could not be checked', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  await callAs(request, therapist, 'POST', '/therapist/payment/add-new-card', {
    card_number: '4242424242424242',
    expiry_month: 12,
    expiry_year: 2034,
    cvv_number: '123',
  })
  await signInTherapist(page, therapist)
  const main = page.getByRole('main')
  const video = await breakCalls(page, '**/therapist/video-production', 'no good')
  await page.goto('/therapist/dashboard')
  const order = 'Your introduction on video could not be checked'
  await expect(main.getByText(order, { exact: true })).toBeVisible()
  await video.mend()
  await tryAgain(main, order)

  const card = await breakCalls(page, '**/therapist/payment/card', 'no good')
  await page.goto('/therapist/subscription')
  const panel = page.getByRole('region', { name: 'Your introduction on video' })
  const unread = 'Your card could not be checked'
  await expect(panel.getByText(unread, { exact: true })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Add a card to order it' })).toHaveCount(0)
  await card.mend()
  await tryAgain(panel, unread)
  await expect(panel.getByRole('button', { name: /^Order for £/ })).toBeVisible()
})

test('a profile that did not load is not shown as submitted or without objections', async ({
  page,
  request,
}) => {
  await signInTherapist(page, await registerTherapist(request))
  const main = page.getByRole('main')
  const title = 'Where your profile stands did not load'
  for (const [path, known] of [
    ['/therapist/complete', main.getByRole('heading', { name: 'What happens next' })],
    ['/therapist/profile-view', main.getByRole('link', { name: 'Edit or refill profile' })],
  ] as const) {
    const { mend } = await breakCalls(page, '**/therapist/profile', 'no good')
    await page.goto(path)
    await expect(main.getByText(title, { exact: true })).toBeVisible()
    await expect(known).toHaveCount(0)
    await mend()
    await tryAgain(main, title)
    await expect(known).toBeVisible()
    await expect(main.getByText('Your profile is not submitted yet')).toBeVisible()
  }
})
