import type { Page } from '@playwright/test'
import { announced } from './announced.ts'
import { sql } from 'kysely'
import { expectAlive } from './alive.ts'
import { expect, inMotion } from './fixtures.ts'
import { answerNoDanger, availableTherapists, claimByApi, helpOf, issueId } from './help.ts'
import { test } from './own-server.ts'
import { type Account, callAs, register, saveCard, signIn } from './people.ts'
import { signInTherapist } from './therapists.ts'

test.use({ ...inMotion, seed: 'reference' })

type Requester = Parameters<typeof claimByApi>[0]

/** Asks a practitioner for a client with a saved card. */
async function askFor(request: Requester, client: Account): Promise<string> {
  const { customer_id } = await saveCard(request, client)
  const { session_id } = await claimByApi(request, client)
  await callAs(request, client, 'POST', '/payment/sandbox/existing-card-payment', {
    session_id,
    fee_amount: 25,
    customer_id,
  })
  return session_id
}

const title = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('a practitioner whose acceptance got no answer, or who accepted in another window, is led to the client', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/ERR_FAILED/)
  const [nora] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  if (!nora) throw new Error('No practitioner is there to be asked.')
  const open = async () => {
    const page = await (await openContext({ baseURL: server.url })).newPage()
    await signInTherapist(page, nora)
    await page.goto('/therapist/dashboard')
    return page
  }
  const [therapist, other] = [await open(), await open()]
  const sessionId = await askFor(request, await register(request, 'Robin Vale'))

  const offer = therapist.getByRole('alertdialog', { name: 'Robin V. asks for help right now' })
  await expect(offer).toBeVisible()
  // The server has it, and the connection breaks before it has answered.
  await therapist.route('**/requests/*/accept', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await offer.getByRole('button', { name: 'Accept and begin' }).click()

  for (const page of [therapist, other]) {
    const accepted = page.getByRole('dialog', { name: 'You have accepted' })
    await expect(accepted).toContainText('Robin V. is waiting for you')
    await expect(page.getByText('This request is over')).toHaveCount(0)
    await accepted.getByRole('button', { name: 'Go to the session' }).click()
    await expect(page).toHaveURL(`/session?appointment=${sessionId}`)
    await title(page, 'Your session with Robin V.')
  }
})

