import { looker, walking } from './axe.ts'
import { announced } from './announced.ts'
import { chatter, kept, openDialog, write } from './chats.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { signInDemoAdmin } from './admin.ts'
import { callAs, register, signIn } from './people.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use(walking)

test('a chat is reported with one message, blocked and opened again; the back office reads that one alone', async ({
  page,
  request,
  openContext,
}) => {
  const { look } = looker(page, [])
  const called = `Robin ${crypto.randomUUID().slice(0, 8)}`
  const account = await register(request, called)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const therapist = await chatter(request, grace, 'therapist')
  const dialogId = await openDialog(request, client, grace.id)
  await write(request, client, dialogId, 'I have not slept for three weeks.')
  await write(request, therapist, dialogId, 'Pull yourself together.')

  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  const more = page.getByRole('button', { name: 'More about this chat' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Report this chat' }).click()
  const report = page.getByRole('dialog', { name: 'Report this chat' })
  await walkForm(page, 'features/chat/ReportChat', {
    within: report,
    submit: 'Send report',
    fields: [['What has happened?']],
  })
  await look('reporting a chat')
  await report.getByLabel('What has happened?').fill('She was unkind.')
  await report.getByRole('checkbox', { name: /^Pull yourself together/ }).check()
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(report).toBeHidden()

  await expect(more).toBeFocused()
  const toast = page.getByRole('region', { name: 'Messages', exact: true })
  await expect(toast).toContainText('Thank you.')
  await page.setViewportSize({ width: 375, height: 720 })
  const [shown, written] = await Promise.all([
    toast.boundingBox(),
    page.getByPlaceholder('Enter your message').boundingBox(),
  ])
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(written?.y ?? 0)
  await page.setViewportSize({ width: 1280, height: 720 })
  const theirs = await (await openContext(walking)).newPage()
  await signInTherapist(theirs, grace)
  await theirs.goto(`/chat?dialogId=${dialogId}`)
  const field = theirs.getByPlaceholder('Enter your message')
  await field.fill('What I meant was')

  await more.click()
  await page.getByRole('menuitem', { name: 'Block Grace Holloway' }).click()
  const block = page.getByRole('alertdialog').getByRole('button', { name: 'Block' })
  await expect(block).toBeVisible()
  await look('blocking somebody')
  await block.click()
  await expect(
    page.getByRole('main').getByText('You have blocked Grace Holloway, and neither of you can write here.'),
  ).toBeVisible()
  await expect(announced(page)).toContainText(
    'You have blocked Grace Holloway, and neither of you can write here.',
  )
  await expect(more).toBeFocused()
  // The other one was typing: the field keeps its text and the focus, and takes no more.
  await expect(announced(theirs)).toContainText('You can no longer write to')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('What I meant was')
  await expect(field).not.toBeEditable()
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByText('This chat is closed.')).toBeVisible()
  expect((await kept(request, therapist, dialogId)).length).toBe(2)
  await looker(theirs, []).look('a chat that was closed while typing')
  const [dialog] = await callAs<{ closed: string }[]>(
    request,
    therapist,
    'GET',
    `/chat/dialogs?_id=${dialogId}`,
  )
  expect(dialog?.closed).toBe('unavailable')
  await page.reload()
  await more.click()
  await page.getByRole('menuitem', { name: 'Unblock Grace Holloway' }).click()
  await expect(page.getByPlaceholder('Enter your message')).toBeVisible()

  const context = await openContext(walking)
  const office = await context.newPage()
  await signInDemoAdmin(office, request)
  await office.goto('/admin/reports')
  await office.getByRole('link', { name: 'Conversations' }).click()
  const card = office.getByRole('listitem').filter({ hasText: called })
  await expect(card).toContainText('She was unkind.')
  await expect(card).toContainText(`Practitioner, ${grace.email}`)
  const reported = card.getByRole('link', { name: 'Grace Holloway' })
  await expect(reported).toHaveAttribute('href', `/admin/practitioner?id=${grace.id}`)
  await expect(reported).toHaveCSS('text-decoration-line', 'underline')
  await expect(office.getByText('Pull yourself together.')).toHaveCount(0)
  await card.getByRole('button', { name: 'Read the attached message' }).click()
  await expect(card).toContainText('Pull yourself together.')
  await expect(office.getByText('I have not slept')).toHaveCount(0)
  await looker(office, []).look('reports of conversations')
  await card.getByRole('button', { name: 'Settle it' }).click()
  await expect(office.getByRole('dialog')).toContainText('If the practitioner should be suspended')
  await office.getByLabel('What was done').fill('Spoke to both.')
  await office.getByRole('dialog').getByRole('button', { name: 'Settle it' }).click()
  await expect(card).toHaveCount(0)
})

test('a chat that could not be opened again says so until it is read', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/Failed to load resource/)
  const account = await register(request)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const dialogId = await openDialog(request, client, grace.id)
  await callAs(request, client, 'POST', `/chat/dialogs/${dialogId}/block`)
  await page.clock.install()
  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await page.route('**/unblock', (route) => route.abort())
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: 'Unblock Grace Holloway' }).click()
  const failure = page.getByRole('region', { name: 'Messages', exact: true })
  await expect(failure).toContainText('We could not reach our server.')
  await page.clock.fastForward(20_000)
  await expect(failure).toContainText('We could not reach our server.')
  await expect(failure).not.toContainText('Nothing was changed.')
})

