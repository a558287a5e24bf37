import { looker, screens, walking } from './axe.ts'
import { breakCalls, outage } from './broken-calls.ts'
import {
  bookByApi,
  dayLabel,
  freeEveryWeek,
  freeTimes,
  offerOfPractitioner,
  ownPractitioner,
  timeWords,
  upcoming,
} from './booking.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { chooseTimeByKeyboard, keyboardOf } from './keyboard.ts'
import { holdAnswers, loseAnswer } from './lost-answers.ts'
import { callAs, register, saveCard, signIn, signInAgain } from './people.ts'
import { agreeByApi, dayAfter, dayAhead, keepHour, type Kept, ownSeries, weekdayOf } from './series.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use(walking)

test('a client keeps an hour by keyboard at 320px, skips and moves a date, is away, changes the rhythm and ends it', async ({
  page,
  request,
}, info) => {
  test.slow()
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  const hour = offer.times[0] ?? ''
  const { session_id } = await bookByApi(request, account, offer, hour)
  // Another client has the hour in two weeks.
  const taken = dayAfter(hour, 14)
  const same = offer.times.find((time) => dayAfter(time, 0) === taken && timeWords(time) === timeWords(hour))
  if (same) await bookByApi(request, await register(request, 'Odette Lane'), offer, same)
  const keys = keyboardOf(page)
  const main = page.getByRole('main')
  const { look } = looker(page, [])
  const series = main.getByRole('listitem', { name: /^Every / })
  const only = async () => (await ownSeries(request, account)).find(({ state }) => state === 'active')

  await test.step('after a booking', async () => {
    await signIn(page, account)
    await page.goto(`/session-is-booked?session=${session_id}`)
    await expect(main.getByRole('heading', { name: /^Keep \w+days \d\d:\d\d\?$/ })).toBeVisible()
    await keys.press(main.getByRole('link', { name: 'See the dates' }), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Keep / })).toBeVisible()
  })

  await test.step('agree', async () => {
    await expect(main.getByText('Free until we take the payment.').last()).toBeVisible()
    await expect(main.getByText(/^£.*, taken \w+day /).first()).toBeVisible()
    await expect(main.getByRole('radio', { name: /4242/ })).toBeChecked()
    const dates = main.getByRole('listitem').filter({ hasText: /, taken \w+day |Already booked/ })
    await expect(dates).toHaveCount(10)
    await expect(dates.last()).toContainText(/Reserved from \w+day \d+ \w+( \d{4})?\./)
    const conflict = main.getByRole('group', {
      name: new RegExp(`^Already booked on ${dayLabel(`${taken}T12:00:00Z`)}`),
    })
    await expect(conflict.getByRole('radio', { name: 'Skip this date' })).toBeChecked()
    await look('agree')
    await keys.reach(conflict.getByRole('radio', { name: 'Skip this date' }), 'Tab')
    await page.keyboard.press('ArrowDown')
    await keys.expectSeen()
    await expect(main.getByText(/^In place of /)).toBeVisible()
    const answers = await holdAnswers(page, /\/series\/[^/]+\/agree$/)
    await keys.press(main.getByRole('button', { name: 'Agree' }), 'Enter')
    await answers.isAsked
    await main.getByRole('radio', { name: 'Every second week' }).press('Space')
    await expect(main.getByRole('radio', { name: 'Every week' })).toBeChecked()
    await conflict.getByRole('radio', { name: 'Skip this date' }).press('Space')
    await expect(conflict.getByRole('radio', { name: 'Skip this date' })).not.toBeChecked()
    answers.release()
    await expect(page).toHaveURL('/my-sessions')
    await expect(main.getByText(/is kept for you$/)).toBeVisible()
    await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText('Your regular sessions')
    await expect(series.getByText(/^Not paid yet: £\S+ will be taken on /).first()).toBeVisible()
    await look('a series in My Sessions')
    expect(
      (await only())?.dates.filter(({ session_status }) => session_status === 'reserved').length,
    ).toBeGreaterThan(4)
  })

  await test.step('skip, and take it up again', async () => {
    await keys.press(series.getByRole('button', { name: /^Skip / }).first(), 'Enter')
    const question = page.getByRole('alertdialog', { name: 'Skip this date?' })
    await expect(question).toBeFocused()
    await look('skipping a date')
    await keys.press(question.getByRole('button', { name: 'Skip it' }), 'Enter')
    await expect(question).toBeHidden()
    await expect(series.getByText('Skipped. Nothing is charged.').first()).toBeVisible()
    await keys.expectKept()
    const again = series.getByRole('button', { name: /^Take it up again/ }).first()
    await keys.press(again, 'Enter')
    await expect(page.getByText(/is yours again\.$/)).toBeVisible()
    await keys.expectKept()
  })

  await test.step('move', async () => {
    const [, , other = ''] = await freeTimes(request, offer.id, offer.service.id)
    await keys.press(series.getByRole('button', { name: /^Move / }).first(), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    await chooseTimeByKeyboard(keys, dialog, other)
    await expect(dialog.getByRole('region', { name: 'Your change' })).toContainText('Nothing is paid now.')
    await look('moving an unpaid session')
    await keys.press(dialog.getByRole('button', { name: 'Book session' }), 'Enter')
    await keys.press(dialog.getByRole('button', { name: 'Done' }), 'Enter')
    await expect(dialog).toBeHidden()
    await expect(series.getByText(/^Moved from /)).toHaveCount(2)
    await keys.expectKept()
    const moved = (await only())?.dates.filter(({ state, on_date }) => state === 'moved' && on_date !== taken)
    expect(moved).toMatchObject([{ session_status: 'reserved', payment: 'not_yet' }])
    expect(Date.parse(moved?.[0]?.starts_at ?? '')).toBe(Date.parse(other))
  })

  await test.step('away for two weeks', async () => {
    await keys.press(series.getByRole('button', { name: 'I’ll be away' }), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'When will you be away?' })
    await walkForm(page, 'features/series/AwayDialog', {
      within: dialog,
      submit: 'Skip these days',
      fields: [['First day', dayAhead(22)], ['Last day']],
    })
    await dialog.getByLabel('Last day').fill(dayAhead(35))
    await look('away')
    await keys.press(dialog.getByRole('button', { name: 'Skip these days' }), 'Enter')
    await expect(main.getByText(/^Skipped: \w+day .*, \w+day /)).toBeVisible()
    await keys.expectKept()
    const inside = (await only())?.dates.filter(
      ({ on_date }) => on_date >= dayAhead(22) && on_date <= dayAhead(35),
    )
    expect(inside?.map(({ state }) => state)).toEqual(['skipped', 'skipped'])
  })

  await test.step('every second week', async () => {
    await keys.press(series.getByRole('button', { name: 'Change the hour' }), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Change the hour' })
    await dialog.getByLabel('Time').fill('')
    const from = await dialog.getByLabel('From').inputValue()
    await dialog.getByLabel('From').fill('')
    await walkForm(page, 'features/series/ChangeRhythm', {
      within: dialog,
      submit: 'Change it',
      fields: [['Time', '20:30'], ['From']],
    })
    await dialog.getByLabel('From').fill(from)
    await dialog.getByLabel('Time').fill((await only())?.rhythm.start ?? '')
    await keys.reach(dialog.getByLabel('How often'), 'Shift+Tab')
    await page.keyboard.press('ArrowDown')
    const dates = dialog.getByRole('region', { name: 'Your new dates' })
    await expect(dates.getByRole('listitem')).toHaveCount(10)
    // Nothing changes before the dates of the hour are shown: the weeks away would be reserved again.
    await page.route('**/change-preview', () => undefined)
    await dialog.getByLabel('How often').selectOption('4')
    await expect(dates).toHaveAttribute('aria-busy', 'true')
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await expect(dialog.getByText('Please look at the new dates first.')).toBeVisible()
    expect(await only()).toMatchObject({ rhythm: { every_weeks: 1 } })
    await page.unroute('**/change-preview')
    await dialog.getByLabel('How often').selectOption('2')
    await expect(dates).toHaveAttribute('aria-busy', 'false')
    // The weeks away stay so, unless the client wants one of them after all.
    await expect(dialog.getByRole('button', { name: /^Keep this date/ })).toHaveCount(1)
    await look('changing the rhythm')
    await keys.press(dialog.getByRole('button', { name: 'Change it' }), 'Enter')
    await expect(main.getByText('Your hour has changed')).toBeVisible()
    await expect(main.getByRole('listitem', { name: /^Every second / })).toHaveCount(1)
    const changed = await only()
    expect(changed).toMatchObject({ rhythm: { every_weeks: 2 } })
    const inside = changed?.dates.filter(({ on_date }) => on_date >= dayAhead(22) && on_date <= dayAhead(35))
    expect(inside?.map(({ state }) => state)).toEqual(['skipped'])
  })

  await test.step('end', async () => {
    await keys.press(series.getByRole('button', { name: 'End it' }), 'Enter')
    const question = page.getByRole('alertdialog', { name: /^End / })
    await expect(question.getByText(/reserved, not paid$/)).toBeVisible()
    await look('ending')
    await keys.press(question.getByRole('button', { name: 'End it' }), 'Enter')
    await expect(main.getByText(/has ended$/)).toBeVisible()
    await keys.expectKept()
    expect(await only()).toBeUndefined()
    // The session that was booked before is no part of it.
    expect((await upcoming(request, account)).map(({ status }) => status)).toEqual(['confirmed'])
  })
})

