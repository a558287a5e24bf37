import type { APIRequestContext } from '@playwright/test'
import { narrow } from './axe.ts'
import { chatter, openDialog, write } from './chats.ts'
import { breakCalls } from './broken-calls.ts'
import { expect, test } from './fixtures.ts'
import { approve, demoAdmin, handInProfile, signInAsAdmin, signInDemoAdmin } from './admin.ts'
import { walkForm } from './forms.ts'
import { keyboardOf } from './keyboard.ts'
import { linkMailed, mailTo } from './mails.ts'
import { callAs, register } from './people.ts'
import { demoTherapist, signInTherapist, type Therapist } from './therapists.ts'

const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Confirms the address by the link of the first mail: from then on mails tell what they are about. */
async function confirmAddress(request: APIRequestContext, { email, token }: Therapist): Promise<void> {
  const link = await linkMailed(email, '/therapist/verify-email')
  const response = await request.post('/api/v7/therapist/verify-email', {
    headers: { authorization: `Bearer ${token}` },
    data: { token: new URLSearchParams(link.hash.slice(1)).get('token') },
  })
  expect(response.ok(), await response.text()).toBe(true)
}

test('an admin signs in, looks at what was handed in, refuses, accepts, approves and suspends', async ({
  page,
  request,
  allowComplaint,
  openContext,
}) => {
  allowComplaint(/status of (401|404|409|422)/)
  const therapist = await handInProfile(request)
  await confirmAddress(request, therapist)
  const name = `${therapist.firstName} ${therapist.lastName}`
  await page.goto('/admin')
  await expect(page).toHaveURL('/admin/sign-in?return_to=%2Fadmin')
  await signInAsAdmin(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Vetting' })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Back office' })
  await expect(navigation.getByRole('link', { name: /^Vetting \d+ waiting$/ })).toBeVisible()
  await page.getByLabel('Name or email').fill(therapist.email)
  await page.getByRole('button', { name: 'Search' }).click()
  const row = page.getByRole('listitem').filter({ hasText: therapist.email })
  await row.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('The identity document is waiting for your decision.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve the profile' }).click()
  await expect(page.getByRole('group', { name: 'It cannot be approved yet' })).toBeFocused()

  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByRole('button', { name: 'Show the document: Identity document' }).click()
  const picture = documents.getByRole('img', { name: 'Identity document' })
  await expect(picture).toBeVisible()
  await expect.poll(async () => (await picture.boundingBox())?.height ?? 0).toBeGreaterThan(100)
  await documents.getByRole('button', { name: 'Hide' }).click()
  await documents.getByRole('button', { name: 'Show the document: DBS certificate' }).click()
  const pdfLink = documents.getByRole('link', { name: 'Download the PDF' })
  await expect(pdfLink).toBeFocused()
  const pdf = await request.get((await pdfLink.getAttribute('href')) ?? '')
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf'])
  expect(pdf.headers()['content-disposition']).toBe('attachment; filename="document.pdf"')

  // After a refusal the practitioner sees the reason and sends another document.
  await documents.getByRole('button', { name: 'Refuse DBS certificate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(dialog.getByText('Give a reason.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('The number is cut off. Please send the whole page.')
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Refused: The number is cut off.')).toBeVisible()
  // The button that opened the dialog has gone: the focus stays with its document.
  const refused = documents.getByRole('heading', { name: 'DBS certificate' })
  await expect(refused).toBeFocused()
  await expect(refused).toBeInViewport()
  await mailTo(therapist.email, 'The number is cut off.')
  const theirs = await (await openContext()).newPage()
  await signInTherapist(theirs, therapist)
  for (const path of ['/therapist/profile-view', '/therapist/profile-preview']) {
    await theirs.goto(new URL(path, page.url()).href)
    await expect(theirs.getByText('Your DBS check was not accepted')).toBeVisible()
    await expect(theirs.getByText('The number is cut off.').first()).toBeVisible()
    await theirs.getByRole('link', { name: 'Send again' }).first().click()
    await expect(theirs.getByRole('heading', { level: 1, name: 'Your DBS check' })).toBeVisible()
  }
  await theirs.close()
  const again = await request.post('/api/v7/therapist/upload-profile-dbs', {
    headers: { authorization: `Bearer ${therapist.token}` },
    multipart: {
      file: { name: 'dbs.pdf', mimeType: 'application/pdf', buffer: await pdf.body() },
    },
  })
  expect(again.status(), await again.text()).toBe(200)
  await page.reload()

  // A decided document makes room for the next one below the pointer: the second click of a double one decides nothing.
  const accept = documents.getByRole('button', { name: 'Accept Identity document' })
  const sent: string[] = []
  page.on('request', (each) => each.method() !== 'GET' && sent.push(each.url()))
  await accept.hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await accept.click()
  await expect(page.getByText('Identity document: accepted.')).toBeVisible()
  expect(sent.filter((url) => /accept/.test(url))).toHaveLength(1)
  // The button has gone with the decision, and the focus with it to what follows.
  const keys = keyboardOf(page)
  await keys.expectKept()
  // Accepted by mistake, it waits again.
  await page.getByRole('button', { name: 'Decide again on Identity document' }).click()
  await dialog.getByLabel('Reason').fill('The name is another one.')
  await dialog.getByRole('button', { name: 'Let it wait again' }).click()
  await expect(dialog).toBeHidden()
  await accept.click()
  await expect(page.getByRole('button', { name: 'Decide again on Identity document' })).toBeVisible()
  const dbs = documents.getByRole('form', { name: 'Decide on DBS certificate' })
  await dbs.getByLabel(/^Last day/).fill('2020-01-31')
  await dbs.getByRole('button', { name: 'Accept DBS certificate' }).click()
  await expect(dbs.getByText(/^This day has passed/)).toBeVisible()
  await dbs.getByLabel(/^Last day/).fill(dayAhead(400))
  await dbs.getByRole('button', { name: 'Accept DBS certificate' }).click()
  await expect(page.getByText('DBS certificate: accepted.')).toBeVisible()
  await page.getByRole('button', { name: 'Accept Licence GMC 7654321' }).click()
  await expect(page.getByText('It cannot be approved yet')).toBeHidden()
  await keys.expectKept()

  await page.getByRole('button', { name: 'Approve the profile' }).click()
  // The number of those that wait is read again with the decision.
  const counted = page.waitForResponse((response) =>
    /\/admin\/practitioners\?waiting=true/.test(response.url()),
  )
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await counted
  await expect(page.getByRole('alertdialog')).toBeHidden()
  const standing = page.getByRole('region', { name: 'Status' })
  await expect(standing.getByText('Approved', { exact: true })).toBeVisible()
  const status = standing.getByRole('heading', { name: 'Status' })
  await expect(status).toBeFocused()
  await expect(status).toBeInViewport()
  await mailTo(therapist.email, 'Your profile is approved')

  await standing.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByLabel('What it is about').selectOption('conduct')
  await dialog.getByLabel('Cancel and refund them now').check()
  await dialog.getByLabel('Reason').fill('A complaint is being looked into.')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(standing.getByText('Reason: A complaint is being looked into.')).toBeVisible()
  await expect(status).toBeFocused()
  await mailTo(therapist.email, 'A complaint is being looked into.')
  await standing.getByRole('button', { name: 'Lift the suspension' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lift it' }).click()
  await expect(standing.getByText('Approved', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'What was done about this practitioner' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await expect(entries).toHaveCount(11)
  await expect(entries.first()).toContainText('Reinstate')
  await page.getByLabel('Action').selectOption('look at document')
  const show = page.getByRole('button', { name: 'Show' })
  await show.click()
  await expect(entries).toHaveCount(2)
  await expect(show).toBeFocused()
  await page.goBack()
  await expect(entries).toHaveCount(11)
  await expect(page.getByLabel('Action')).toHaveValue('')

  await page.getByRole('button', { name: /, account$/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/admin/audit')
  await expect(page).toHaveURL('/admin/sign-in?return_to=%2Fadmin%2Faudit')
})

test('a decision by another admin meanwhile is named, and its outcome is shown', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const therapist = await handInProfile(request)
  const path = `/admin/practitioner?id=${therapist.id}`
  await signInDemoAdmin(page, request)
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Do not approve' })).toBeVisible()
  const other = await (await openContext()).newPage()
  await signInDemoAdmin(other, request)
  await other.goto(path)
  await other.getByRole('button', { name: 'Do not approve' }).click()
  await other.getByRole('dialog').getByLabel('Reason').fill('No such registration.')
  await other.getByRole('dialog').getByRole('button', { name: 'Do not approve' }).click()
  await expect(other.getByText('Reason: No such registration.')).toBeVisible()

  await page.getByRole('button', { name: 'Accept Licence GMC 7654321' }).click()
  await expect(page.getByText('Licence GMC 7654321: accepted.')).toBeVisible()
  await expect(page.getByText('Reason: No such registration.')).toBeVisible()
  await other.getByRole('button', { name: 'Accept Licence GMC 7654321' }).click()
  await expect(other.getByText('Accepted', { exact: true })).toBeVisible()

  // The list has become shorter since its last page was opened.
  await page.goto('/admin?show=approved&page=99')
  await expect(page.getByRole('heading', { name: 'Nothing is left on this page' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await expect(page.getByText(/^1 to \d+ of \d+$/)).toBeVisible()
  await page.setViewportSize(narrow.viewport)
  await page.goto('/admin?show=approved&page=3')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toHaveText(/^\s*1\s*…\s*3\s*…\s*\d+\s*$/, { useInnerText: true })
})

test('an admin reads why a document was not refused, when another admin accepts it meanwhile', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const { id } = await handInProfile(request)
  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${id}`)
  await page.getByRole('button', { name: 'Refuse DBS certificate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('It is from 2012.')

  const admin = await demoAdmin(request)
  const at = `/admin/practitioners/${id}`
  type File = { documents: { document_id: string; kind: string }[] }
  const { documents } = await callAs<File>(request, admin, 'GET', at)
  const dbs = documents.find(({ kind }) => kind === 'dbs')?.document_id ?? ''
  await callAs(request, admin, 'POST', `${at}/documents/${dbs}/accept`, { expires_on: '2040-01-01' })
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByText(/^Valid until .*1 January 2040$/)).toBeAttached()
  await expect(dialog.getByRole('alert')).toContainText('This has already been decided')
  await expect(dialog.getByLabel('Reason')).toHaveValue('It is from 2012.')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(dialog).toBeHidden()
})

test('an admin changes the name of an approved practitioner, for a reason that the audit log keeps', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 500/)
  const { id, lastName } = await handInProfile(request)
  await approve(request, id)
  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${id}`)
  await page.getByRole('button', { name: 'Change the name' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(lastName)
  await walkForm(page, 'features/back-office/RenameDialog', {
    within: dialog,
    submit: 'Change the name',
    fields: [['First name', 'Rosalind'], ['Last name', 'Featherstone'], ['Reason']],
  })
  await dialog.getByLabel('Reason').fill('A marriage certificate, seen today.')
  const broken = await breakCalls(page, /\/rename$/, 'no good')
  await dialog.getByRole('button', { name: 'Change the name' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Nothing was changed')
  await expect(dialog.getByLabel('Last name')).toHaveValue('Featherstone')
  await broken.mend()
  await dialog.getByRole('button', { name: 'Change the name' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Rosalind Featherstone' })).toBeVisible()
  await page.getByRole('link', { name: 'What was done about this practitioner' }).click()
  await expect(page.getByText('A marriage certificate, seen today.')).toBeVisible()
})

test('an admin reads why a profile was not suspended or closed, when another admin decides on it meanwhile', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const { id } = await handInProfile(request)
  await approve(request, id)
  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${id}`)
  await page.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What it is about').selectOption('conduct')
  await dialog.getByLabel('Cancel and refund them now').check()
  await dialog.getByLabel('Reason').fill('A complaint was made.')

  const admin = await demoAdmin(request)
  const decide = (act: 'suspend' | 'reinstate', body = {}) =>
    callAs(request, admin, 'POST', `/admin/practitioners/${id}/${act}`, body)
  await decide('suspend', { reason: 'A complaint was made.', sessions: 'freeze' })
  await decide('reinstate')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  const refusal = 'This profile has been decided on meanwhile.'
  await expect(dialog.getByRole('alert')).toContainText(refusal)
  await expect(dialog.getByLabel('Reason')).toHaveValue('A complaint was made.')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  const standing = page.getByRole('region', { name: 'Status' })
  await expect(standing.getByText('Approved', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Close for good' }).click()
  await dialog.getByLabel('Reason').fill('They have left.')
  await dialog.getByLabel('I know that this cannot be undone.').check()
  await decide('suspend', { reason: 'A complaint was made.' })
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await expect(dialog.getByRole('alert')).toContainText(refusal)
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(standing.getByText('Suspended', { exact: true })).toBeVisible()
})

test('a closed profile offers no decision on its documents and no request for captions', async ({
  page,
  request,
}) => {
  const therapist = await handInProfile(request)
  await callAs(request, therapist, 'PUT', '/therapist/update-profile', {
    video_choice: 2,
    video_url_link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  })
  await signInDemoAdmin(page, request)
  await page.goto(`/admin/practitioner?id=${therapist.id}`)
  const accept = page.getByRole('button', { name: /^Accept / })
  const ask = page.getByRole('button', { name: 'Ask for captions or a transcript' })
  await expect(accept).toHaveCount(3)
  await expect(ask).toBeVisible()
  await page.getByRole('button', { name: 'Close for good' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('They have left.')
  await dialog.getByLabel('I know that this cannot be undone.').check()
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  await expect(
    page.getByRole('region', { name: 'Status' }).getByText('Closed', { exact: true }),
  ).toBeVisible()
  await expect(accept).toHaveCount(0)
  await expect(ask).toBeHidden()
  await expect(page.getByText('It has no captions. It has no transcript.')).toBeVisible()
})

test('an admin reads which tasks did not load, and loads them again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 500/)
  const empty = { data: [], total: 0 }
  const meta = { total: 0, page: 1, per_page: 50, counts: {} }
  await page.route('**/admin/practitioners?*', (route) => route.fulfill({ json: { data: [], meta } }))
  await signInDemoAdmin(page, request)
  for (const [path, call, title] of [
    ['/admin', 'vetting-lapses', 'Documents that lapse did not load'],
    ['/admin/no-shows', 'absences', 'Repeated absences did not load'],
    ['/admin/payments', 'payments/late-returns', 'Late refunds did not load'],
    ['/admin/payments', 'payments/incidents', 'Changes at the payment provider did not load'],
  ] as const) {
    const { mend } = await breakCalls(page, `**/api/v7/admin/${call}`, 'no good')
    await page.goto(path)
    const failure = page.getByText(title, { exact: true })
    await expect(failure).toBeVisible()
    if (path === '/admin')
      await expect(page.getByRole('heading', { name: 'No profiles or documents are waiting' })).toBeVisible()
    await mend()
    await page.route(`**/api/v7/admin/${call}`, (route) => route.fulfill({ json: empty }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(failure).toBeHidden()
    if (path === '/admin')
      await expect(page.getByRole('heading', { name: 'Nothing is waiting for you' })).toBeVisible()
  }
})

test('an admin reads why a report was not settled, when another admin settles it meanwhile', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const called = `Robin ${crypto.randomUUID().slice(0, 8)}`
  const client = await chatter(request, await register(request, called), 'client')
  const dialogId = await openDialog(request, client, (await demoTherapist(request)).id)
  await write(request, client, dialogId, 'Hello.')
  await callAs(request, client, 'POST', `/chat/dialogs/${dialogId}/report`, { reason: 'She was unkind.' })
  await signInDemoAdmin(page, request)
  await page.goto('/admin/reports?about=chats')
  const card = page.getByRole('listitem').filter({ hasText: called })
  await card.getByRole('button', { name: 'Settle it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What was done').fill('Spoke to both.')

  const admin = await demoAdmin(request)
  type Reports = { data: { report_id: string; reporter: { name: string } }[] }
  const { data } = await callAs<Reports>(request, admin, 'GET', '/admin/chat-reports')
  const report = data.find(({ reporter }) => reporter.name.startsWith(called))
  await callAs(request, admin, 'POST', `/admin/chat-reports/${report?.report_id ?? ''}/settle`, {
    reason: 'Nothing to do.',
  })
  await dialog.getByRole('button', { name: 'Settle it' }).click()
  await expect(card).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toContainText('This report has already been settled.')
  await expect(dialog.getByLabel('What was done')).toHaveValue('Spoke to both.')
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect(dialog).toBeHidden()
})

test('a visitor to the back office is redirected to its sign-in page', async ({ page }) => {
  await page.goto('/admin/practitioner?id=1')
  await expect(page).toHaveURL('/admin/sign-in?return_to=%2Fadmin%2Fpractitioner%3Fid%3D1')
  const robots = await page.locator('meta[name=robots]').getAttribute('content')
  expect(robots).toBe('noindex')
})
