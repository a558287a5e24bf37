import type { APIRequestContext, Locator, Page } from '@playwright/test'
import {
  bookByApi,
  chooseTime,
  dayLabel,
  freeTimes,
  offerOfPractitioner,
  pick,
  timeWords,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { keyboardOf } from './keyboard.ts'
import { holdAnswers, loseAnswer } from './lost-answers.ts'
import { callAs, register } from './people.ts'
import { dayAfter, dayAhead, keepHour, weekdayOf } from './series.ts'
import { demoTherapist, registerTherapist, signInTherapist, type Therapist } from './therapists.ts'

type Slots = { timeslot: string; location_id: number | null }[]
type Day = { week_name: string; online: Slots; face_to_face: Slots }

async function calendarOf(request: APIRequestContext, { token }: Therapist): Promise<Day[]> {
  const answer = await request.get('/api/v7/therapist/get-calendar', {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await answer.json()) as Day[]
}

/** The chosen hours of a day, both formats. */
async function hoursOf(request: APIRequestContext, therapist: Therapist, name: string) {
  const day = (await calendarOf(request, therapist)).find(({ week_name }) => week_name === name)
  return {
    online: day?.online.map((slot) => slot.timeslot),
    face_to_face: day?.face_to_face.map((slot) => slot.timeslot),
  }
}

/** The demo practitioner's Sundays belong to the test that offers them. */
const isWeekday = (time: string) => !dayLabel(time).startsWith('Sunday')

/** A regular session as it is listed within time off. */
const sessionInTimeOff = (start: string) => ({
  appointment_id: '00000000-0000-4000-8000-000000000000',
  series_id: '00000000-0000-4000-8000-000000000001',
  on_date: dayAfter(start, 0),
  starts_at: start,
  ends_at: start,
  client_name: 'Ada O.',
  service_name: 'Therapy',
  paid: false,
  fee: 60,
})

/** A session as it is named where it lies outside the schedule. */
const sessionOutside = {
  appointment_id: '00000000-0000-4000-8000-000000000000',
  booking_type: 'schedule',
  status: 'confirmed',
  series_id: null,
  appointment_type: 'online',
  service_name: 'Therapy',
  client_name: 'Ada O.',
  client_timezone: null,
  location_name: null,
  outside: 'hours',
}

const day = (area: Page | Locator, name: string) => area.getByRole('tab', { name: new RegExp(`^${name}\\b`) })
const slot = (area: Page | Locator, label: string) => area.getByRole('checkbox', { name: label, exact: true })
const hour = (hours: number) => `${String(hours).padStart(2, '0')}:00`

test('the schedule pages send a visitor to sign in, with the way back', async ({ page }) => {
  await page.goto('/therapist/calendar')
  await expect(page).toHaveURL(/\/therapist\/sign-in\?return_to=%2Ftherapist%2Fcalendar$/)
  await page.goto('/therapist/schedule?from=2026-12-01')
  await expect(page).toHaveURL(/return_to=%2Ftherapist%2Fschedule%3Ffrom%3D2026-12-01$/)
})

test('the first week is set up in the modal and stands in the schedule', async ({ page, request }) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/schedule')
  await expect(page.getByRole('heading', { name: 'No hours yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Set your schedule' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar (Repeats weekly)' })).toBeVisible()
  await page.getByRole('button', { name: 'Start now' }).click()
  const modal = page.getByRole('dialog', { name: 'Your weekly schedule' })
  for (const part of ['Day', 'Format and hours', 'Work timeslots']) {
    await expect(modal.getByRole('heading', { name: part, exact: true })).toBeVisible()
  }
  await expect(modal.getByText('Times are in London time.')).toBeVisible()

  // Monday, online, 10 to 19: nine hours, without the one that begins at the end.
  await expect(day(modal, 'Monday')).toHaveAttribute('aria-selected', 'true')
  await expect(modal.getByRole('radio', { name: 'Online' })).toBeChecked()
  await expect(modal.getByLabel('From')).toHaveValue('10')
  await expect(modal.getByLabel('To', { exact: true })).toHaveValue('19')
  const labels = Array.from({ length: 9 }, (_, index) => `${hour(index + 10)} — ${hour(index + 11)}`)
  for (const label of labels) await expect(slot(modal, label)).not.toBeChecked()
  await expect(modal.getByRole('checkbox')).toHaveCount(10)

  // Neither end can pass the other.
  await modal.getByLabel('To', { exact: true }).selectOption('12:00')
  await expect(modal.getByLabel('From').getByRole('option', { name: '13:00' })).toBeDisabled()
  await modal.getByLabel('From').selectOption('11:00')
  await expect(modal.getByLabel('To', { exact: true }).getByRole('option', { name: '10:00' })).toBeDisabled()
  await expect(modal.getByRole('checkbox')).toHaveCount(2)
  await modal.getByLabel('From').selectOption('08:00')

  await day(modal, 'Thursday').click()
  await slot(modal, '09:00 — 10:00').check()
  const all = modal.getByRole('checkbox', { name: 'Select all timeslots' })
  await all.check()
  for (const label of ['08:00 — 09:00', '09:00 — 10:00', '11:00 — 12:00'])
    await expect(slot(modal, label)).toBeChecked()
  await expect(day(modal, 'Thursday, 4 hours')).toBeVisible()
  await slot(modal, '10:00 — 11:00').uncheck()
  await expect(all).not.toBeChecked()
  await pick(modal.getByRole('radio', { name: 'Face-to-face' }))
  await expect(modal.getByText('Where do you see people?')).toBeVisible()

  await modal.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page).toHaveURL('/therapist/schedule')
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  const thursday = page.getByRole('region', { name: /^Thursday/ })
  await expect(thursday.getByText('Online, 08:00 to 10:00')).toBeAttached()
  await expect(thursday.getByText('Online, 11:00 to 12:00')).toBeAttached()
  await expect(page.getByRole('region', { name: /^Friday/ }).getByText('No hours')).toBeVisible()
  expect(await hoursOf(request, therapist, 'Thr')).toEqual({
    online: ['08:00', '09:00', '11:00'],
    face_to_face: [],
  })
  await page.reload()
  await expect(thursday.getByText('Online, 08:00 to 10:00')).toBeAttached()
  await expect(page.getByText('Your schedule is saved')).toBeHidden()
})

test('no hour is ticked in the modal while the week is being saved', async ({ page, request }) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await page.getByRole('button', { name: 'Start now' }).click()
  const modal = page.getByRole('dialog', { name: 'Your weekly schedule' })
  await slot(modal, '10:00 — 11:00').check()
  const answers = await holdAnswers(page, '**/setup-schedule')
  await modal.getByRole('button', { name: 'Save schedule' }).click()
  await answers.isAsked
  const tryToChange = async () => {
    await slot(modal, '12:00 — 13:00').click()
    await slot(modal, '13:00 — 14:00').press('Space')
    await expect(slot(modal, '13:00 — 14:00')).toBeFocused()
    await modal.getByRole('button', { name: 'Copy Monday to the other weekdays' }).press('Enter')
    await expect(modal.getByRole('checkbox', { checked: true })).toHaveCount(1)
    await expect(slot(modal, '10:00 — 11:00')).toBeChecked()
    await expect(day(modal, 'Tuesday, no hours')).toBeVisible()
  }
  await tryToChange()
  await modal.getByLabel('From').press('ArrowDown')
  await expect(modal.getByLabel('From')).toHaveValue('10')
  await day(modal, 'Tuesday').click()
  await expect(modal.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await day(modal, 'Monday').click()

  // The page that follows is slow to come.
  const [isFetched, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/assets\/therapist-schedule-/, async (route) => {
    isFetched.resolve()
    await mayCome.promise
    await route.continue()
  })
  answers.release()
  await isFetched.promise
  await tryToChange()
  mayCome.resolve()
  await expect(page).toHaveURL('/therapist/schedule')
  expect(await hoursOf(request, therapist, 'Mon')).toEqual({ online: ['10:00'], face_to_face: [] })
  await page.getByRole('link', { name: 'Edit schedule' }).click()
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /^\d\d:\d\d — /, checked: true })).toHaveCount(1)
  await expect(page.getByText('Not saved yet')).toHaveCount(0)
})