test.describe('at midnight', () => {
  test.use({ timezoneId: 'UTC', viewport: { width: 1280, height: 720 } })

  test('a chat that stays open names its days anew at midnight', async ({ page, request }) => {
    const account = await register(request)
    const grace = await demoTherapist(request)
    const therapist = await chatter(request, grace, 'therapist')
    const dialogId = await openDialog(request, await chatter(request, account, 'client'), grace.id)
    await write(request, therapist, dialogId, 'How was your day?')
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    await page.clock.install({ time: midnight - 20_000 })
    await signIn(page, account)
    // The server's clock stays where it is: the page goes by its own.
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch()
      const { date: _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.goto(`/chat?dialogId=${dialogId}`)
    const messages = page.getByRole('region', { name: 'Messages with Grace Holloway' })
    await expect(messages.getByText('Today', { exact: true })).toBeVisible()
    const list = page.getByRole('region', { name: 'Chats' }).locator('time')
    await expect(list).toHaveText(/^\d\d:\d\d$/)
    await page.clock.fastForward(25_000)
    await expect(messages.getByText('Yesterday', { exact: true })).toBeVisible()
    await expect(messages.getByText('Today', { exact: true })).toHaveCount(0)
    await expect(list).toHaveText('Yesterday')
  })
})

test('a message ticked for a report stays in sight as others come, and no more than twenty are sent', async ({
  page,
  request,
}) => {
  const account = await register(request)
  const grace = await demoTherapist(request)
  const client = await chatter(request, account, 'client')
  const therapist = await chatter(request, grace, 'therapist')
  const dialogId = await openDialog(request, client, grace.id)
  for (let at = 1; at <= 20; at++) await write(request, therapist, dialogId, `Number ${at}.`)

  await signIn(page, account)
  await page.goto(`/chat?dialogId=${dialogId}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: 'Report this chat' }).click()
  const report = page.getByRole('dialog', { name: 'Report this chat' })
  const tick = (at: number) => report.getByRole('checkbox', { name: `Number ${at}.` })
  await tick(1).check()
  await write(request, therapist, dialogId, 'Number 21.')
  await expect(tick(21)).toBeVisible()
  await expect(tick(1)).toBeChecked()
  for (let at = 2; at <= 20; at++) await tick(at).check()
  await expect(report.getByText('No more than 20 can be sent with one report.')).toBeVisible()
  await expect(tick(21)).toBeDisabled()

  await report.getByLabel('What has happened?').fill('She counted at me.')
  const sent = page.waitForRequest('**/report')
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(report).toBeHidden()
  expect(((await sent).postDataJSON() as { message_ids: string[] }).message_ids).toHaveLength(20)
})