test('a client who looks for help about something else gets that, and the bar on other pages goes with the session', async ({
  server,
  request,
  page,
  allowComplaint,
}) => {
  // A session that is not theirs.
  allowComplaint(/status of 404/)
  test.setTimeout(240_000)
  const [nora] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  if (!nora) throw new Error('No practitioner is there to be asked.')
  const other = await callAs<{ issue_id: number; issue_name: string }[]>(
    request,
    nora,
    'GET',
    '/issue/get-issues',
  )
  const grief = other.find(({ issue_id }) => issue_id !== issueId)
  if (!grief) throw new Error('There is one issue alone.')
  await server.change(async (db) => {
    await sql`insert into practitioner_issues (practitioner_id, issue_id) values (${nora.id}, ${grief.issue_id})`.execute(
      db,
    )
  })
  const account = await register(request, 'Robin Vale')
  await saveCard(request, account)
  await signIn(page, account)
  const late = await page.context().newPage()
  const unlocked = Promise.withResolvers<void>()

  await test.step('what is paid for is what was chosen last, and not what a practitioner is still held for', async () => {
    await claimByApi(request, account)
    await page.goto(`/get-help/search-therapist?issueId=${grief.issue_id}`)
    await answerNoDanger(page)
    await title(page, 'Your Therapist')
    await expect(page.getByRole('region', { name: 'Nora Ellis' })).toBeVisible()
    await expect(page.getByText('Held for you for')).toHaveCount(0)
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await title(page, 'We are asking a therapist')
    const { open } = await callAs<{ open: { request_id: string; issue: { issue_name: string } }[] }>(
      request,
      nora,
      'GET',
      '/therapist/get-help/requests',
    )
    expect(open.map(({ issue }) => issue.issue_name)).toEqual([grief.issue_name])
    await late.goto('/get-help/session-is-booked')
    await title(late, 'We are asking a therapist')
    // The phone is locked until the session is over: what its page reads waits.
    await late.route('**/api/v7/appointment/*', async (route) => {
      await unlocked.promise
      await route.continue()
    })
    await page.goto('/my-sessions')
    await callAs(request, nora, 'POST', `/therapist/get-help/requests/${open[0]?.request_id}/accept`)
  })

  const bar = page.getByRole('complementary', { name: 'Your search for help' })
  const session = await helpOf(request, account)
  const runsUntil = (minutes: number) =>
    server.change(async (db) => {
      await sql`update appointments set ends_at = now() + ${`${minutes} minutes`}::interval,
        starts_at = now() + ${`${minutes - 15} minutes`}::interval where id = ${session?.session_id}`.execute(
        db,
      )
    })
  await test.step('a session that has begun is announced elsewhere until it is over', async () => {
    await expect(bar).toContainText('Nora Ellis has accepted. Your session has begun.')
    // Also on the page of another session, and not on its own.
    await page.goto('/session?appointment=0197a1a0-0000-7000-8000-000000000000')
    await expect(bar).toContainText('Your session has begun.')
    await page.goto(`/session?appointment=${session?.session_id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Your session with Nora Ellis' })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await page.goto('/my-sessions')
    await expect(bar).toContainText('Your session has begun.')
    await server.change(async (db) => {
      await sql`update appointments set starts_at = now() - interval '15 minutes', ends_at = now() + interval '10 seconds'
        where id = ${session?.session_id}`.execute(db)
    })
    await page.reload()
    await expect(bar).toContainText('Your session has begun.')
    await expect(bar).toHaveCount(0, { timeout: 30_000 })
    await page.reload()
    await title(page, 'My Sessions')
    await expectAlive(page)
    await page.waitForLoadState('networkidle')
    await expect(bar).toHaveCount(0)
    unlocked.resolve()
    await title(late, 'Your session has taken place')
    await expect(late).toHaveURL(/\/session-is-booked/)
    await late.close()
  })

  await test.step('a session that was cancelled is said to have been', async () => {
    await runsUntil(0.2)
    await page.goto(`/get-help/session-is-booked?session=${session?.session_id}`)
    await title(page, 'Session is booked, thank you!')
    await expect(page.getByRole('heading', { level: 1, name: 'Your session has taken place' })).toBeVisible({
      timeout: 30_000,
    })
    await runsUntil(14)
    await page.reload()
    await title(page, 'Session is booked, thank you!')
    await expect(page.getByText('Nora has accepted and is there for you now.')).toBeVisible()
    await callAs(request, nora, 'POST', `/therapist/sessions/${session?.session_id}/cancel`, {
      reason: 'Ill',
    })
    await title(page, 'Your session was cancelled')
    await expect(page.getByText('is there for you now')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Search available Therapist' })).toBeVisible()
  })
})

test('a client who waits in another window reads in the title that a therapist is free', async ({
  server,
  request,
  page,
}) => {
  test.setTimeout(240_000)
  const [nora] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  const makeAvailable = (until: string | null) =>
    server.change(async (db) => {
      await sql`update practitioners set available_now_until = now() + ${until}::interval where id = ${nora?.id}`.execute(
        db,
      )
    })
  await makeAvailable(null)
  await signIn(page, await register(request, 'Robin Vale'))
  await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
  await answerNoDanger(page)
  await title(page, 'Sorry, right now all our Therapists are busy')
  await expect(page.getByText('We keep looking while this page is open')).toBeVisible()
  await page.getByRole('button', { name: 'Search again' }).click()
  await expect(announced(page)).toContainText('All our therapists are still busy.')
  // It looks again by itself, and says nothing while no therapist is free.
  await page.evaluate(`new MutationObserver(() => { window.blinked = true }).observe(
    [...document.querySelectorAll('button')].find((each) => each.textContent === 'Search again'),
    { childList: true, subtree: true, attributes: true })`)
  await page.waitForResponse((response) => response.url().includes('/get-help-right-now?issue_id'), {
    timeout: 45_000,
  })
  expect(await page.evaluate('window.blinked')).toBeUndefined()
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await makeAvailable('1 hour')
  await expect
    .poll(() => page.title(), { timeout: 45_000 })
    .toBe('Your Therapist – Get help right now – Hearth')
})