test('an hour offered outside the schedule is agreed, its declined card leads to the payment, and that to a confirmed session', async ({
  page,
  request,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  test.slow()
  allowComplaint(/status of (402|409|422)/)
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const client = await register(request, 'Bea Kendal')
  const { session_id } = await bookByApi(request, client, offer, offer.times.at(-3) ?? '')
  const practice = looker(page, screens.practiceSeries)
  const theirs = await (await openContext({ ...walking, baseURL })).newPage()
  const own = looker(theirs, screens.series)
  const first = dayAhead(1)

  await test.step('the practitioner offers an hour', async () => {
    await signInTherapist(page, therapist)
    const gone = 'The place of this session is no longer offered.'
    const propose = `/therapist/series/propose?appointment=${session_id}`
    await page.route('**/therapist/series/preview', (route) =>
      route.fulfill({
        status: 422,
        json: { code: 'validation_failed', message: gone, errors: { location_id: [gone] } },
      }),
    )
    await page.goto(propose)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: 'This hour cannot be offered' })).toBeVisible()
    await expect(main.getByText(gone)).toBeVisible()
    await page.unroute('**/therapist/series/preview')
    await page.goto(propose)
    await expect(page.getByRole('heading', { name: 'The first dates' })).toBeVisible()
    await page.getByLabel('Time').fill('')
    await page.getByLabel('From').fill('')
    await walkForm(page, 'features/series/practitioner/ProposeSeries', {
      submit: 'Send the offer',
      fields: [['Time', '06:30'], ['From']],
    })
    await expect(page.getByRole('main').getByText(/^For Bea K\./)).toBeVisible()
    // Day and From follow each other.
    const dates = page.getByRole('region', { name: 'The first dates' })
    const next = dayAhead(2)
    await page.getByLabel('From').fill(first)
    await expect(page.getByLabel('Day')).toHaveValue(String(weekdayOf(first)))
    await page.getByLabel('Day').selectOption(String(weekdayOf(next)))
    await expect(page.getByLabel('From')).toHaveValue(next)
    await expect(dates.getByRole('listitem').first()).toContainText(dayLabel(`${next}T12:00:00Z`))
    await page.getByLabel('From').fill(dayAhead(-1))
    await expect(dates.getByText(/^This day has passed\./)).toBeVisible()
    await expect(dates.getByRole('listitem')).toHaveCount(0)
    // The hour of today has begun, and the first date would be another one than the page shows.
    const today = dayAhead(0)
    await page.getByLabel('Time').fill('00:00')
    await page.getByLabel('From').fill(today)
    await expect(dates.locator('[aria-busy=false]')).toBeVisible()
    await expect(dates.getByText(/^The first date must be free\./)).toBeVisible()
    await page.getByRole('button', { name: 'Send the offer' }).click()
    const refused = page.getByRole('main').getByRole('alert').filter({ hasText: 'Your offer was not sent' })
    await expect(refused).toContainText('The first date must be free.')
    await page.getByLabel('Time').fill('06:30')
    await page.getByLabel('From').fill(first)
    await expect(page.getByLabel('Day')).toHaveValue(String(weekdayOf(first)))
    await expect(page.getByRole('listitem').filter({ hasText: '06:30' })).toHaveCount(10)
    await practice.look('an offer')
    await page.getByRole('button', { name: 'Send the offer' }).click()
    await expect(page).toHaveURL('/therapist/series')
    await expect(page.getByText('Bea K. has your offer')).toBeVisible()
    await practice.look('a practitioner’s series')
  })

  await test.step('the client agrees with a card that is declined', async () => {
    await signIn(theirs, client)
    await saveCard(request, client, '4000000000000002')
    await theirs.goto('/my-sessions')
    await expect(theirs.getByText(/^Grace offers you /)).toBeVisible()
    await theirs.getByRole('link', { name: 'See the dates' }).click()
    await expect(theirs.getByRole('radio', { name: /0002/ })).toBeChecked()
    await own.look('a proposal')
    await theirs.getByRole('button', { name: 'Agree' }).click()
    await expect(theirs.getByRole('heading', { level: 1, name: /^Pay for \w+day / })).toBeVisible()
    await expect(theirs.getByText(/^(Not paid yet|Your payment did not go through)$/)).toBeVisible()
    await own.look('a payment that did not go through')
    expect((await upcoming(request, client)).map(({ status }) => status)).toContain('reserved')
  })

  await test.step('pay, and the old link shows that it is paid', async () => {
    const link = theirs.url()
    await theirs.getByRole('radio', { name: /4242/ }).check({ force: true })
    await theirs.getByRole('button', { name: /^Pay £/ }).click()
    await expect(theirs.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
    await theirs.goto(link)
    await expect(theirs.getByText('This session is paid for')).toBeVisible()
    await own.look('paid already')
    const [series] = await ownSeries(request, client)
    expect(series?.dates[0]).toMatchObject({ on_date: first, session_status: 'confirmed', payment: 'paid' })
  })
  practice.expectAllSeen()
  own.expectAllSeen()
})

