import { expectAlive } from './alive.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'
import { expect, test } from './fixtures.ts'
import { holdAnswers } from './lost-answers.ts'
import { callAs, password, register, signIn, signInAgain } from './people.ts'
import { dayAhead } from './series.ts'
import type { Page } from '@playwright/test'
import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'

async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const kept = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage))

test('an unsaved week is there again after a reload and a new sign-in of the same practitioner alone', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const therapist = await registerTherapist(request)
  const other = await registerTherapist(request, ['Noor', 'Haddad'])
  const slot = (name: string) => page.getByRole('checkbox', { name, exact: true })
  const unsaved = page.getByText('Not saved yet')
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot('10:00 — 11:00').check()
  await page.reload()
  await expect(slot('10:00 — 11:00')).toBeChecked()
  await expect(unsaved).toBeVisible()
  await slot('12:00 — 13:00').check()

  const endElsewhere = async () => {
    await callAs(request, therapist, 'POST', '/therapist/logout-everywhere')
    await expect(page.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
    await expect(page).toHaveURL(/\/therapist\/sign-in\?return_to=%2Ftherapist%2Fcalendar$/)
  }
  await endElsewhere()
  await signInHere(page, therapist.email)
  await expect(page).toHaveURL('/therapist/calendar')
  await expect(slot('10:00 — 11:00')).toBeChecked()
  await expect(slot('12:00 — 13:00')).toBeChecked()
  await expect(unsaved).toBeVisible()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  expect(await kept(page)).not.toContain('12:00')
  await page.reload()
  await expect(slot('12:00 — 13:00')).toBeChecked()
  await expect(unsaved).toHaveCount(0)

  await test.step('what is left without saving, or undone, is forgotten', async () => {
    await slot('15:00 — 16:00').check()
    await page.getByRole('link', { name: 'See your week' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL('/therapist/schedule')
    await page.getByRole('link', { name: 'Edit schedule' }).click()
    await expect(slot('12:00 — 13:00')).toBeChecked()
    await expect(slot('15:00 — 16:00')).not.toBeChecked()
    await slot('16:00 — 17:00').check()
    await page.getByRole('button', { name: 'Undo changes' }).click()
    await page.reload()
    await expect(slot('12:00 — 13:00')).toBeChecked()
    await expect(slot('16:00 — 17:00')).not.toBeChecked()
  })

  await test.step('another practitioner in this tab finds nothing of it', async () => {
    await slot('17:00 — 18:00').check()
    const again = await request.post('/api/v7/therapist/login', {
      data: { email: therapist.email, password },
    })
    therapist.token = ((await again.json()) as { token: string }).token
    await endElsewhere()
    await signInHere(page, other.email)
    await expect(page).toHaveURL('/therapist/calendar')
    await expect(slot('10:00 — 11:00')).not.toBeChecked()
    await expect(slot('17:00 — 18:00')).not.toBeChecked()
    await expect(unsaved).toHaveCount(0)
    expect(await kept(page)).not.toContain('17:00')
  })
})

test('rules and time off that are not saved are there again after a new sign-in, and forgotten once saved or left', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const therapist = await registerTherapist(request)
  const notice = page.getByRole('region', { name: 'Notice and pause' }).getByLabel('Notice', { exact: true })
  const timeOff = page.getByRole('region', { name: 'Time off' })
  const [first, last] = [timeOff.getByLabel('First day'), timeOff.getByLabel('Last day')]
  const [firstDay, lastDay] = [dayAhead(30), dayAhead(31)]
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await notice.selectOption('2 days')
  await first.fill(firstDay)
  await last.fill(lastDay)
  await callAs(request, therapist, 'POST', '/therapist/logout-everywhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
  await signInHere(page, therapist.email)
  await expect(page).toHaveURL('/therapist/calendar')
  await expect(notice).toHaveValue('2880')
  await expect(first).toHaveValue(firstDay)
  await expect(last).toHaveValue(lastDay)

  await timeOff.getByRole('button', { name: 'Add time off' }).click()
  await expect(timeOff.getByText(/is time off\.$/)).toBeVisible()
  expect(await kept(page)).not.toContain(firstDay)
  await page.getByRole('button', { name: 'Save these rules' }).click()
  await expect(page.getByText('Saved. Sessions that are booked stay as they are.')).toBeVisible()
  await page.reload()
  await expect(notice).toHaveValue('2880')
  await notice.selectOption('7 days')
  await first.fill(dayAhead(40))
  await page.getByRole('link', { name: 'See your week' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('link', { name: 'Edit schedule' }).click()
  await expect(notice).toHaveValue('2880')
  await expect(first).toHaveValue('')
})

test('what a client chose for a waitlist is there again after a new sign-in, until it is sent', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of (401|409)/)
  const client = await register(request, 'Wren Abara')
  const { id } = await demoTherapist(request)
  const path = `/join-waitlist?practitionerId=${id}`
  const main = page.getByRole('main')
  const chip = (name: string) => main.getByRole('checkbox', { name, exact: true })
  const days = main.getByRole('group', { name: 'Your own times: days' })
  const notice = main.getByLabel('How much notice do you need?')
  await signIn(page, client)
  await page.goto(path)
  await expectAlive(page)
  await chip('Weekends').press('Space')
  await main.getByRole('button', { name: 'Add days and times of your own' }).click()
  await days.getByRole('checkbox', { name: 'Tue' }).press('Space')
  await main.getByLabel('From', { exact: true }).selectOption('21:00')
  await main.getByLabel('Until', { exact: true }).selectOption('22:00')
  await notice.selectOption({ index: 0 })
  const chosenNotice = await notice.inputValue()
  await main.getByLabel('Not before').fill('2031-03-04')

  await callAs(request, client, 'POST', '/client/logout-everywhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeVisible()
  expect(page.url()).not.toContain('2031-03')
  await signInHere(page, client.email)
  await expect(page).toHaveURL(path)
  await expect(chip('Weekends')).toBeChecked()
  await expect(chip('Mon–Fri mornings')).not.toBeChecked()
  await expect(days.getByRole('checkbox', { name: 'Tue' })).toBeChecked()
  await expect(main.getByLabel('From', { exact: true })).toHaveValue('21:00')
  await expect(main.getByLabel('Not before')).toHaveValue('2031-03-04')
  await expect(notice).toHaveValue(chosenNotice)

  const answers = await holdAnswers(page, '**/api/v7/waitlist')
  await main.getByRole('button', { name: 'Join the waitlist' }).click()
  await answers.isAsked
  await chip('Mon–Fri mornings').press('Space')
  await expect(chip('Mon–Fri mornings')).not.toBeChecked()
  await days.getByRole('checkbox', { name: 'Tue' }).press('Space')
  await expect(days.getByRole('checkbox', { name: 'Tue' })).toBeChecked()
  await main.getByRole('button', { name: 'Remove your own times, Tue' }).press('Enter')
  await main.getByRole('button', { name: 'Add more' }).press('Enter')
  await expect(days).toHaveCount(1)
  await notice.press('ArrowDown')
  await expect(notice).toHaveValue(chosenNotice)
  await expect(main.getByLabel('Not before')).not.toBeEditable()
  // The page that follows is slow to come.
  const [isFetched, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/assets\/own-waitlist-/, async (route) => {
    isFetched.resolve()
    await mayCome.promise
    await route.continue()
  })
  answers.release()
  await isFetched.promise
  await expect(main.getByLabel('Not before')).not.toBeEditable()
  mayCome.resolve()
  await expect(page).toHaveURL('/my-sessions/waitlist')
  expect(await kept(page)).not.toContain('2031-03-04')

  await test.step('a change that is given up is forgotten', async () => {
    await main.getByRole('link', { name: /^Change what you wait for/ }).click()
    await chip('Mon–Fri mornings').press('Space')
    await main.getByRole('link', { name: 'Go back' }).click()
    await expect(page).toHaveURL('/my-sessions/waitlist')
    await main.getByRole('link', { name: /^Change what you wait for/ }).click()
    await expect(chip('Weekends')).toBeChecked()
    await expect(chip('Mon–Fri mornings')).not.toBeChecked()
  })

  await test.step('a change that another window has overtaken is not brought back, and a saved one changes nothing else', async () => {
    const phone = await signInAgain(request, client)
    const entryNow = async () => (await callAs<WaitlistEntry[]>(request, phone, 'GET', '/client/waitlist'))[0]
    const id = (await entryNow())?.entry_id
    const change = (body: object) => callAs(request, phone, 'PUT', `/waitlist/${id}`, body)
    await chip('Mon–Fri mornings').press('Space')
    await page.goBack()
    await expect(page).toHaveURL('/my-sessions/waitlist')
    await change({ earliest: '2031-04-05' })
    await page.reload()
    await main.getByRole('link', { name: /^Change what you wait for/ }).click()
    await expect(main.getByLabel('Not before')).toHaveValue('2031-04-05')
    await expect(chip('Mon–Fri mornings')).not.toBeChecked()

    await change({ earliest: '2031-05-06' })
    await chip('Mon–Fri mornings').press('Space')
    await main.getByRole('button', { name: 'Save changes' }).click()
    await expect(page).toHaveURL('/my-sessions/waitlist')
    expect((await entryNow())?.earliest).toBe('2031-05-06')
  })
})
