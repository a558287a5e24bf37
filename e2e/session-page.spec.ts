import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { linkIn } from '#test/mails.ts'
import { announced } from './announced.ts'
import { looker, walking } from './axe.ts'
import { bookByApi, dayLabel, offerOfPractitioner } from './booking.ts'
import { chatter, openDialog, write } from './chats.ts'
import { expect } from './fixtures.ts'
import { keyboardOf } from './keyboard.ts'
import { mailTo } from './mails.ts'
import { confirmEmail, test } from './own-server.ts'
import { shift } from './past.ts'
import { callAs, saveCard, signIn } from './people.ts'
import { fakeDevices, roomPath, sessionHeldHere } from './rooms.ts'
import { scriptsOf, sum } from './scripts-loaded.ts'
import { keepHour } from './series.ts'
import { signInTherapist } from './therapists.ts'

test.use({ seed: 'reference', chromiumArguments: fakeDevices })

const changedSince = 'This session has changed since we sent you that email. This is how it stands now.'
const sessionPath = (id: string) => `/session?appointment=${id}`
/** Asks the client whenever it is to pay. */
const asksTheBank = '4000002500003155'

test('the page of a session shows every state to both people, and changes without a reload', async ({
  server,
  request,
  openContext,
  baseURL,
  allowComplaint,
}) => {
  test.setTimeout(400_000)
  allowComplaint(/status of 402.*\/pay/)
  const { id: soon, client, therapist } = await sessionHeldHere(server, request, 8)
  await confirmEmail(server, client)
  const offer = await offerOfPractitioner(request, therapist.id)
  const book = async (index: number) => {
    const booked = await bookByApi(request, client, offer, offer.times[index] ?? '')
    return booked.session_id
  }
  const [ahead, place, over, missed, refunded] = [
    await book(0),
    await book(3),
    await book(6),
    await book(9),
    await book(14),
  ]
  const kept = await keepHour(request, client, offer, offer.times[30] ?? '')
  const [planned = '', due = '', unpaid = ''] = kept.dates.flatMap(({ appointment_id, session_status }) =>
    appointment_id !== null && session_status === 'reserved' ? [appointment_id] : [],
  )
  await shift(server, { [over]: -120, [missed]: -300 })
  await server.change(async (db) => {
    const {
      rows: [location],
    } = await sql<{ id: number }>`insert into locations
      (practitioner_id, name, country, city, street, home_number, postal_code, latitude, longitude, point_source)
      values (${therapist.id}, 'Rosewood House', 'United Kingdom', 'Leeds', 'Park Row', '12', 'LS1 5HD', 53.8, -1.55,
        'postcode') returning id`.execute(db)
    await sql`update appointments set appointment_type = 'face_to_face', location_id = ${location?.id}::int
      where id = ${place}`.execute(db)
    await sql`update appointments set pay_at = now() - interval '1 hour', charge_at = null, pay_failures = 1,
      pay_by = now() + interval '20 hours' where id = ${due}`.execute(db)
    await sql`with cancelled as (
        update appointments set state = 'cancelled', cancelled_by = 'system', cancel_code = 'unpaid'
        where id = ${unpaid} returning reservation_id)
      update reservations set state = 'released' where id = (select reservation_id from cancelled)`.execute(
      db,
    )
  })
  await callAs(request, therapist, 'POST', `/therapist/sessions/${missed}/no-show`)
  await callAs(request, therapist, 'POST', `/therapist/sessions/${refunded}/cancel`, {
    reason: 'I am ill, and so sorry.',
  })

  const open = async () => (await openContext({ ...walking, baseURL })).newPage()
  const [page, theirs] = [await open(), await open()]
  await signIn(page, client)
  await signInTherapist(theirs, therapist)
  const main = page.getByRole('main')
  const their = theirs.getByRole('main')
  const seen = { client: looker(page, ['/session']), practitioner: looker(theirs, ['/session']) }
  const visit = (id: string) => Promise.all([page.goto(sessionPath(id)), theirs.goto(sessionPath(id))])
  const look = async (state: string) => {
    for (const [side, { look: lookAt }] of Object.entries(seen)) await lookAt(`${state}, ${side}`)
  }
  const rhythm = `Every ${dayLabel(offer.times[30] ?? '').split(' ')[0]} at ${kept.rhythm.start}`

  await test.step('soon, with the way into the room', async () => {
    await visit(soon)
    for (const side of [main, their]) {
      await expect(side.getByText('Your session begins in a few minutes.')).toBeVisible()
      await expect(side.getByRole('timer')).toBeVisible()
      await expect(side.getByRole('link', { name: /Join the room/ })).toHaveAttribute(
        'href',
        `/session-room?appointment=${soon}`,
      )
      const trouble = side.getByRole('region', { name: 'Is something wrong?' })
      await expect(trouble.getByRole('link', { name: 'hello@hearth.test', exact: true })).toHaveAttribute(
        'href',
        `mailto:hello@hearth.test?subject=Session%20${soon}`,
      )
      await expect(trouble).toContainText(`mention session ${soon.slice(0, 8).toUpperCase()}.`)
    }
    await look('soon')
  })

  await test.step('through the button into the room, by a load that allows the camera', async () => {
    await page.evaluate('window.isSameDocument = true')
    await main.getByRole('link', { name: /Join the room/ }).click()
    await expect(page).toHaveURL(roomPath(soon))
    await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeVisible()
    expect(await page.evaluate(`'isSameDocument' in window`)).toBe(false)
    for (const [side, framePath, enter] of [
      [page, '/account', (tab: Page) => signIn(tab, client)],
      [theirs, '/therapist/dashboard', (tab: Page) => signInTherapist(tab, therapist)],
    ] as const) {
      const [other, room] = [await side.context().newPage(), await side.context().newPage()]
      for (const each of [other, room]) await enter(each)
      const frame = await scriptsOf(other, framePath, () =>
        expect(other.getByRole('heading', { level: 1 })).toBeVisible(),
      )
      const scripts = await scriptsOf(room, roomPath(soon), () =>
        expect(room.getByRole('button', { name: 'Join', exact: true })).toBeVisible(),
      )
      const added = new Map([...scripts].filter(([name]) => !frame.has(name)))
      expect([...added.keys()].join(' ')).toMatch(/\/session-room-/)
      expect([...scripts.keys()].join(' ')).not.toMatch(/OpenDialog|PanelChat|MenuList/)
      expect(sum(added)).toBeGreaterThan(15_000)
      expect(sum(added)).toBeLessThanOrEqual(40_000)
      await Promise.all([other.close(), room.close()])
    }
    await theirs.goto('/therapist/dashboard')
    const next = theirs.getByRole('region', { name: 'Next session' })
    await expect(next.getByRole('link', { name: /^Open your room for Robin V\./ })).toHaveAttribute(
      'href',
      roomPath(soon),
    )
    await theirs.goto('/therapist/schedule')
    await their
      .locator(`a[href="${sessionPath(soon)}"]`)
      .first()
      .click()
    await expect(theirs).toHaveURL(sessionPath(soon))
    await expect(their.getByRole('heading', { level: 1, name: 'Your session with Robin V.' })).toBeVisible()
  })

  await test.step('with the clocks of both people, where they differ', async () => {
    const zone = (name: string) =>
      server.change(async (db) => {
        await sql`update practitioners set timezone = ${name} where id = ${therapist.id}`.execute(db)
      })
    await zone('Asia/Tokyo')
    await page.goto(sessionPath(ahead))
    await theirs.goto('/therapist/dashboard')
    const theirClocks = their.getByRole('region', { name: 'Next session' })
    for (const [clocks, whose] of [
      [main, 'For Mary Ann Okafor'],
      [theirClocks, 'On your schedule'],
    ] as const) {
      await expect(clocks.getByText(/^Your time: London, /)).toBeVisible()
      await expect(clocks.getByText(new RegExp(`^${whose}: .*\\d\\d:\\d\\d, Tokyo$`))).toBeVisible()
    }
    await zone('Europe/London')
  })

  await test.step('face-to-face, with a map that loads nothing by itself', async () => {
    await visit(place)
    for (const side of [main, their]) {
      await expect(side.getByText('Rosewood House')).toBeVisible()
      await expect(side.getByRole('link', { name: /^Open a map/ })).toHaveAttribute(
        'href',
        'https://www.openstreetmap.org/?mlat=53.8&mlon=-1.55#map=17/53.8/-1.55',
      )
    }
    await look('face-to-face')
  })

  await test.step('reserved, with when it is paid and the series', async () => {
    await visit(planned)
    await expect(main.getByText('This time is reserved for you. It is not paid yet.')).toBeVisible()
    await expect(main.getByText(/^Not paid yet: £60 will be taken on /)).toBeVisible()
    await expect(main.getByText('If you cancel, nothing is charged.')).toBeVisible()
    await expect(main.getByRole('link', { name: rhythm })).toHaveAttribute(
      'href',
      `/series?series=${kept.series_id}`,
    )
    await expect(their.getByText('This time is reserved for Robin V., who has not paid yet.')).toBeVisible()
    await expect(their.getByRole('link', { name: rhythm })).toHaveAttribute('href', '/therapist/series')
    await look('reserved')
  })

  await test.step('the room of an unpaid session is closed, and leads back to its page', async () => {
    for (const side of [page, theirs]) {
      await side.goto(roomPath(due))
      await expect(
        side.getByRole('heading', { level: 1, name: 'This session is not paid yet' }),
      ).toBeVisible()
      await expect(side.getByRole('button', { name: 'Join' })).toHaveCount(0)
    }
    await expect(main.getByText(/The page of the session says when, and what you can do\.$/)).toBeVisible()
    await expect(their.getByText('The room opens once Robin V. has paid.')).toBeVisible()
    await look('room, unpaid')
    await main.getByRole('link', { name: 'See the session' }).click()
    await expect(page).toHaveURL(sessionPath(due))
  })

  await test.step('reserved after a payment that did not go through; the bank is asked anew at each press', async () => {
    await saveCard(request, client, asksTheBank)
    await visit(due)
    await expect(their.getByText(/^The payment did not go through\. Robin V\. can pay until/)).toBeVisible()
    await expect(main.getByText('Please pay for this session')).toBeVisible()
    await look('reserved, payment due')
    await main.getByRole('link', { name: 'Pay now' }).click()
    await page.getByRole('radio', { name: /3155/ }).check()
    const question = page.getByRole('dialog', { name: 'Your bank wants to check that it is you' })
    const pay = page.getByRole('button', { name: 'Pay £60' })
    await pay.click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText(/You stopped your bank’s check, so nothing was charged/)).toBeVisible()
    await pay.click()
    await expect(question).toBeVisible()
    await expect(their.getByText('Your session is booked.')).toHaveCount(0)
    await question.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(/\/session-is-booked\?session=/)
    // The practitioner's page has learned of it by itself.
    await expect(their.getByText('Your session is booked.')).toBeVisible()
    await main.getByRole('link', { name: 'See this session' }).click()
    await expect(page).toHaveURL(sessionPath(due))
  })

  await test.step('cancelled because it was not paid', async () => {
    await visit(unpaid)
    await expect(
      main.getByText('It was cancelled because it was not paid in time. Nothing was charged.'),
    ).toBeVisible()
    await expect(their.getByText('This session was cancelled because it was not paid in time.')).toBeVisible()
    await look('unpaid')
  })

  await test.step('missed', async () => {
    await visit(missed)
    await expect(main.getByText(/told us that you did not come\.$/)).toBeVisible()
    await expect(main.getByRole('button', { name: 'That is not right' })).toBeVisible()
    await expect(their.getByText('You told us that Robin V. did not come.')).toBeVisible()
    await look('missed')
    // The confirmation and the links of earlier mails redirect to it.
    for (const path of ['/session-is-booked?session=', '/pay?appointment=', '/add-card?session=']) {
      await page.goto(`${path}${missed}`)
      await expect(page).toHaveURL(sessionPath(missed))
      await expect(main.getByRole('button', { name: 'That is not right' })).toBeVisible()
    }
  })

  await test.step('cancelled by the practitioner', async () => {
    await visit(refunded)
    await expect(main.getByText('I am ill, and so sorry.')).toBeVisible()
    await expect(main.getByText(/£60 (was sent|is going) back to your card\./)).toBeVisible()
    await expect(their.getByText('I am ill, and so sorry.')).toBeVisible()
    await look('cancelled by the practitioner')
    for (const path of ['/session-is-booked?session=', '/pay?appointment=', '/add-card?session=']) {
      await page.goto(`${path}${refunded}`)
      await expect(main.getByText(/£60 (was sent|is going) back to your card\./)).toBeVisible()
    }
    await page.goto(`/add-card?session=${planned}`)
    await expect(page).toHaveURL(sessionPath(planned))
  })

  await test.step('completed, on both pages without a reload', async () => {
    await visit(over)
    await expect(main.getByRole('heading', { level: 1, name: /^Your session with/ })).toBeVisible()
    await expect(main.getByRole('button', { name: 'Review this session' })).toHaveCount(0)
    await their.getByRole('button', { name: 'Mark as completed' }).click()
    await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mark as completed' }).click()
    await expect(main.getByRole('button', { name: 'Review this session' })).toBeVisible()
    await expect(their.getByText('Completed.')).toBeVisible()
    await look('completed')
    // By the link of the mail with which it was booked: that it took place is no change to point out.
    await page.goto(`${sessionPath(over)}&sequence=0`)
    await expect(main.getByRole('button', { name: 'Review this session' })).toBeVisible()
    await expect(main.getByText(changedSince)).toHaveCount(0)
  })

  await test.step('at a link of the practitioner’s own, and what to do if they have not come', async () => {
    const room = (kind: 'own' | 'hearth', link: string | null) =>
      server.change(async (db) => {
        await sql`update practitioners set meeting_link = ${link}, room = ${kind} where id = ${therapist.id}`.execute(
          db,
        )
      })
    const link = 'https://rooms.example.test/okafor'
    await room('own', link)
    await shift(server, { [soon]: -11 })
    await Promise.all([page, theirs].map((each) => each.goto(roomPath(soon))))
    for (const side of [main, their]) {
      await expect(side.getByRole('link', { name: 'Open the room in a new tab' })).toHaveAttribute(
        'href',
        link,
      )
    }
    const reference = soon.slice(0, 8).toUpperCase()
    const subject = encodeURIComponent(`Mary Ann Okafor did not come: session ${reference}`)
    await expect(main.getByText('Has Mary Ann Okafor not come?')).toBeVisible()
    await expect(main.getByRole('link', { name: /@/ })).toHaveAttribute(
      'href',
      new RegExp(`^mailto:[^?]+\\?subject=${subject.replaceAll('.', '\\.')}$`),
    )
    await expect(main.getByText(reference)).toBeVisible()
    await expect(their.getByText(/^Has .* not come\?$/)).toHaveCount(0)
    await expect(main.getByRole('button', { name: 'Get my money back' })).toHaveCount(0)
    await look('own link')
    await room('hearth', null)
  })

  await test.step('a seat in the room, a chat, a move and a cancellation show by themselves', async () => {
    await shift(server, { [soon]: -3 })
    await visit(soon)
    await expect(their.getByRole('heading', { level: 1, name: /Robin V/ })).toBeVisible()
    await expect(their.getByText(/Robin V\. was in the room/)).toHaveCount(0)
    await callAs(request, client, 'POST', `/appointment/${soon}/room/seat`, {
      peer_id: '00000000-0000-4000-8000-000000000001',
    })
    await expect(their.getByText(/Robin V\. was in the room/)).toBeVisible()
    await look('live')

    await visit(ahead)
    await expect(main.getByRole('button', { name: 'Cancel session' })).toBeVisible()
    await expect(main.getByRole('region', { name: /^Chat with/ })).toHaveCount(0)
    const writer = await chatter(request, client, 'client')
    const dialogId = await openDialog(request, writer, therapist.id)
    await write(request, writer, dialogId, 'I am looking forward to it.')
    await expect(their.getByRole('region', { name: 'Chat with Robin V.' })).toContainText(
      'I am looking forward to it.',
    )
    await expect(main.getByRole('region', { name: /^Chat with/ })).toBeVisible()

    const mailed = linkIn(await mailTo(client.email, encodeURIComponent(sessionPath(ahead)), server.folder))
    const oldPath = mailed.searchParams.get('return_to') ?? ''
    expect(oldPath).toMatch(/&sequence=\d+$/)
    await page.goto(oldPath)
    await expect(main.getByText('Your session is booked.')).toBeVisible()
    await expect(main.getByText(changedSince)).toHaveCount(0)

    const detail = await callAs<{ as_client: { service_id: number } }>(
      request,
      client,
      'GET',
      `/sessions/${ahead}`,
    )
    await callAs(request, client, 'POST', '/appointment/edit-session', {
      appointment_id: ahead,
      type: 'online',
      service_id: detail.as_client.service_id,
      appointment_datetime: offer.times[20],
    })
    const isMoved = async () => {
      for (const side of [main, their]) {
        await expect(side.getByText('Your session is booked. It has moved to a new time.')).toBeVisible()
        await expect(side.getByText(/^Moved from /)).toBeVisible()
        await expect(side.getByText(dayLabel(offer.times[20] ?? ''))).toBeVisible()
      }
    }
    await isMoved()
    await look('ahead, with a chat')
    // A reload, or the link of a mail older than the move, leads to the session as it is now.
    await Promise.all([page.goto(`${mailed.pathname}${mailed.search}`), theirs.goto(oldPath)])
    await isMoved()
    await expect(page).toHaveURL(oldPath)
    for (const side of [main, their]) {
      await expect(side.getByRole('status').filter({ hasText: changedSince })).toBeVisible()
    }
    // Part of the page from the start, where a screen reader comes to it.
    for (const each of [page, theirs]) await expect(announced(each)).not.toContainText(changedSince)
    await look('ahead, by the link of an older mail')
    const moved = linkIn(await mailTo(client.email, 'as it is now.', server.folder))
    await page.goto(moved.searchParams.get('return_to') ?? '')
    await isMoved()
    await expect(main.getByText(changedSince)).toHaveCount(0)
  })

  await test.step('by keyboard alone at 320 px', async () => {
    const keys = keyboardOf(page)
    await page.reload()
    await keys.press(main.getByRole('button', { name: 'Move to another time' }), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(main.getByRole('button', { name: 'Move to another time' })).toBeFocused()
    const file = page.waitForEvent('download')
    await keys.press(main.getByRole('button', { name: /^Add to calendar/ }), 'Enter')
    expect((await file).suggestedFilename()).toBe('session.ics')
    await keys.pressBackwards(main.getByRole('button', { name: 'Cancel session' }), 'Enter')
    await page.keyboard.press('Escape')
    await expect(main.getByRole('button', { name: 'Cancel session' })).toBeFocused()

    const theirKeys = keyboardOf(theirs)
    await theirs.reload()
    const theirFile = theirs.waitForEvent('download')
    await theirKeys.press(their.getByRole('button', { name: /^Add to calendar/ }), 'Enter')
    expect((await theirFile).suggestedFilename()).toBe('session.ics')
    await theirKeys.press(their.getByRole('button', { name: 'Cancel session' }), 'Enter')
    const asked = theirs.getByRole('alertdialog')
    await theirKeys.press(asked.getByRole('button', { name: 'Cancel session' }), 'Enter')
    await expect(their.locator(':focus')).toContainText('The session is cancelled')
    await expect(main.getByText(/cancelled this session\.$/)).toBeVisible()
    await expect(main.getByRole('link', { name: 'Choose another time' })).toBeVisible()
  })

  await test.step('the chat names the hour that they keep', async () => {
    const writer = await chatter(request, client, 'client')
    const dialogId = await openDialog(request, writer, therapist.id)
    // On a day with a session the chat shows that one.
    await server.change(async (db) => {
      await sql`update appointments set state = 'expired' where id in (${soon}, ${over}, ${missed})`.execute(
        db,
      )
    })
    await Promise.all([page, theirs].map((each) => each.goto(`/chat?dialogId=${dialogId}`)))
    for (const each of [page, theirs]) {
      await expect(
        each
          .getByRole('complementary', { name: 'Your regular sessions' })
          .getByRole('link', { name: rhythm }),
      ).toBeVisible()
    }
    await look('chat with a regular hour')
    await page.getByRole('link', { name: rhythm }).click()
    await expect(page.getByRole('heading', { name: rhythm })).toBeVisible()
    await page.goto('/my-sessions')
    const dates = page.getByRole('list', { name: 'Next dates' }).getByRole('link', { name: /^\w+day / })
    await dates.first().click()
    await expect(page).toHaveURL(/\/session\?appointment=/)
  })
  for (const each of Object.values(seen)) each.expectAllSeen()
})