test('a practitioner sees an hour in the week, raises its price, skips it in time off with one press and ends it with care', async ({
  page,
  request,
  openContext,
  baseURL,
}, info) => {
  test.slow()
  // A second try meets the client of the first.
  const name = info.retry === 0 ? 'Nell' : 'Nora'
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const client = await register(request, `${name} Orton`)
  const kept = await keepHour(request, client, offer, offer.times.at(-6) ?? '')
  const dates = kept.dates.filter(({ session_status }) => session_status === 'reserved')
  const theirs = await (await openContext({ ...walking, baseURL })).newPage()
  const { look } = looker(page, [])
  await signInTherapist(page, therapist)

  await test.step('in the week', async () => {
    await page.goto(`/therapist/schedule?from=${dates[0]?.on_date}`)
    const session = page
      .getByRole('listitem')
      .filter({ hasText: `${name} O.` })
      .filter({ hasText: 'Not paid yet' })
      .first()
    await expect(session.getByText('Regular session').first()).toBeVisible()
    await expect(session.getByText('Not paid yet').first()).toBeVisible()
    await look('a week with a series')
  })

  await test.step('a new price', async () => {
    await page.goto('/therapist/series')
    await page.getByRole('button', { name: `Change the price for ${name} O.` }).click()
    const dialog = page.getByRole('dialog', { name: `A new price for ${name} O.` })
    const from = await dialog.getByLabel('From').inputValue()
    await dialog.getByLabel('From').fill('')
    await walkForm(page, 'features/series/practitioner/NewPriceDialog', {
      within: dialog,
      submit: 'Ask for it',
      fields: [['New price', String(kept.fee + 5)], ['From']],
    })
    // The day after a session: the price begins with the next one.
    const before = kept.dates.find(({ on_date }) => on_date >= from)?.on_date ?? ''
    await dialog.getByLabel('From').fill(dayAfter(`${before}T12:00:00Z`, 1))
    await look('a new price')
    await dialog.getByRole('button', { name: 'Ask for it' }).click()
    await expect(page.getByRole('main').getByText(`We have asked ${name} O.`)).toBeVisible()
    const begins = dayLabel(`${dayAfter(`${before}T12:00:00Z`, 7)}T12:00:00Z`)
    await expect(page.getByText(new RegExp(`^£\\S+ from ${begins}( \\d{4})?\\. You hear`))).toBeVisible()
    const card = page.getByRole('listitem', { name: `${name} O.`, exact: true })
    await card.getByRole('button', { name: /^Show all/ }).click()
    await expect(
      card.getByText('Not paid yet: the price depends on the client’s answer.').first(),
    ).toBeVisible()

    await signIn(theirs, client)
    await theirs.goto('/my-sessions')
    await theirs.getByRole('button', { name: /^Show all/ }).click()
    await expect(theirs.getByText('Not paid yet: the price depends on your answer.').first()).toBeVisible()
    await looker(theirs, []).look('an answer to a new price')
    const waiting = kept.dates.findLast(({ session_status }) => session_status === 'reserved')
    for (const path of ['/session-is-booked?session=', '/pay?appointment=']) {
      await theirs.goto(`${path}${waiting?.appointment_id}`)
      const words = `£${kept.fee + 5} if you agree to the new price, £${kept.fee} so far`
      await expect(theirs.getByText(words)).toBeVisible()
      await expect(theirs.getByText(/will be taken/)).toHaveCount(0)
    }
    await theirs.goto('/my-sessions')
    await theirs.getByRole('button', { name: /^Agree to £/ }).click()
    await expect(theirs.getByText('You have agreed to the new price')).toBeVisible()
  })

  await test.step('time off', async () => {
    const second = dates[1]?.on_date ?? ''
    await page.goto('/therapist/calendar')
    const part = page.getByRole('region', { name: 'Time off' })
    const enterHour = async () => {
      await part.getByLabel('First day').fill(second)
      await part.getByLabel('Only some hours').check()
      await part.getByLabel('From').fill(kept.rhythm.start)
      await part.getByLabel('Until').fill(`${kept.rhythm.start.slice(0, 2)}:59`)
      await expect(part.getByText(/O\.: not paid yet$/)).toBeVisible()
    }
    const statusNow = async () => {
      const [series] = await ownSeries(request, client)
      return series?.dates.find(({ on_date }) => on_date === second)?.session_status
    }
    const removeTimeOff = async () => {
      const planned = await callAs<{ time_off_id: number; first_day: string }[]>(
        request,
        therapist,
        'GET',
        '/therapist/time-off',
      )
      const id = planned.find(({ first_day }) => first_day === second)?.time_off_id
      await request.delete(`/api/v7/therapist/time-off/${id}`, {
        headers: { authorization: `Bearer ${therapist.token}` },
      })
    }
    await enterHour()
    await look('time off over a series')
    // Enter in a field skips no session.
    await part.getByLabel('Until').press('Enter')
    await expect(
      part.getByText(/is time off\. 1 booked session falls within it and stays booked\./),
    ).toBeVisible()
    expect(await statusNow()).toBe('reserved')
    await removeTimeOff()
    await page.reload()
    await enterHour()
    await part.getByRole('button', { name: 'Add time off and skip it' }).click()
    await expect(part.getByText(/1 regular session is skipped, and we have told the client\./)).toBeVisible()
    expect(await statusNow()).toBe('cancelled')
    await removeTimeOff()
  })

  await test.step('an end with care', async () => {
    await page.goto('/therapist/series')
    await page.getByRole('button', { name: `End it: the hour of ${name} O.` }).click()
    const dialog = page.getByRole('dialog', { name: `End the hour of ${name} O.?` })
    await expect(dialog.getByText(/One more session gives you both time to look back/)).toBeVisible()
    await expect(dialog.getByRole('radio', { name: /^With the next session/ })).toBeChecked()
    await dialog.getByRole('radio', { name: /^At once/ }).check()
    await walkForm(page, 'features/series/practitioner/EndWithCare', {
      within: dialog,
      submit: 'End it',
      fields: [['A message to your client']],
    })
    await look('an end with care')
    await dialog.getByLabel('A message to your client').fill('Thank you for the work we did together.')
    await dialog.getByRole('button', { name: 'End it' }).click()
    await expect(page.getByText(`The hour of ${name} O. has ended`)).toBeVisible()
    await theirs.goto('/my-sessions')
    await expect(theirs.getByText('Thank you for the work we did together.')).toBeVisible()
    expect((await upcoming(request, client)).map(({ status }) => status)).toEqual(['confirmed'])
  })
})