test('what is not saved is asked about before one leaves, and undone when one wants', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot(page, '10:00 — 11:00').check()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('link', { name: 'See your week' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect(page).toHaveURL('/therapist/calendar')
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
  await page.getByRole('button', { name: 'Undo changes' }).click()
  await expect(slot(page, '10:00 — 11:00')).not.toBeChecked()
  await expect(page.getByText('Not saved yet')).toBeHidden()

  await slot(page, '12:00 — 13:00').check()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  await expect(page.getByText('once they can find your profile')).toBeVisible()
  await slot(page, '13:00 — 14:00').check()
  await page.getByRole('link', { name: 'See your week' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/therapist/schedule')
  expect(await hoursOf(request, therapist, 'Mon')).toEqual({ online: ['12:00'], face_to_face: [] })

  // The rules and time off are forms of their own on the same page.
  const rules = page.getByRole('region', { name: 'Notice and pause' })
  const timeOff = page.getByRole('region', { name: 'Time off' })
  await page.getByRole('link', { name: 'Edit schedule' }).click()
  await rules.getByLabel('Notice', { exact: true }).selectOption('2 days')
  await page.getByRole('link', { name: 'See your week' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect(rules.getByLabel('Notice', { exact: true })).toHaveValue('2880')
  await rules.getByRole('button', { name: 'Save these rules' }).click()
  await expect(rules.getByText('Saved. Sessions that are booked stay as they are.')).toBeVisible()
  await timeOff
    .getByLabel('First day')
    .fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10))
  await page.getByRole('link', { name: 'See your week' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await timeOff.getByRole('button', { name: 'Add time off' }).click()
  await expect(timeOff.getByText(/is time off\.$/)).toBeVisible()
  await page.getByRole('link', { name: 'See your week' }).click()
  await expect(page).toHaveURL('/therapist/schedule')
})

test('a practitioner who is signed out elsewhere while the week is unsaved is led to sign in again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 401/)
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot(page, '10:00 — 11:00').check()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await callAs(request, therapist, 'POST', '/therapist/logout-everywhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Login as therapist' })).toBeVisible()
  await expect(page).toHaveURL(/\/therapist\/sign-in\?return_to=%2Ftherapist%2Fcalendar$/)
  await expect(page.getByText(/^You were signed out, .* or after some time away\./)).toBeVisible()
})

test('saving a schedule changed in another window asks first, and loses nothing until the choice', async ({
  page,
  request,
  openContext,
  allowComplaint,
}) => {
  allowComplaint(/status of 409|ERR_FAILED/)
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot(page, '10:00 — 11:00').check()
  const other = await (await openContext()).newPage()
  await signInTherapist(other, therapist)
  await other.goto('/therapist/calendar')
  await slot(other, '15:00 — 16:00').check()
  await other.getByRole('button', { name: 'Save schedule' }).click()
  await expect(other.getByText('Your schedule is saved')).toBeVisible()

  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule was saved in another window')).toBeVisible()
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
  expect(await hoursOf(request, therapist, 'Mon')).toEqual({ online: ['15:00'], face_to_face: [] })
  await page.route('**/api/v7/therapist/schedule', (route) => route.abort())
  for (const choice of ['Show the saved one', 'Save this one instead']) {
    await page.getByRole('button', { name: choice }).click()
    await expect(page.getByRole('alert').getByText('We could not reach our server.')).toBeVisible()
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page.getByText('We could not reach our server.')).toHaveCount(0)
  }
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
  expect(await hoursOf(request, therapist, 'Mon')).toEqual({ online: ['15:00'], face_to_face: [] })
  await page.unroute('**/api/v7/therapist/schedule')
  await page.getByRole('button', { name: 'Show the saved one' }).click()
  await expect(slot(page, '15:00 — 16:00')).toBeChecked()
  await expect(slot(page, '10:00 — 11:00')).not.toBeChecked()

  await slot(other, '16:00 — 17:00').check()
  await slot(page, '11:00 — 12:00').check()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  await other.getByRole('button', { name: 'Save schedule' }).click()
  await other.getByRole('button', { name: 'Save this one instead' }).click()
  await expect(other.getByText('Your schedule is saved')).toBeVisible()
  expect(await hoursOf(request, therapist, 'Mon')).toEqual({
    online: ['15:00', '16:00'],
    face_to_face: [],
  })

  const rulesOf = (window: Page) => window.getByRole('region', { name: 'Notice and pause' })
  await rulesOf(page).getByLabel('Notice').selectOption('2 hours')
  await rulesOf(other).getByLabel('Notice').selectOption('4 hours')
  await rulesOf(other).getByRole('button', { name: 'Save these rules' }).click()
  await expect(rulesOf(other).getByText(/^Saved\./)).toBeVisible()
  await rulesOf(page).getByRole('button', { name: 'Save these rules' }).click()
  await expect(rulesOf(page).getByText('Saved: 4 hours of notice')).toBeVisible()
  await expect(rulesOf(page).getByLabel('Notice')).toHaveValue('120')
  await rulesOf(page).getByRole('button', { name: 'Save mine instead' }).click()
  await expect(rulesOf(page).getByText(/^Saved\. /)).toBeVisible()

  await rulesOf(page).getByLabel('Regular sessions').selectOption('Clients ask me first')
  await rulesOf(other).getByLabel('Regular sessions').selectOption('Only when I offer it')
  await rulesOf(other).getByRole('button', { name: 'Save these rules' }).click()
  await expect(rulesOf(other).getByText(/^Saved\./)).toBeVisible()
  await rulesOf(page).getByRole('button', { name: 'Save these rules' }).click()
  await expect(rulesOf(page).getByText('regular sessions: “Only when I offer it”')).toBeVisible()
  await rulesOf(page).getByRole('button', { name: 'Save mine instead' }).click()
  await expect(rulesOf(page).getByText(/^Saved\. /)).toBeVisible()
})

test('a schedule that cannot be saved says so, keeps what was chosen and can be saved again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|status of 500/)
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot(page, '10:00 — 11:00').check()
  await page.route('**/setup-schedule', (route) => route.abort())
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByRole('alert').getByText('Your schedule was not saved')).toBeVisible()
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
  await page.unroute('**/setup-schedule')
  // What is chosen while it is saved stays, and is saved next.
  const chosen = Promise.withResolvers<void>()
  await page.route('**/setup-schedule', async (route) => {
    const response = await route.fetch()
    await chosen.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await slot(page, '11:00 — 12:00').check()
  await expect(page.getByRole('button', { name: 'Undo changes' })).toBeDisabled()
  chosen.resolve()
  await expect(page.getByRole('button', { name: 'Undo changes' })).toBeEnabled()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  await page.route('**/therapist/schedule', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your calendar did not load' })).toBeVisible()
  await page.unroute('**/therapist/schedule')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(slot(page, '10:00 — 11:00')).toBeChecked()
})

test.describe('sessions outside the hours of one practitioner', () => {
  // In turn: each counts the sessions that are outside, and time off puts some there.
  test.describe.configure({ mode: 'default' })

  test('a practitioner offers Sundays, is booked on one, and gives them up: the session stays and is named', async ({
    page,
    request,
    openContext,
  }) => {
    const therapist = await demoTherapist(request)
    await signInTherapist(page, therapist)
    await page.goto('/therapist/calendar')
    await day(page, 'Sunday').click()
    await slot(page, '10:00 — 11:00').check()
    await slot(page, '11:00 — 12:00').check()
    await pick(page.getByRole('radio', { name: 'Face-to-face' }))
    await page.getByRole('button', { name: 'Duplicate from online' }).click()
    await expect(slot(page, '10:00 — 11:00')).toBeChecked()
    await expect(day(page, 'Sunday, 2 hours')).toBeVisible()
    await slot(page, '11:00 — 12:00').uncheck()
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page.getByText('Your schedule is saved')).toBeVisible()
    expect(await hoursOf(request, therapist, 'Sun')).toEqual({
      online: ['10:00', '11:00'],
      face_to_face: ['10:00'],
    })

    // On the profile at once.
    const times = await freeTimes(request, therapist.id, 1)
    const sunday = times.find((time) => dayLabel(time).startsWith('Sunday')) ?? ''
    const visitor = await (await openContext()).newPage()
    await visitor.goto(`/recommended-therapist?practitionerId=${therapist.id}&type=online`)
    await chooseTime(visitor.getByRole('region', { name: 'Book a session' }), sunday)

    const client = await register(request, 'Robin Vale')
    const services = (await (
      await request.get(`/api/v7/practitioner/${therapist.id}/service-types`)
    ).json()) as {
      online: { service_id: number; service_name: string; fee: number; duration: number }[]
      face_to_face: never[]
    }
    const [service] = services.online
    if (!service) throw new Error('The demo practitioner offers nothing.')
    const offer = {
      id: therapist.id,
      name: 'Grace Holloway',
      services,
      service: { id: service.service_id, name: service.service_name, fee: service.fee },
      times,
    }
    await bookByApi(request, client, offer, sunday)

    await page.reload()
    await day(page, 'Sunday').click()
    await page.getByRole('checkbox', { name: 'Select all timeslots' }).check()
    await page.getByRole('checkbox', { name: 'Select all timeslots' }).uncheck()
    await pick(page.getByRole('radio', { name: 'Face-to-face' }))
    await page.getByRole('checkbox', { name: 'Select all timeslots' }).check()
    await page.getByRole('checkbox', { name: 'Select all timeslots' }).uncheck()
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page.getByText(/1 booked session falls outside it and stays booked/)).toBeVisible()
    await page
      .getByRole('status')
      .getByRole('link', { name: 'See your week' })
      .or(page.getByRole('link', { name: 'See your week' }))
      .last()
      .click()
    await expect(page.getByText('One booked session lies outside your schedule')).toBeVisible()
    await page.getByRole('button', { name: /^Show week of Sunday/ }).click()
    const booked = page
      .getByRole('region', { name: /^Sunday/ })
      .getByRole('list', { name: 'Booked sessions' })
    await expect(booked.getByText('Robin V.')).toBeVisible()
    await expect(booked.getByText('Outside your hours')).toBeVisible()
    await expect(page).toHaveURL(/from=/)
    await page.goBack()
    await expect(page).toHaveURL('/therapist/schedule')
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByRole('button', { name: 'This week' }).click()
    await expect(page.getByRole('region', { name: /today/ })).toBeVisible()
    // Given up, and not offered any more.
    const left = await freeTimes(request, therapist.id, 1)
    expect(left.filter((time) => dayLabel(time).startsWith('Sunday'))).toEqual([])
  })

  test('time off offers to skip regular sessions only where there is one in it', async ({
    page,
    request,
  }) => {
    test.slow()
    const therapist = await demoTherapist(request)
    const offer = await offerOfPractitioner(request, therapist.id)
    const times = offer.times.filter(isWeekday)
    const [single = '', regular = ''] = [times.at(-14), times.at(-10)]
    await bookByApi(request, await register(request, 'Uma Single'), offer, single)
    const kept = await keepHour(request, await register(request, 'Rex Weekly'), offer, regular)
    const next = kept.dates.find(({ session_status }) => session_status === 'reserved')?.starts_at ?? ''
    const takeHour = (start: string) =>
      callAs<{ time_off_id: number }>(request, therapist, 'POST', '/therapist/time-off', {
        first_day: dayAfter(start, 0),
        from_time: timeWords(start),
        to_time: `${timeWords(start).slice(0, 2)}:59`,
      })
    const taken = [await takeHour(single), await takeHour(next)]
    await signInTherapist(page, therapist)
    await page.goto('/therapist/calendar')
    const part = page.getByRole('region', { name: 'Time off' })
    const entry = (start: string) =>
      part.getByRole('listitem').filter({ hasText: `${dayLabel(start)}, ${timeWords(start)} to` })
    await expect(entry(single)).toContainText('1 booked session in it')
    await expect(entry(single).getByRole('button', { name: /^Skip regular ones/ })).toHaveCount(0)
    const opener = entry(next).getByRole('button', { name: /^Skip regular ones/ })
    const question = page.getByRole('alertdialog', { name: 'Skip the regular sessions in it?' })
    // Listed at an hour from which its client has moved it.
    await page.route('**/in-time-off', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: object[] }
      await route.fulfill({
        response,
        json: {
          data: data.map((listed) => ({
            ...listed,
            starts_at: dayAhead(1) + 'T09:00:00Z',
            paid: true,
            price: 48,
          })),
        },
      })
    })
    await opener.click()
    await expect(question).toContainText('Rex W.: paid, £48 goes back')
    await question.getByRole('button', { name: 'Skip them' }).click()
    await expect(
      part.getByText(
        '1 regular session was agreed or moved meanwhile and stays booked. Please look at it again.',
      ),
    ).toBeVisible()
    await page.unroute('**/in-time-off')
    await opener.click()
    await expect(part.getByRole('button', { name: /^Skip regular ones/, includeHidden: true })).toHaveCount(1)
    await expect(question).toContainText('Rex W.: not paid yet')
    await expect(question).toContainText('We tell each client straight away.')
    await question.getByRole('button', { name: 'Skip them' }).click()
    await expect(part.getByText('1 regular session is skipped, and we have told the client.')).toBeVisible()
    await expect(part.getByRole('button', { name: /^Skip regular ones/ })).toHaveCount(0)
    for (const { time_off_id: id } of taken)
      await callAs(request, therapist, 'DELETE', `/therapist/time-off/${id}`)
  })

  test('a dialog without a regular session to skip can only be closed', async ({ page, request }) => {
    const therapist = await demoTherapist(request)
    const offer = await offerOfPractitioner(request, therapist.id)
    const start = offer.times.filter(isWeekday).at(-18) ?? ''
    await bookByApi(request, await register(request, 'Ada Once'), offer, start)
    const { time_off_id: id } = await callAs<{ time_off_id: number }>(
      request,
      therapist,
      'POST',
      '/therapist/time-off',
      {
        first_day: dayAfter(start, 0),
        from_time: timeWords(start),
        to_time: `${timeWords(start).slice(0, 2)}:59`,
      },
    )
    await signInTherapist(page, therapist)
    // One is listed that was cancelled before the dialog opened.
    let isListed = true
    await page.route('**/in-time-off', (route) =>
      route.fulfill({ json: { data: isListed ? [sessionInTimeOff(start)] : [] } }),
    )
    await page.goto('/therapist/calendar')
    const entry = page
      .getByRole('region', { name: 'Time off' })
      .getByRole('listitem')
      .filter({ hasText: `${dayLabel(start)}, ${timeWords(start)} to` })
    const opener = entry.getByRole('button', { name: /^Skip regular ones/ })
    await expect(opener).toBeVisible()
    isListed = false
    await opener.click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('No regular session falls within it.')
    await expect(dialog).not.toContainText('We tell each client')
    await expect(dialog.getByRole('button', { name: 'Skip them' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
    await callAs(request, therapist, 'DELETE', `/therapist/time-off/${id}`)
  })
})

test('time off is taken by hours or days, refused in words, and given up again', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422/)
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(way.getByRole('listitem')).toHaveText(['Dashboard', 'Your schedule', 'Calendar'])
  const part = page.getByRole('region', { name: 'Time off' })
  await expect(part.getByText('No time off planned.')).toBeVisible()
  await part.getByRole('button', { name: 'Add time off' }).click()
  await expect(part.getByText('Choose a day.')).toBeVisible()
  await expect(part.getByLabel('First day')).toBeFocused()
  await part.getByLabel('First day').fill('2020-01-01')
  await part.getByRole('button', { name: 'Add time off' }).click()
  await expect(part.getByText('This day has passed. Choose today or later.')).toBeVisible()
  await expect(part.getByLabel('First day')).toBeFocused()

  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await part.getByLabel('First day').fill(date(10))
  await part.getByLabel('Last day').fill(date(12))
  const answers = await holdAnswers(page, '**/therapist/time-off')
  await part.getByRole('button', { name: 'Add time off' }).click()
  await answers.isAsked
  await expect(part.getByLabel('First day')).not.toBeEditable()
  await part.getByRole('checkbox', { name: 'Only some hours' }).press('Space')
  await expect(part.getByRole('checkbox', { name: 'Only some hours' })).not.toBeChecked()
  answers.release()
  await expect(part.getByText(/is time off\.$/)).toBeVisible()
  await expect(part.getByLabel('First day')).toHaveValue('')
  await part.getByLabel('First day').fill(date(20))
  await part.getByLabel('Last day').fill(date(21))
  await part.getByRole('checkbox', { name: 'Only some hours' }).check()
  await expect(part.getByLabel('From, on the first day')).toBeVisible()
  await expect(part.getByLabel('Until, on the last day')).toBeVisible()
  await part.getByLabel(/^Last day/).fill(date(20))
  await expect(part.getByLabel('Until', { exact: true })).toBeVisible()
  await part.getByLabel(/^Last day/).fill('')
  // Without a time it would be the whole day.
  await part.getByRole('button', { name: 'Add time off' }).click()
  await expect(part.getByText('Enter a time, or untick “Only some hours”.')).toBeVisible()
  await expect(part.getByLabel('From')).toBeFocused()
  await part.getByLabel('From').fill('14:00')
  await part.getByLabel('Until').fill('13:00')
  await part.getByRole('button', { name: 'Add time off' }).click()
  await expect(part.getByText('The end is not after the beginning.')).toBeVisible()
  await part.getByLabel('Until').fill('16:30')
  await part.getByRole('button', { name: 'Add time off' }).click()
  await expect(part.getByRole('listitem')).toHaveCount(2)
  await expect(part.getByLabel('First day')).toHaveValue('')
  await expect(part.getByRole('listitem').last()).toContainText(/, 14:00 to 16:30/)

  await page.goto(`/therapist/schedule?from=${date(11)}`)
  await expect(page.getByRole('heading', { name: 'No hours yet' })).toBeVisible()
  await expect(page.getByText('Time off')).toHaveCount(0)
  await expect(way.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/therapist/dashboard')
  await page.goto('/therapist/calendar')
  const ofHours = part.getByRole('button', { name: /^Remove time off .*14:00/ })
  const question = page.getByRole('alertdialog', { name: 'Remove this time off?' })
  await ofHours.click()
  await question.getByRole('button', { name: 'Keep time off' }).click()
  await expect(ofHours).toBeFocused()
  await expect(part.getByRole('listitem')).toHaveCount(2)
  await ofHours.click()
  await question.getByRole('button', { name: 'Remove time off' }).click()
  await expect(part.getByText(/is no longer time off\.$/)).toBeVisible()
  await expect(part.getByRole('listitem')).toHaveCount(1)
})

