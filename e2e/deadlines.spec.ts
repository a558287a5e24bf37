import { sql } from 'kysely'
import { looker, walking } from './axe.ts'
import { bookByApi, freeEveryWeek, offerOfPractitioner, pounds } from './booking.ts'
import { expect } from './fixtures.ts'
import { linkIn } from '#test/mails.ts'
import { keyboardOf } from './keyboard.ts'
import { mailTo } from './mails.ts'
import { confirmEmail, test } from './own-server.ts'
import { callAs, register, saveCard, signIn, signInAgain } from './people.ts'
import { type Kept, ownSeries } from './series.ts'
import { demoTherapist, signInTherapist } from './therapists.ts'

test.use(walking)
test.setTimeout(300_000)

const changedSince = 'This session has changed since we sent you that email.'
const hours = (count: number) => count * 3_600_000
const days = (count: number) => count * 86_400_000

test('an hour is asked for, agreed at the bank, left unpaid until it is free, paused, paid, carried on with another card and confirmed in another time zone', async ({
  page,
  request,
  server,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  // The bank's question; and the token of the chats expires with the time that passes.
  allowComplaint(/status of (402|401.*chat\/dialogs)/)
  const main = page.getByRole('main')
  const series = main.getByRole('listitem', { name: /^Every / })
  const bank = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
  const { look } = looker(page, [])
  const week = await (await openContext({ ...walking, baseURL })).newPage()
  const theirs = looker(week, [])
  const ofIvy = week.getByRole('listitem', { name: 'Ivy M.' })
  let therapist = await demoTherapist(request)
  const offer = await offerOfPractitioner(request, therapist.id)
  const client = await register(request, 'Ivy Marlow')
  await confirmEmail(server, client)
  const time = freeEveryWeek(offer.times.slice(2))
  const { session_id } = await bookByApi(request, client, offer, time)
  const booked = Date.parse(time)

  /** Moves the clock on. Both people have closed their pages meanwhile, and sign in again. */
  const passTo = async (instant: Date | number | string) => {
    await Promise.all([page.goto('/healthz'), week.goto('/healthz')])
    await server.passTo(instant)
    Object.assign(client, await signInAgain(request, client))
    therapist = await demoTherapist(request)
    await signIn(page, client)
    await signInTherapist(week, therapist)
  }
  /** Every booking of the client at the time of an appointment, and its payments. */
  const bookedWith = async (id: string) => {
    let found: unknown
    await server.change(async (db) => {
      const booked = await sql`select a.id, a.state, a.sequence from appointments a
        join appointments same on same.id = ${id} and same.client_id = a.client_id and same.starts_at = a.starts_at
        order by a.id`.execute(db)
      const paid = await sql`select id, state, amount_pence from payment_intents
        where appointment_id = ${id} order by id`.execute(db)
      found = [booked.rows, paid.rows]
    })
    return found
  }
  const kept = async (): Promise<Kept> => {
    const [first] = await ownSeries(request, client)
    if (!first) throw new Error('There is no series.')
    return first
  }
  const dateOn = async (day: string) => {
    const date = (await kept()).dates.find(({ on_date }) => on_date === day)
    if (!date) throw new Error(`There is no date on ${day}.`)
    return date
  }
  const nextUnpaid = async () => {
    const date = (await kept()).dates.find(({ session_status }) => session_status === 'reserved')
    if (!date) throw new Error('Nothing is reserved.')
    return date
  }

  await test.step('the practitioner is asked first', async () => {
    await signInTherapist(week, therapist)
    await week.goto('/therapist/calendar')
    await week.getByLabel('Regular sessions').selectOption('ask')
    await week.getByRole('button', { name: 'Save these rules' }).click()
    await expect(week.getByText('Saved. Sessions that are booked stay as they are.')).toBeVisible()

    await passTo(booked + hours(2))
    await page.goto(`/series?appointment=${session_id}&every=1`)
    await look('an hour to ask for')
    await main.getByRole('button', { name: 'Ask Grace' }).click()
    await expect(main.getByText('We have asked Grace')).toBeVisible()
    await look('an hour was asked for')
    await mailTo(therapist.email, 'would like to keep', server.folder)

    await week.goto('/therapist/series')
    await expect(week.getByText('Ivy M. would like to keep this hour')).toBeVisible()
    await theirs.look('a client asks for an hour')
    await week.getByRole('button', { name: /^Accept .* for Ivy M\.$/ }).click()
    await expect(week.getByText(/^You have accepted /)).toBeVisible()
    await theirs.look('an hour is accepted')
  })

  await test.step('the client agrees, and the bank asks', async () => {
    await passTo(booked + days(5) + hours(12))
    await mailTo(client.email, 'has said yes to', server.folder)
    await saveCard(request, client, '4000002500003155')
    await page.goto('/my-sessions')
    await main.getByRole('link', { name: 'See the dates' }).click()
    await main.getByText(/3155/).click()
    await expect(main.getByText(/is charged now, for what is less than two days away\.$/)).toBeVisible()
    await look('agreeing with a payment now')
    await main.getByRole('button', { name: 'Agree' }).click()
    await bank.getByRole('button', { name: 'Cancel' }).click()
    // The dates are reserved by then, and the first one is left to pay for.
    await expect(page.getByRole('heading', { level: 1, name: /^Pay for \w+day / })).toBeVisible()
    await look('the bank was not answered')
    const first = await nextUnpaid()
    await main.getByText(/3155/).click()
    await main.getByRole('button', { name: /^Pay £/ }).click()
    // The bank asks once more, unless its first question is still open.
    const isDone = page.getByRole('heading', { level: 1, name: 'Session is booked' })
    const confirm = bank.getByRole('button', { name: 'Confirm' })
    await expect(isDone.or(confirm)).toBeVisible()
    if (await confirm.isVisible()) await confirm.click()
    await expect(isDone).toBeVisible()
    expect(await dateOn(first.on_date)).toMatchObject({ session_status: 'confirmed', payment: 'paid' })
  })

  // An hour eleven weeks ahead is not reserved yet.
  const away = booked + days(12 * 7)
  await callAs(request, therapist, 'POST', '/therapist/time-off', {
    first_day: new Date(away).toISOString().slice(0, 10),
  })

  let due = await nextUnpaid()
  let linkToPay = ''
  await test.step('a payment fails without the client, and both hear of it', async () => {
    await passTo(due.pay_at)
    const mail = await mailTo(client.email, 'We could not take', server.folder)
    linkToPay = linkIn(mail).searchParams.get('return_to') ?? ''
    expect(linkToPay).toMatch(new RegExp(`^/pay\\?appointment=${due.appointment_id}&sequence=\\d+$`))
    await page.goto(linkToPay)
    await expect(main.getByText('Your payment did not go through')).toBeVisible()
    await expect(main.getByText(changedSince)).toHaveCount(0)
    await page.goto('/my-sessions')
    await expect(series.getByText(/^The payment did not go through\. Pay by /)).toBeVisible()
    await look('a payment that failed')
    await week.goto('/therapist/series')
    await expect(ofIvy.getByText(/^Not paid: the client has until /)).toBeVisible()
    await theirs.look('a client has not paid')
  })

  await test.step('at the deadline the hour is free, and both hear of it', async () => {
    await passTo(due.pay_by)
    await mailTo(client.email, 'so we have cancelled it', server.folder)
    await expect(async () => {
      expect((await dateOn(due.on_date)).session_status).toBe('cancelled')
    }).toPass()
    await page.goto('/my-sessions')
    await expect(
      series.getByText('Not paid in time, so it was cancelled. Nothing was charged.'),
    ).toBeVisible()
    await look('a session was not paid in time')
    await week.goto('/therapist/series')
    await expect(ofIvy.getByText('Not paid in time, so it was cancelled.')).toBeVisible()
    const before = await bookedWith(due.appointment_id ?? '')
    await page.goto(linkToPay)
    await expect(main.getByText('This session is not booked any more')).toBeVisible()
    await expect(main.getByRole('status').filter({ hasText: changedSince })).toBeVisible()
    await look('too late to pay')
    await page.goto(linkToPay.replace('/pay', '/session'))
    await expect(
      main.getByText('It was cancelled because it was not paid in time. Nothing was charged.'),
    ).toBeVisible()
    await expect(main.getByText(changedSince)).toBeVisible()
    // A link without the sequence, as older mails have it, says nothing of a change.
    await page.goto(`/pay?appointment=${due.appointment_id}`)
    await expect(main.getByText('This session is not booked any more')).toBeVisible()
    await expect(main.getByText(changedSince)).toHaveCount(0)
    expect(await bookedWith(due.appointment_id ?? '')).toEqual(before)
  })

  await test.step('late payment is allowed up to the start', async () => {
    due = await nextUnpaid()
    await passTo(due.pay_at)
    // Until the bank has refused, nothing has failed.
    await expect.poll(async () => (await dateOn(due.on_date)).payment).toBe('due')
    await week.goto('/therapist/series')
    await ofIvy.getByRole('button', { name: /^Let them pay until it starts/ }).click()
    await expect(week.getByText('Your client can pay until the session starts.')).toBeVisible()
    await expect(ofIvy.getByRole('button', { name: /^Let them pay/ })).toBeHidden()
    expect((await dateOn(due.on_date)).pay_by).toBe(due.starts_at)
    await passTo(Date.parse(due.starts_at) - hours(1))
    await page.goto(`/pay?appointment=${due.appointment_id}`)
    await expect(main.getByText('Your payment did not go through')).toBeVisible()
    expect((await dateOn(due.on_date)).session_status).toBe('reserved')
  })

  await test.step('two unpaid sessions pause it, and paying for the next lets it go on', async () => {
    await passTo(due.starts_at)
    await mailTo(client.email, 'Two sessions in a row with', server.folder)
    await page.goto('/my-sessions')
    await expect(main.getByText('Paused: two sessions were not paid')).toBeVisible()
    await look('a series is paused')
    await week.goto('/therapist/series')
    await expect(ofIvy.getByText('Paused: two sessions were not paid')).toBeVisible()
    await theirs.look("a client's series is paused")

    // It is due when it always is, and is left to the client.
    await passTo((await nextUnpaid()).pay_at)
    const mail = await mailTo(client.email, 'Nothing was charged for it yet', server.folder)
    await page.goto('/my-sessions')
    await main.getByRole('link', { name: 'Pay for the next session' }).click()
    await expect(main.getByText('Not paid yet', { exact: true })).toBeVisible()
    await main.getByText(/3155/).click()
    await main.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` }).click()
    await bank.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()
    const link = linkIn(mail).searchParams.get('return_to') ?? ''
    const paidId = new URL(link, baseURL).searchParams.get('appointment') ?? ''
    const before = await bookedWith(paidId)
    await page.goto(link)
    await expect(main.getByText('This session is paid for')).toBeVisible()
    await expect(main.getByText(changedSince)).toBeVisible()
    await expect(main.getByRole('button', { name: /^Pay / })).toHaveCount(0)
    await look('paid for already')
    expect(await bookedWith(paidId)).toEqual(before)
    await week.goto('/therapist/series')
    await expect(ofIvy.getByText(/^Paid: /).first()).toBeVisible()
    await page.goto('/my-sessions')
    await expect(series.getByText(/^Not paid yet: £\S+ will be taken on /).first()).toBeVisible()
    expect(await kept()).toMatchObject({ state: 'active' })
  })

  await test.step('another card pays from now on', async () => {
    await series.getByRole('button', { name: 'Change card' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change card' })
    await dialog.getByText(/4242/).click()
    await look('another card for a series')
    await dialog.getByRole('button', { name: 'Use this card' }).click()
    await expect(page.getByText('Your next sessions are paid with this card.')).toBeVisible()
    const next = await nextUnpaid()
    await passTo(Date.parse(next.pay_at) - hours(24))
    await mailTo(
      client.email,
      `We will take £${offer.service.fee.toFixed(2)} from your saved card`,
      server.folder,
    )
    expect(await dateOn(next.on_date)).toMatchObject({ session_status: 'reserved', payment: 'not_yet' })
    await passTo(next.pay_at)
    await expect(async () => {
      expect(await dateOn(next.on_date)).toMatchObject({ session_status: 'confirmed', payment: 'paid' })
    }).toPass()
  })

  await test.step('a late conflict gets another time of its week', async () => {
    await mailTo(client.email, 'is not free that week', server.folder)
    await page.goto('/my-sessions')
    await series.getByRole('button', { name: /^Show all \d+ dates$/ }).click()
    await expect(series.getByText('Your practitioner is away. Not reserved.')).toBeVisible()
    await look('a date in conflict')
    await week.goto('/therapist/series')
    await ofIvy.getByRole('button', { name: /^Show all \d+ dates$/ }).click()
    await expect(ofIvy.getByText('You have time off. Not reserved.')).toBeVisible()
    await series.getByRole('button', { name: /^Choose a time in place of / }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Choose another time' })
    await expect(dialog.getByRole('radio').first()).toBeChecked()
    await look('another time for a conflict')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(/is reserved for you\.$/)).toBeVisible()
    await expect(series.getByText(/^Moved from /)).toBeVisible()
    expect((await kept()).dates.filter(({ state }) => state === 'moved')).toMatchObject([
      { session_status: 'reserved' },
    ])
  })

  await test.step('the practitioner moves to another time zone, and both confirm that the hour still works', async () => {
    const zones = await callAs<{ timezone_id: number; timezone_name: string }[]>(
      request,
      therapist,
      'GET',
      '/therapist/get-timezone-list',
    )
    await callAs(request, therapist, 'PUT', '/therapist/update-profile', {
      timezone_id: zones.find(({ timezone_name }) => timezone_name === 'America/New_York')?.timezone_id,
    })
    for (const { email } of [client, therapist]) await mailTo(email, 'still work for you?', server.folder)
    const { rhythm } = await kept()
    const thanks = (words: string) => new RegExp(`^Thank you\\. ${words} stays as it is\\.$`)

    await page.goto('/my-sessions')
    await expect(series.getByText('Does your hour still work for you?')).toBeVisible()
    await expect(series.getByText(/^Grace is on New York time now\./)).toContainText(
      `Your hour stays ${rhythm.start}, London time`,
    )
    await look('a practitioner has moved to another time zone')
    const keys = keyboardOf(page)
    await keys.press(
      series.getByRole('button', { name: /^It works for me: \w+days \d\d:\d\d with / }),
      'Enter',
    )
    await expect(page.getByText(thanks('Your hour'))).toBeVisible()
    await expect(series.getByText('Does your hour still work for you?')).toBeHidden()
    await keys.expectKept()
    await look('the client has confirmed the hour')

    await week.goto('/therapist/series')
    await expect(ofIvy.getByText('Does this hour still work for you?')).toBeVisible()
    await expect(ofIvy.getByText(/ New York time\. Ivy M\. has said that it works\.$/)).toBeVisible()
    await theirs.look('a practitioner has a new time zone')
    const theirKeys = keyboardOf(week)
    await theirKeys.press(ofIvy.getByRole('button', { name: 'It works for me: the hour of Ivy M.' }), 'Enter')
    await expect(week.getByText(thanks('The hour'))).toBeVisible()
    await expect(ofIvy.getByText('Does this hour still work for you?')).toBeHidden()
    await theirKeys.expectKept()
    await theirs.look('both have confirmed the hour')
    const after = await kept()
    expect(after).toMatchObject({
      rhythm,
      new_zone: {
        timezone: 'America/New_York',
        confirmed_by_client: true,
        confirmed_by_practitioner: true,
      },
    })
  })
})