test('either of the two declines or withdraws a proposal, and the client declines a new price', async ({
  page,
  request,
  openContext,
  baseURL,
  allowComplaint,
}, info) => {
  test.slow()
  allowComplaint(outage)
  // A second try meets the client of the first.
  const name = info.retry === 0 ? 'Wyn' : 'Wes'
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const client = await register(request, `${name} Tarn`)
  const { session_id } = await bookByApi(request, client, offer, offer.times.at(-9) ?? '')
  const theirs = await (await openContext({ ...walking, baseURL })).newPage()
  const [practice, own] = [looker(page, []), looker(theirs, [])]
  const propose = (by: Parameters<typeof callAs>[1], path: string) =>
    callAs<{ data: Kept }>(request, by, 'POST', path, { appointment_id: session_id })
  const states = async () => (await ownSeries(request, client)).map(({ state }) => state)
  await signInTherapist(page, therapist)
  await signIn(theirs, client)

  await test.step('a client withdraws what they asked for', async () => {
    await propose(client, '/series')
    await theirs.goto('/my-sessions')
    await expect(theirs.getByText('Not agreed yet')).toBeVisible()
    await own.look('a request that is not agreed')
    await theirs.getByRole('button', { name: 'Withdraw' }).click()
    await expect(theirs.getByText('Your request is withdrawn')).toBeVisible()
    await own.look('a request that is withdrawn')
  })

  await test.step('a practitioner declines what a client asked for', async () => {
    await propose(client, '/series')
    await page.goto('/therapist/series')
    await page.getByRole('button', { name: `Decline: ${name} T.` }).click()
    const question = page.getByRole('alertdialog', { name: 'Decline this request?' })
    await expect(question).toBeVisible()
    await practice.look('declining a request')
    await question.getByRole('button', { name: 'Decline' }).click()
    await expect(page.getByText('You have declined')).toBeVisible()
  })

  await test.step('a client declines an offer', async () => {
    await propose(therapist, '/therapist/series')
    await theirs.goto('/my-sessions')
    await own.look('an offer')
    await theirs.getByRole('button', { name: 'No, thank you' }).click()
    await expect(theirs.getByText('You have declined', { exact: true })).toBeVisible()
  })

  await test.step('an offer of every two weeks is not agreed where every week is shown', async () => {
    const { data } = await callAs<{ data: Kept }>(request, therapist, 'POST', '/therapist/series', {
      appointment_id: session_id,
      every_weeks: 2,
    })
    await saveCard(request, client)
    await theirs.goto(`/series?appointment=${session_id}&every=1`)
    await expect(theirs.getByRole('radio', { name: 'Every week' })).toBeChecked()
    await theirs.getByRole('button', { name: 'Use another card' }).press('Enter')
    await expect(theirs.getByRole('region', { name: 'Adding new card' })).toBeFocused()
    await theirs.getByRole('button', { name: 'Agree' }).click()
    await expect(theirs).toHaveURL(`/series?series=${data.series_id}`)
    const messages = theirs.getByRole('region', { name: 'Messages' })
    await expect(messages.getByText('Nothing new was agreed.')).toBeVisible()
    await expect(theirs.getByText(/^Every second /)).toBeVisible()
    expect((await states())[0]).toBe('proposed')
    await theirs.getByRole('button', { name: 'No, thank you' }).click()
    await expect(theirs.getByText(/^You declined/).first()).toBeVisible()
  })

  await test.step('a practitioner withdraws an offer', async () => {
    await propose(therapist, '/therapist/series')
    await page.goto('/therapist/series')
    await page.getByRole('button', { name: `Withdraw the offer: ${name} T.` }).click()
    const question = page.getByRole('alertdialog', { name: 'Withdraw this offer?' })
    await expect(question).toBeVisible()
    await practice.look('withdrawing an offer')
    await question.getByRole('button', { name: 'Withdraw it' }).click()
    await expect(page.getByText('Your offer is withdrawn')).toBeVisible()
    expect(await states()).toEqual(['ended', 'ended', 'ended', 'ended', 'ended'])
    await expect(page.getByText(new RegExp(`^${name} T\\..*: You withdrew your offer\\.$`))).toBeVisible()
  })

  await test.step('a client declines a new price', async () => {
    const kept = await keepHour(request, client, offer, offer.times.at(-10) ?? '')
    await callAs(request, therapist, 'POST', `/therapist/series/${kept.series_id}/new-price`, {
      fee: kept.fee + 5,
      from: dayAhead(30),
    })
    await theirs.goto('/my-sessions')
    const decline = theirs.getByRole('button', { name: 'Decline', exact: true })
    await expect(decline).toHaveAccessibleDescription(/^Every \w+day at /)
    const broken = await breakCalls(theirs, /\/series\/[^/]+\/price$/, 'no good')
    await decline.click()
    await expect(theirs.getByRole('alert').filter({ hasText: 'Your answer is not saved' })).toBeVisible()
    await broken.mend()
    await decline.click()
    await expect(theirs.getByText('You have declined the new price')).toBeVisible()
    await own.look('a new price that is declined')
    await callAs(request, client, 'POST', `/series/${kept.series_id}/end`, {})
  })

  await test.step('what was agreed in another tab is not declined', async () => {
    allowComplaint(/status of 409/)
    const { data } = await propose(therapist, '/therapist/series')
    await theirs.goto('/my-sessions')
    await expect(theirs.getByRole('button', { name: 'No, thank you' })).toBeVisible()
    await agreeByApi(request, client, data)
    await theirs.getByRole('button', { name: 'No, thank you' }).click()
    await expect(
      // Beside the page, where its row has gone.
      theirs
        .getByRole('region', { name: 'Messages' })
        .getByText(/^These sessions were agreed meanwhile, so nothing was declined\./),
    ).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'No, thank you' })).toHaveCount(0)
    expect((await ownSeries(request, client)).find((each) => each.series_id === data.series_id)?.state).toBe(
      'active',
    )
    await callAs(request, client, 'POST', `/series/${data.series_id}/end`, {})
  })
})