test('time off that is removed again after its answer was lost is gone, and the focus is at what says so', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED|status of 404/)
  const therapist = await registerTherapist(request)
  await callAs(request, therapist, 'POST', '/therapist/time-off', { first_day: dayAhead(10) })
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  const part = page.getByRole('region', { name: 'Time off' })
  await part.getByRole('button', { name: /^Remove time off/ }).click()
  await loseAnswer(page, /\/therapist\/time-off\/\d+$/, 'DELETE')
  const question = page.getByRole('alertdialog', { name: 'Remove this time off?' })
  await question.getByRole('button', { name: 'Remove time off' }).click()
  await expect(question.getByText('It is still time off')).toBeVisible()
  await question.getByRole('button', { name: 'Remove time off' }).click()
  await expect(question).toBeHidden()
  await expect(part.getByText('No time off planned.')).toBeVisible()
  const said = page.getByText(/is no longer time off\.$/)
  await expect(page.locator(':focus').filter({ has: said })).toBeVisible()
})

test('the switch shows that a practitioner is available now, also when the answer was lost', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED/)
  await signInTherapist(page, await registerTherapist(request))
  await page.goto('/therapist/schedule')
  const now = page.getByRole('region', { name: 'Help right now' })
  await loseAnswer(page, /\/therapist\/available-now$/, 'PUT')
  await now.getByRole('switch', { name: 'Available now' }).click()
  await expect(now.getByRole('alert')).toBeVisible()
  await expect(now.getByText(/^You are available until/)).toBeVisible()
  await expect(now.getByRole('switch', { name: 'Available now' })).toBeChecked()
})

