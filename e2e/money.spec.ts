import { demoAdmin, signInDemoAdmin } from './admin.ts'
import { expect } from './fixtures.ts'
import { loseAnswer } from './lost-answers.ts'
import { test } from './own-server.ts'
import { bookedClients, shift } from './past.ts'
import { callAs } from './people.ts'
import { demoTherapist } from './therapists.ts'

type Paid = { data: { session_id: string; refunded: number; refunds: unknown[] }[] }
type Owed = { data: { practitioner_id: number; full_name: string; owed: number; payable: number }[] }

test('an admin who repeats a refund or a payout whose answer was lost makes it once', async ({
  server,
  page,
  request,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/ERR_FAILED|status of (409|422)/)
  const therapist = await demoTherapist(request)
  const [booked] = await bookedClients(request, therapist.id, ['Morgan Wells'])
  const found = await request.get('/api/v7/practitioner/get-practitioners?session_type=online&sort=soonest')
  const practitioners = ((await found.json()) as { data: { practitioner_id: number }[] }).data
  const read = async <T>(path: string) => callAs<T>(request, await demoAdmin(request), 'GET', path)
  // The demo owes to some for sessions that are still to come, which are not paid out.
  const { data: owing } = await read<Owed>('/admin/payouts')
  const another =
    practitioners.find(
      ({ practitioner_id: id }) => id !== therapist.id && !owing.some((row) => row.practitioner_id === id),
    )?.practitioner_id ?? 0
  const [long] = await bookedClients(request, another, ['Robin Wells'])
  if (!booked || !long) throw new Error('No session is booked.')
  await shift(server, { [booked.id]: -90, [long.id]: -2 * 24 * 60 })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${booked.id}/complete`)
  const owed = async () => {
    const { data } = await read<Owed>('/admin/payouts')
    return data.find((row) => row.practitioner_id === therapist.id)?.owed
  }
  const before = (await owed()) ?? 0
  await signInDemoAdmin(page, request)
  const dialog = page.getByRole('dialog')

  await page.goto('/admin/payments?search=Morgan+Wells')
  await page.getByRole('button', { name: 'Refund Morgan Wells' }).click()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByLabel('Reason').fill('The line was poor.')
  await loseAnswer(page, /\/admin\/payments\/[^/]+\/refund$/)
  // The list behind the dialog is read again: it may be out of date.
  const listed = page.waitForResponse(/\/admin\/payments\?/)
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await listed
  await expect(page.getByText('The line was poor.').first()).toBeAttached()
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog).toBeHidden()
  const { data } = await read<Paid>('/admin/payments?search=Morgan+Wells')
  expect(data.find(({ session_id }) => session_id === booked.id)).toMatchObject({
    refunded: 20,
    refunds: [{ amount: 20 }],
  })

  await page.goto('/admin/payouts')
  const name = `${therapist.firstName} ${therapist.lastName}`
  await page.getByRole('button', { name: `Mark as paid out to ${name}` }).click()
  await dialog.getByLabel('Amount').fill('10')
  await dialog.getByLabel('Bank reference').fill('HEARTH 1')
  await loseAnswer(page, /\/admin\/payouts\/\d+$/)
  const owedRead = page.waitForResponse(/\/admin\/payouts\?/)
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await owedRead
  await expect(page.getByText(/^Last paid out/).first()).toBeAttached()
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(dialog).toBeHidden()
  expect(await owed()).toBe(before - 20 - 10)

  // With the last of what is owed, the practitioner leaves the list.
  const { data: rows } = await read<Owed>('/admin/payouts')
  const other = rows.find(({ practitioner_id }) => practitioner_id === another)
  if (!other) throw new Error('Nothing is owed to the other practitioner.')
  expect(other.payable).toBe(other.owed)
  const card = page.getByRole('listitem').filter({ hasText: other.full_name })
  await page.getByRole('button', { name: `Mark as paid out to ${other.full_name}` }).click()
  await dialog.getByLabel('Bank reference').fill('HEARTH 2')
  await loseAnswer(page, /\/admin\/payouts\/\d+$/)
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(card).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(dialog).toBeHidden()
  const outcome = page.getByText(`to ${other.full_name} is recorded.`)
  await expect(page.locator(':focus').filter({ has: outcome })).toBeVisible()

  // The bank sends it back.
  await page.getByRole('link', { name: 'Paid out' }).click()
  await page.getByLabel('Name or bank reference').fill('hearth 2')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('button', { name: `Reverse the payout HEARTH 2 to ${other.full_name}` }).click()
  await dialog.getByRole('button', { name: 'Reverse it' }).click()
  await expect(dialog.getByText('Choose why.')).toBeVisible()
  await dialog.getByRole('radio', { name: 'The bank sent it back' }).check({ force: true })
  await loseAnswer(page, /\/reverse$/)
  await dialog.getByRole('button', { name: 'Reverse it' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(page.getByText(/^Returned by the bank\. Owed again since/)).toBeAttached()
  await dialog.getByRole('button', { name: 'Reverse it' }).click()
  await expect(dialog).toBeHidden()
  const reversed = page.getByText(`is reversed. £${other.payable} is owed to ${other.full_name} again.`)
  await expect(page.locator(':focus').filter({ has: reversed })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Reverse the payout HEARTH 2 / })).toHaveCount(0)
  const { data: again } = await read<Owed>('/admin/payouts')
  expect(again.find((row) => row.practitioner_id === another)).toMatchObject({
    owed: other.owed,
    payable: other.payable,
  })
  // And the practitioner is listed to be paid again.
  await page.getByRole('link', { name: 'Owed' }).click()
  await page.getByRole('button', { name: `Mark as paid out to ${other.full_name}` }).click()
  // More than that has left the bank: it is refused at first, and then recorded all the same.
  await dialog.getByLabel('Amount').fill(String(other.payable + 5))
  await dialog.getByLabel('Bank reference').fill('HEARTH 3')
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(dialog.getByText(`At most £${other.payable} can be paid out now.`)).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'This much has left the bank' }).check({ force: true })
  await dialog.getByRole('button', { name: 'It has been transferred' }).click()
  await expect(dialog).toBeHidden()
  await page.getByLabel('Name or email').fill(other.full_name)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(card.getByText('£5 more was paid out than is earned so far.')).toBeVisible()
  await expect(page.getByRole('button', { name: `Record a transfer to ${other.full_name}` })).toBeVisible()
})