test('the question of an unpaid date promises no money back after the answer to its cancellation was lost', async ({
  page: theirs,
  request,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED/)
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const account = await register(request)
  const kept = await keepHour(request, account, offer, freeEveryWeek(offer.times))
  const [own = '', practitioners = ''] = kept.dates.flatMap(({ appointment_id, session_status }) =>
    appointment_id !== null && session_status === 'reserved' ? [appointment_id] : [],
  )
  const page = await (await openContext({ ...walking, baseURL })).newPage()
  await signIn(page, account)
  await signInTherapist(theirs, therapist)
  for (const [side, id, url, isUnpaid, isDone] of [
    [
      page,
      own,
      /\/appointment\/cancel-session/,
      'It is not paid yet, so nothing is charged.',
      'Nothing was charged.',
    ],
    [
      theirs,
      practitioners,
      /\/therapist\/sessions\/[^/]+\/cancel/,
      'They have not paid yet, so nothing is charged.',
      'Robin V. has been told, and nothing is charged.',
    ],
  ] as const) {
    await loseAnswer(side, url)
    await side.goto(`/session?appointment=${id}`)
    const main = side.getByRole('main')
    await main.getByRole('button', { name: 'Cancel session' }).click()
    const question = side.getByRole('alertdialog', { name: 'Cancel this session?' })
    await expect(question).toContainText(isUnpaid)
    await question.getByRole('button', { name: 'Cancel session' }).click()
    await expect(question.getByRole('alert')).toBeVisible()
    // The page behind it has read the session again.
    await expect(main.getByText(/You cancelled this session\./)).toBeAttached()
    await expect(question).toContainText(isUnpaid)
    await question.getByRole('button', { name: 'Cancel session' }).click()
    await expect(side.locator(':focus')).toContainText(isDone)
  }
})