test('the week of a session outside the schedule is the one of the practitioner’s own clock', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  const today = dayAhead(0)
  const at = (days: number) => dayAfter(`${today}T12:00:00Z`, days - weekdayOf(today))
  // Monday, 09:00 in Sydney.
  const session = {
    ...sessionOutside,
    starts_at: `${at(14)}T23:00:00.000Z`,
    ends_at: `${at(14)}T23:50:00.000Z`,
  }
  await page.route(/\/api\/v7\/therapist\/schedule(\?|$)/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as object
    await route.fulfill({ response, json: { ...answer, timezone: 'Australia/Sydney', outside: [session] } })
  })
  await page.goto('/therapist/schedule')
  await page.getByRole('button', { name: /^Show week of Monday/ }).click()
  await expect(page).toHaveURL(`/therapist/schedule?from=${at(15)}`)
})

test('notice and pause are kept, and being available now ends when it is switched off', async ({
  page,
  request,
  allowComplaint,
}) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  const rules = page.getByRole('region', { name: 'Notice and pause' })
  await expect(rules.getByLabel('Notice')).toHaveValue('60')
  await rules.getByLabel('Notice').selectOption('2 days')
  // What is chosen while it is saved stays, and is saved next.
  const chosen = Promise.withResolvers<void>()
  await page.route('**/therapist/booking-rules', async (route) => {
    const response = await route.fetch()
    await chosen.promise
    await route.fulfill({ response })
  })
  const saved = page.waitForResponse('**/therapist/booking-rules')
  await rules.getByRole('button', { name: 'Save these rules' }).click()
  await rules.getByLabel('Pause').selectOption('15 minutes')
  chosen.resolve()
  await saved
  await expect(rules.getByRole('button', { name: 'Save these rules' })).toBeEnabled()
  await expect(rules.getByLabel('Notice')).toHaveValue('2880')
  await expect(rules.getByLabel('Pause')).toHaveValue('15')
  await expect(rules.getByText('Saved. Sessions that are booked stay as they are.')).toHaveCount(0)
  await rules.getByRole('button', { name: 'Save these rules' }).click()
  await expect(rules.getByText('Saved. Sessions that are booked stay as they are.')).toBeVisible()
  await page.reload()
  await expect(rules.getByLabel('Notice')).toHaveValue('2880')
  await expect(rules.getByLabel('Pause')).toHaveValue('15')

  // What another window has saved since is not overwritten by what was chosen before a reload.
  allowComplaint(/status of 409/)
  await page.unroute('**/therapist/booking-rules')
  await rules.getByLabel('Pause').selectOption('5 minutes')
  await callAs(request, therapist, 'PUT', '/therapist/booking-rules', { pause_minutes: 30 })
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(rules.getByLabel('Pause')).toHaveValue('5')
  await rules.getByRole('button', { name: 'Save these rules' }).click()
  await expect(rules.getByText('These rules were saved in another window')).toBeVisible()
  await rules.getByRole('button', { name: 'Show what is saved' }).click()
  await expect(rules.getByLabel('Pause')).toHaveValue('30')

  await page.goto('/therapist/schedule')
  const now = page.getByRole('region', { name: 'Help right now' })
  await now.getByLabel('For').selectOption('1 hour')
  await now.getByRole('switch', { name: 'Available now' }).click()
  await expect(now.getByText(/^You are available until .*\d\d:\d\d\.$/)).toBeVisible()
  await expect(now.getByText(/only while your profile is approved/)).toBeVisible()
  await page.reload()
  await expect(now.getByRole('switch', { name: 'Available now' })).toBeChecked()
  await now.getByRole('switch', { name: 'Available now' }).click()
  await expect(now.getByRole('switch', { name: 'Available now' })).not.toBeChecked()
  await expect(now.getByLabel('For')).toBeVisible()
})

test('two presses lead two weeks on, also before the first of them is on the screen', async ({
  page,
  request,
}) => {
  await signInTherapist(page, await registerTherapist(request))
  await page.goto('/therapist/schedule')
  const next = page.getByRole('button', { name: 'Next week' })
  await expect(next).toBeVisible()
  const pressed = Promise.withResolvers<void>()
  await page.route('**/therapist/schedule?from=*', async (route) => {
    await pressed.promise
    await route.fallback()
  })
  const from = () => new URL(page.url()).searchParams.get('from') ?? ''
  await next.click()
  await expect.poll(from).not.toBe('')
  const first = Date.parse(from())
  await next.click()
  await expect.poll(() => Date.parse(from()) - first).toBe(7 * 86_400_000)
  pressed.resolve()
  await page.getByRole('button', { name: 'Previous week' }).click()
  await expect.poll(() => Date.parse(from())).toBe(first)
})

test('the week is written by keyboard alone', async ({ page, request }) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  const keys = keyboardOf(page)
  await keys.press(page.getByRole('button', { name: 'Start now' }), 'Enter')
  const modal = page.getByRole('dialog', { name: 'Your weekly schedule' })
  await keys.reach(day(modal, 'Monday'), 'Tab')
  await page.keyboard.press('ArrowRight')
  await keys.expectSeen()
  await expect(day(modal, 'Tuesday')).toBeFocused()
  await page.keyboard.press('End')
  await expect(day(modal, 'Sunday')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(day(modal, 'Monday')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await keys.reach(modal.getByRole('radio', { name: 'Online' }), 'Tab')
  await keys.reach(modal.getByLabel('From'), 'Tab')
  await page.keyboard.press('ArrowDown')
  await expect(modal.getByLabel('From')).toHaveValue('11')
  await keys.press(slot(modal, '12:00 — 13:00'), 'Space')
  await expect(slot(modal, '12:00 — 13:00')).toBeChecked()
  await keys.press(modal.getByRole('button', { name: 'Copy Tuesday to the other weekdays' }), 'Enter')
  await expect(modal.getByText(/are now those of Monday to Friday/)).toBeVisible()
  await keys.press(modal.getByRole('button', { name: 'Save schedule' }), 'Enter')
  await expect(page).toHaveURL('/therapist/schedule')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await keys.press(page.getByRole('button', { name: 'Next week' }), 'Enter')
  await keys.expectKept()
  await keys.press(page.getByRole('switch', { name: 'Available now' }), 'Space')
  await expect(page.getByText(/^You are available until/)).toBeVisible()
  await keys.expectKept()
  await keys.pressBackwards(page.getByRole('link', { name: 'Edit schedule' }), 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar (Repeats weekly)' })).toBeFocused()
  await keys.press(page.getByRole('button', { name: 'Start now' }), 'Enter')
  await expect(page.locator('[role=dialog]:focus, [role=dialog] :focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Start now' })).toBeFocused()
  expect(await hoursOf(request, therapist, 'Fri')).toEqual({ online: ['12:00'], face_to_face: [] })
})

test('a calendar app is connected by a link that is shown once and can be ended', async ({
  page,
  request,
}) => {
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await page.getByRole('link', { name: 'Connect calendar app' }).click()
  const part = page.getByRole('region', { name: 'Calendar app' })
  await expect(part).toBeInViewport()
  await expect(part.getByRole('heading', { name: 'Calendar app' })).toBeFocused()
  await part.getByRole('button', { name: 'Connect calendar app' }).click()
  const link = await part.getByLabel('Link for your calendar app').inputValue()
  const read = () => request.get(new URL(link).pathname)
  expect((await (await read()).body()).toString()).toMatch(/^BEGIN:VCALENDAR\r\n/)
  await expect(part.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute('href', /^webcal:/)
  await page.reload()
  await expect(part.getByText(/^Connected since .*Last read /)).toBeVisible()
  await expect(page.getByText(link)).toHaveCount(0)
  await part.getByRole('button', { name: 'Disconnect' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Keep the link' }).click()
  expect((await read()).status()).toBe(200)
  await part.getByRole('button', { name: 'Disconnect' }).click()
  await asked.getByRole('button', { name: 'Disconnect' }).click()
  await expect(part.getByText(/^Connected since/)).toBeHidden()
  await expect(page.locator(':focus')).toHaveText(
    'The link is disconnected. Nothing can read by it any more.',
  )
  expect((await read()).status()).toBe(404)
})

test('with two places, each face-to-face hour needs one, and the calendar leads to where it is missing', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const therapist = await registerTherapist(request)
  const place = (location_name: string) => ({
    location_name,
    country: 'United Kingdom',
    city: 'Leeds',
    street: 'Park Row',
    home_number: '12',
    postal_code: 'LS1 5HD',
    latitude: 53.8,
    longitude: -1.55,
  })
  const added = await request.post('/api/v7/therapist/add-location-list', {
    headers: { authorization: `Bearer ${therapist.token}` },
    data: { location_list: [place('Rosewood House'), place('The Elm Rooms')] },
  })
  expect(added.ok(), await added.text()).toBe(true)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/calendar')
  await slot(page, '10:00 — 11:00').check()
  await slot(page, '11:00 — 12:00').check()
  await pick(page.getByRole('radio', { name: 'Face-to-face' }))
  await page.getByRole('button', { name: 'Duplicate from online' }).click()
  await page.getByLabel('Place, 10:00 — 11:00').selectOption('The Elm Rooms')
  await day(page, 'Friday').click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByRole('alert')).toContainText('Monday, 11:00: choose where you see people.')
  await expect(day(page, 'Monday')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('Place, 11:00 — 12:00')).toHaveAccessibleDescription(
    'Choose where you see people.',
  )
  await page.getByLabel('Place of all timeslots').selectOption('Rosewood House')
  await page.getByLabel('Place, 10:00 — 11:00').selectOption('The Elm Rooms')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  await page.getByRole('link', { name: 'See your week' }).click()
  const monday = page.getByRole('region', { name: /^Monday/ })
  await expect(monday.getByText('Face-to-face, 10:00 to 11:00, The Elm Rooms')).toBeAttached()
  await expect(monday.getByText('Face-to-face, 11:00 to 12:00, Rosewood House')).toBeAttached()
  // A place is given up in another window while the week is edited here.
  await page.goto('/therapist/calendar')
  await pick(page.getByRole('radio', { name: 'Face-to-face' }))
  await slot(page, '12:00 — 13:00').check()
  await page.getByLabel('Place of all timeslots').selectOption('The Elm Rooms')
  const [rosewood] = ((await added.json()) as { locations: { location_id: number }[] }).locations
  const keepPlaces = async (location_list: object[]) => {
    const kept = await request.post('/api/v7/therapist/add-location-list', {
      headers: { authorization: `Bearer ${therapist.token}` },
      data: { location_list },
    })
    expect(kept.ok(), await kept.text()).toBe(true)
    await page.reload()
  }
  await keepPlaces([{ ...place('Rosewood House'), id: rosewood?.location_id }])
  await pick(page.getByRole('radio', { name: 'Face-to-face' }))
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByRole('alert')).toContainText('Monday, 10:00: choose where you see people.')
  await expect(page.getByLabel('Place of all timeslots')).toHaveValue('')
  await page.getByLabel('Place of all timeslots').focus()
  await page.getByLabel('Place of all timeslots').selectOption('Rosewood House')
  await expect(page.getByLabel('Place, 12:00 — 13:00')).toHaveValue(/\d/)
  await expect(page.getByLabel('Place of all timeslots')).toBeFocused()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByRole('button', { name: 'Save this one instead' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
  // Without any place left, the hours can still be taken out.
  await slot(page, '13:00 — 14:00').check()
  await keepPlaces([])
  await pick(page.getByRole('radio', { name: 'Face-to-face' }))
  await expect(page.getByRole('link', { name: 'Add a place' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all timeslots' }).check()
  await page.getByRole('checkbox', { name: 'Select all timeslots' }).uncheck()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Your schedule is saved')).toBeVisible()
})

test('a practitioner without a place is led to where one is added, and back to the calendar', async ({
  page,
  request,
}) => {
  await signInTherapist(page, await registerTherapist(request))
  await page.goto('/therapist/calendar')
  await pick(page.getByRole('radio', { name: 'Face-to-face' }))
  await page.getByRole('link', { name: 'Add a place' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Where you see people' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the calendar' }).click()
  await expect(page).toHaveURL('/therapist/calendar')
})