test('sessions before the day from which an hour changes stay in My Sessions until the series ends', async ({
  page,
  request,
}) => {
  const therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const account = await register(request)
  const time = freeEveryWeek(offer.times)
  const kept = await keepHour(request, account, offer, time)
  const reserved = kept.dates.filter(({ session_status }) => session_status === 'reserved')
  const from = reserved[2]?.on_date
  const body = { from, weekday: kept.rhythm.weekday, start: kept.rhythm.start, every_weeks: 4 }
  await callAs(request, account, 'POST', `/series/${kept.series_id}/change`, body)
  await signIn(page, account)
  await page.goto('/my-sessions')
  const main = page.getByRole('main')
  const unpaid = main.getByRole('listitem').filter({ hasText: 'Reserved for you' })
  await expect(unpaid).toHaveCount(2)
  await expect(unpaid.first()).toContainText(/£\S+ will be taken on /)
  await expect(main.getByText(/^Every fourth /)).toBeVisible()
  await main.getByRole('button', { name: /^End it/ }).press('Enter')
  const question = page.getByRole('alertdialog')
  const [live] = (await ownSeries(request, account)).filter(({ state }) => state === 'active')
  const going = live?.dates.filter(({ session_status }) => session_status === 'reserved') ?? []
  await expect(question).toContainText(String(going.length + 2))
  await question.getByRole('button', { name: 'End it' }).click()
  await expect(unpaid).toHaveCount(0)
})

test('the demo has a series with a skipped and a moved date, a place on a waitlist and an hour that is offered', async ({
  page,
  request,
}) => {
  const main = page.getByRole('main')
  const demo = { name: 'Demo Client', email: 'client@demo.test' }
  await signIn(page, await signInAgain(request, demo, 'demo-password'))
  await page.goto('/my-sessions')
  const series = main.getByRole('listitem', { name: /^Every / })
  await series.getByRole('button', { name: /^Show all \d+ dates$/ }).click()
  await expect(series.getByText('Skipped. Nothing is charged.').first()).toBeVisible()
  await expect(series.getByText(/^Moved from /).first()).toBeVisible()
  // What comes next stands first.
  const titles = await main.getByRole('heading', { level: 2 }).allTextContents()
  expect(titles.indexOf('Your regular sessions')).toBeGreaterThan(0)
  await page.goto('/my-sessions/waitlist')
  await expect(main.getByText(/^\d+(st|nd|rd|th) of \d+ on the waitlist$/).first()).toBeVisible()

  const therapist = await demoTherapist(request)
  await signInTherapist(page, therapist)
  const weeks = await Promise.all(
    [0, 7, 14].map((days) =>
      callAs<{ week: { offered: { starts_at: string }[] } }>(
        request,
        therapist,
        'GET',
        `/therapist/waitlist?from=${dayAhead(days)}`,
      ),
    ),
  )
  const [offered] = weeks.flatMap(({ week }) => week.offered)
  await page.goto(`/therapist/schedule?from=${dayAfter(offered?.starts_at ?? '', 0)}`)
  await expect(main.getByText(/^Offered until/).first()).toBeVisible()
})
