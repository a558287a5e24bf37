import type { APIRequestContext, Page, Route } from '@playwright/test'
import { sql } from 'kysely'
import { newAdmin } from './admin.ts'
import { looker, narrow, screens } from './axe.ts'
import { breakCalls, outage } from './broken-calls.ts'
import { expect } from './fixtures.ts'
import { answerNoDanger, availableTherapists, issueId } from './help.ts'
import { keyboardOf } from './keyboard.ts'
import { mailTo } from './mails.ts'
import { type OwnServer, test } from './own-server.ts'
import { shift } from './past.ts'
import { type Account, callAs, register, saveCard, signIn, signInAgain } from './people.ts'
import {
  type Booked,
  expectMedia,
  expectPicture,
  expectVoice,
  fakeDevices,
  join,
  newestOf,
  type OpenContext,
  openOne,
  openRooms,
  openTwo,
  roomPath,
  seenBy,
  serversOf,
  sessionHeldHere,
  sessionsHeldHere,
  signalsSentBy,
  streamsTo,
  timesAnnounced,
  wordsOf,
} from './rooms.ts'
import { signInTherapist } from './therapists.ts'

test.use({ seed: 'reference', chromiumArguments: fakeDevices })

test('two people meet in the room, one by keyboard alone: nothing flows before the practitioner lets the client in', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(300_000)
  allowComplaint(/ERR_FAILED/)
  // A device may keep its seat just as the room closes.
  allowComplaint(/status of 409 .*\/room\/seat/)
  const [booked] = await sessionsHeldHere(server, request, ['Robin Vale', 'Sam Reed'])
  if (!booked) throw new Error('No session was booked.')
  await shift(server, { [booked.id]: 20 })
  const [page, theirs] = await openTwo(openContext, server.url)
  await countWakeLocks(page)
  const sent = [page, theirs].map(signalsSentBy)
  const client = looker(page, screens.room)
  const practitioner = looker(theirs, [])
  const keys = keyboardOf(page)
  const theirKeys = keyboardOf(theirs)
  const heading = page.getByRole('heading', { level: 1 })
  await openRooms(page, theirs, booked)
  await expect(heading).toHaveText(/^Your room opens /)
  await client.look('too early')
  await shift(server, { [booked.id]: 45 })
  await readAgain(page)
  await expect(heading).toHaveText('Your session was moved')
  await shift(server, { [booked.id]: -20 })
  await Promise.all([page.reload(), theirs.reload()])

  await expect(heading).toHaveText(/^Your session with/)
  await expect(page.getByRole('meter', { name: 'Say something' })).toBeVisible()
  await expect(page.getByText(/The two of you connect directly/)).toBeVisible()
  await expect(theirs.getByText(/which fails between many home networks/)).toBeVisible()
  await client.look('device check')
  await theirs.getByRole('button', { name: 'Play a tone' }).click()
  await expect(theirs.getByText('No tone? Turn the sound up or choose another speaker.')).toBeVisible()
  expect(await wakeLocksOf(page)).toEqual({ asked: 0, held: 0 })
  await keys.press(page.getByRole('button', { name: 'Join', exact: true }), 'Enter')
  await expect(heading).toHaveText(/has not let you in yet/)
  await expect(heading).toBeFocused()
  expect(await wakeLocksOf(page)).toEqual({ asked: 1, held: 1 })
  await page.route('**/room/seat', (route) => route.abort())
  await expect(theirs.getByRole('heading', { level: 1, name: /^Your session with Robin/ })).toBeVisible()
  await join(theirs)
  await expect(theirs.getByRole('heading', { level: 1, name: /^Robin.* is waiting$/ })).toBeVisible()

  await theirKeys.press(theirs.getByRole('button', { name: '5 minutes late' }), 'Enter')
  await expect(theirs.getByRole('heading', { level: 1, name: /^Robin.* is waiting$/ })).toBeFocused()
  await expect(page.getByText(/is about five minutes late$/).first()).toBeVisible()
  await expect(
    page.getByRole('main').getByText('We cannot reach our server just now. We go on trying.'),
  ).toBeVisible()
  await expect(page.getByText('While you wait: breathe in slowly, and out a little longer.')).toBeVisible()
  await expect(page.getByRole('link', { name: '116 123' })).toBeVisible()
  await expect(theirs.getByText(/^Here since \d\d:\d\d\. The session began at \d\d:\d\d\.$/)).toBeVisible()
  await client.look('waiting while the server is away')
  await page.unroute('**/room/seat')
  await expect(page.getByRole('main').getByText(/^We cannot reach our server/)).toBeHidden()
  await client.look('waiting')
  await practitioner.look('a client waits')
  expect(
    await page.evaluate(`document.getAnimations().filter((each) => each.playState === 'running').length`),
  ).toBe(0)
  expect(await seenBy(page)).toEqual({ connections: 0, packets: 0, kinds: [] })
  expect(await seenBy(theirs)).toEqual({ connections: 0, packets: 0, kinds: [] })

  await theirKeys.press(theirs.getByRole('button', { name: 'Let in' }), 'Enter')
  const begun = Date.now()
  await expectPicture(theirs, await nameOn(theirs))
  process.stdout.write(`Connected after ${Date.now() - begun} ms.\n`)
  await expectPicture(page, await nameOn(page))
  await expect(heading).toBeFocused()
  await expect.poll(async () => (await seenBy(page)).kinds.toSorted()).toEqual(['audio', 'video'])
  await expect.poll(async () => (await seenBy(theirs)).kinds.toSorted()).toEqual(['audio', 'video'])
  for (const each of [page, theirs]) {
    const [ofVoice = '', ...ofPicture] = await streamsTo(each)
    expect(ofVoice).toMatch(/^[\w-]{8,}$/)
    expect(ofPicture).toEqual([ofVoice])
    await expect
      .poll(() => limitsOf(each))
      .toEqual({
        audio: { priority: 'high', networkPriority: 'high' },
        video: { maxBitrate: 1_200_000, degradationPreference: 'balanced' },
      })
  }
  expect(await wakeLocksOf(page)).toEqual({ asked: 1, held: 1 })
  expect(await wordsOf(page)).toEqual(await wordsOf(theirs))
  const name = await nameOn(page)
  for (const each of [
    `${name} is about five minutes late.`,
    `${name} has let you in.`,
    `You and ${name} are connected.`,
  ]) {
    await expect.poll(() => timesAnnounced(page, each)).toBe(1)
  }
  await client.look('the session')
  const numbers = page.locator('a[href="tel:116123"]:visible')
  await expect(numbers).toHaveCount(0)
  for (const each of ['Words', 'Devices', 'Trouble?', 'Chat', 'Leave']) {
    await theirs.getByRole('button', { name: each, exact: true }).click()
    await expect(theirs.getByRole('dialog')).toBeVisible()
    if (each === 'Words') {
      await expect(theirs.getByText(/Compare them once if you like: if they are the same/)).toBeVisible()
      await expect(
        theirs.getByText(/do not show that the pages of Hearth themselves are honest/),
      ).toBeVisible()
    }
    await practitioner.look(`the session with ${each}`)
    await theirs.keyboard.press('Escape')
    await expect(theirs.getByRole('dialog')).toBeHidden()
  }

  await page.emulateMedia({ forcedColors: 'active' })
  const move = page.getByRole('button', { name: 'Move your picture to another corner' })
  const corner = await move.boundingBox()
  await keys.pressBackwards(move, 'Enter')
  await expect.poll(async () => (await move.boundingBox())?.x).toBeLessThan(corner?.x ?? 0)
  await expect.poll(() => timesAnnounced(page, 'Your picture is at the bottom left.')).toBe(1)
  const descriptions = () => sent.flat().filter((kind) => kind === 'description').length
  const descriptionsBefore = descriptions()
  expect(descriptionsBefore).toBeGreaterThan(1)
  await keys.press(page.getByRole('button', { name: 'Mute' }), 'Enter')
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeFocused()
  await expect(theirs.getByText(/ is muted$/)).toBeVisible()
  await expect.poll(async () => timesAnnounced(theirs, `${await nameOn(theirs)} is muted.`)).toBe(1)
  await expectSilence(theirs)
  await keys.press(page.getByRole('button', { name: 'Camera off' }), 'Space')
  await expect(theirs.getByText(/’s camera is off$/)).toBeVisible()
  await keys.press(page.getByRole('button', { name: 'Camera on' }), 'Space')
  await expectPicture(theirs, await nameOn(theirs))
  await keys.pressBackwards(page.getByRole('button', { name: 'Unmute' }), 'Enter')
  await expect(theirs.getByText(/ is muted$/)).toBeHidden()
  await expect.poll(async () => timesAnnounced(theirs, `${await nameOn(theirs)} is no longer muted.`)).toBe(1)
  await expectMedia(theirs, ['audio'])
  await expectVoice(theirs)
  await page.getByRole('button', { name: 'Devices' }).click()
  await page.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 2' })
  await expect.poll(() => microphoneOf(page)).toBe('Fake Audio Input 2')
  await page.getByRole('button', { name: 'Done' }).click()
  await expectVoice(theirs)
  expect(descriptions()).toBe(descriptionsBefore)
  await keys.pressBackwards(page.getByRole('button', { name: 'Chat' }), 'Enter')
  await keys.type(page.getByRole('dialog').getByRole('textbox', { name: /^Message to/ }), 'Can you hear me?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText('Can you hear me?').first()).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('heading')).toHaveText([/^Chat with /])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Chat' })).toBeFocused()
  const theirChat = theirs.getByRole('button', { name: 'Chat' })
  await expect(theirChat).toHaveAccessibleName('Chat 1 unread')
  const written = `New message from ${await nameOn(theirs)}`
  await expect.poll(() => timesAnnounced(theirs, written)).toBe(1)
  await practitioner.look('a message waits')
  await theirChat.click()
  await expect(theirs.getByRole('dialog').getByText('Can you hear me?').first()).toBeVisible()
  await theirs.keyboard.press('Escape')
  await expect(theirChat).toHaveAccessibleName('Chat')
  for (const each of ['Words', 'Leave']) {
    const opener = page.getByRole('button', { name: each, exact: true })
    await keys.press(opener, 'Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await keys.expectKept()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await page.emulateMedia({ forcedColors: 'none' })

  await loseConnection(page, true)
  await expect(page.getByText('Reconnecting…').first()).toBeVisible()
  await client.look('reconnecting')
  await loseConnection(page, false)
  await expect.poll(() => timesAnnounced(page, 'You are connected again.')).toBe(1)
  expect(await timesAnnounced(page, 'Reconnecting…')).toBe(1)
  await weakenNetwork(theirs, true)
  await expect(
    theirs.getByRole('main').getByText('Your connection is weak. Your voice goes on.'),
  ).toBeVisible()
  await expect.poll(() => timesAnnounced(theirs, 'Your connection is weak. Your voice goes on.')).toBe(1)
  await practitioner.look('a weak connection')
  await weakenNetwork(theirs, false)
  await theirKeys.pressBackwards(theirs.getByRole('button', { name: 'Turn camera back on' }), 'Enter')
  await expect.poll(() => timesAnnounced(theirs, 'Your camera is on again.')).toBe(1)
  await expect(theirs.getByRole('heading', { level: 1 })).toBeFocused()
  await expectPicture(page, await nameOn(page))

  await page.reload()
  await expectPicture(page, await nameOn(page))
  await expectPicture(theirs, await nameOn(theirs))
  expect(await wordsOf(page)).toEqual(await wordsOf(theirs))
  expect([await serversOf(page), await serversOf(theirs)]).toEqual([[], []])
  // Six minutes before the end: the client is not sent away from ten minutes, however long this has taken so far.
  await shiftInRoom(server, booked.id, -44)
  await expect(page.getByText('About 10 minutes left')).toHaveCount(0)
  await readAgain(page)
  await expect(page.getByText('About 10 minutes left')).toBeVisible()
  expect(await wakeLocksOf(page)).toEqual({ asked: 2, held: 1 })

  await theirKeys.press(theirs.getByRole('button', { name: 'Leave', exact: true }), 'Enter')
  await theirKeys.press(theirs.getByRole('button', { name: 'Back to waiting' }), 'Enter')
  await expect(heading).toHaveText('You are back in the waiting room')
  await expectNoCall(page, theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))

  await page.setViewportSize({ width: 740, height: 375 })
  await expect(page.getByRole('button', { name: 'Leave', exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: /^(Mute|Unmute)$/ })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize(narrow.viewport)
  await keys.press(page.getByRole('button', { name: 'Leave', exact: true }), 'Enter')
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Leave' }), 'Enter')
  await expect(heading).toHaveText('You have left the room')
  await expect(heading).toBeFocused()
  await expect(theirs.getByText(/is not in the room just now$/)).toBeVisible()
  await expectNoCall(page, theirs)
  expect(await wakeLocksOf(page)).toMatchObject({ held: 0 })
  await client.look('left')
  await expect(numbers).toBeInViewport()
  await keys.press(page.getByRole('button', { name: 'Go back in' }), 'Enter')
  await expectPicture(page, await nameOn(page))
  await expectPicture(theirs, await nameOn(theirs))

  await theirKeys.press(theirs.getByRole('button', { name: 'Leave', exact: true }), 'Enter')
  await theirKeys.press(theirs.getByRole('button', { name: 'End for both' }), 'Enter')
  for (const each of [page, theirs]) {
    await expect(each.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeFocused()
  }
  await expectNoCall(page, theirs)
  await expect(
    page.getByText(/^Is there a question left\? Your chat with Mary Ann .* stays open\.$/),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Book again' })).toBeVisible()
  await client.look('afterwards')
  await expect(theirs.getByText(/^Ended at \d\d:\d\d\.$/)).toBeVisible()
  await expect(theirs.getByText('Going on now.')).toHaveCount(0)
  await expect(theirs.getByRole('region', { name: 'Next session' })).toContainText('Sam R.')
  await practitioner.look('afterwards, for the practitioner')
  client.expectAllSeen()
  // Its time is not up: nowhere else is it still on.
  await page.goto(`/session?appointment=${booked.id}`)
  await expect(page.getByText(/^Your session has ended\./)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /^Join/ })).toHaveCount(0)
  await page.goto('/my-sessions')
  await expect(page.getByText(/^Ended at \d\d:\d\d\.$/)).toBeVisible()
  await expect(page.getByText('It has ended, so it cannot be moved or cancelled any more.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add to calendar/ })).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: /^Join/ })).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByText('You have no session booked at the moment.')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Cancel session' })).toHaveCount(0)
  await theirs.getByRole('button', { name: 'Client did not come' }).click()
  const asked = theirs.getByRole('alertdialog')
  await expect(asked).toContainText(/Robin V\. was in the room for .* You were there for /)
  await asked.getByRole('button', { name: 'Leave it as it is' }).click()
  await theirs.getByRole('button', { name: 'Mark as completed' }).click()
  await asked.getByRole('button', { name: 'Mark as completed' }).click()
  await expect(theirs.getByText('Completed.', { exact: true })).toBeVisible()
  await theirs.getByRole('link', { name: 'See the next session' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Your session with Sam R.' })).toBeVisible()
})

test('a second tab takes the seat, devices that fail leave the voice or the chat, and a session that fails gives the money back', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(300_000)
  // A device may keep its seat just as the room closes.
  allowComplaint(/status of 409 .*\/room\/seat/)
  allowComplaint(/status of 401/)
  const [booked, failing, missed] = await sessionsHeldHere(server, request, [
    'Robin Vale',
    'Sam Reed',
    'Kit Moss',
  ])
  if (!booked || !failing || !missed) throw new Error('Not every session was booked.')
  // Mails to an address that is not confirmed tell nothing.
  await server.change(async (db) => {
    await sql`update accounts set email_verified_at = now()`.execute(db)
  })
  await shift(server, { [booked.id]: 2 })
  const [page, theirs] = await openTwo(openContext, server.url)
  const client = looker(page, [])
  await failDevices(page, { video: 'NotAllowedError' })
  await showInApp(page)
  await openRooms(page, theirs, booked)
  await expect(page.getByRole('main').getByText('Your browser does not allow the camera')).toBeVisible()
  await expect(page.getByRole('main').getByText(/ Open it in Safari or Chrome, /)).toBeVisible()
  await expect(page.getByText(/sees and hears you only after letting you in\./)).toBeVisible()
  await client.look('without a camera')
  await page.getByRole('button', { name: 'Join without camera', exact: true }).click()
  const seat = Promise.withResolvers<void>()
  const holdSeat = async (route: Route) => {
    await seat.promise
    await route.continue()
  }
  await theirs.route('**/room/seat', holdSeat, { times: 1 })
  await join(theirs)
  await theirs.getByRole('button', { name: 'Mute' }).click()
  seat.resolve()
  await expect(theirs.getByRole('button', { name: 'Let in' })).toBeVisible()
  await theirs.reload()
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))
  await expect(page.getByText(/ is muted$/)).toBeVisible()
  await theirs.getByRole('button', { name: 'Unmute' }).click()
  await expect(page.getByText(/ is muted$/)).toBeHidden()
  await expect(theirs.getByText(/’s camera is off$/)).toBeVisible()
  await expectVoice(theirs)
  expect((await seenBy(theirs)).kinds).toEqual(['audio'])

  const second = await page.context().newPage()
  await failDevices(second, { audio: 'NotAllowedError', video: 'NotAllowedError' })
  await installOnPhone(second)
  await signIn(second, booked.client)
  await second.goto(roomPath(booked.id))
  await expect(second.getByRole('main').getByText('Your browser does not allow the microphone')).toBeVisible()
  await expect(second.getByText('You are in this room on another device')).toBeVisible()
  await expect(second.getByText(/^You see and hear each other as soon as you are both in/)).toBeVisible()
  await expect(second.getByText('Keep Hearth on your screen')).toBeVisible()
  await expect(page.getByText('Keep Hearth on your screen')).toHaveCount(0)
  await looker(second, []).look('an app on a phone without devices, while another device is in the room')
  await second.getByRole('button', { name: 'Join without camera or microphone', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You joined on another device' })).toBeVisible()
  await expectNoCall(page)
  await client.look('the seat moved')
  await expectPicture(second, await nameOn(second))
  await expect(theirs.getByText(/ is muted$/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue here' }).click()
  await expectPicture(page, await nameOn(page))
  await expect(second.getByRole('heading', { level: 1, name: 'You joined on another device' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  // The device that lost the seat does not come back by itself, now that it is free.
  await second.reload()
  await expect(second.getByRole('heading', { level: 1, name: 'You joined on another device' })).toBeVisible()
  expect(await second.evaluate('asked')).toBe(0)
  await second.close()
  await page.getByRole('button', { name: 'Go back in' }).click()
  await expectPicture(page, await nameOn(page))

  const elsewhere = await signOutFromElsewhere(request, booked.client)
  await expect(page).toHaveURL(/\/sign-in\?return_to=/)
  await expect(page.getByText(/^You were signed out, on another device or /)).toBeVisible()
  await expect(theirs.getByText(/^Robin V\. is not in the room just now$/)).toBeVisible()
  await expectNoCall(page, theirs)
  await signIn(page, elsewhere)
  await page.goto(roomPath(booked.id))
  await expectPicture(page, await nameOn(page))

  await callAs(request, booked.therapist, 'POST', `/therapist/sessions/${booked.id}/cancel`, { reason: null })
  for (const each of [page, theirs]) {
    await expect(each.getByRole('heading', { level: 1, name: 'This session was cancelled' })).toBeFocused()
  }
  await expectNoCall(page, theirs)
  await expect(
    page.getByText(/^Mary Ann cancelled it\. £.* (is going|was sent) back to your card\.$/),
  ).toBeVisible()
  await expect(theirs.getByText('You cancelled it. The client was refunded.')).toBeVisible()
  await client.look('cancelled meanwhile')
  await page.context().close()

  await nothingWorks(server, request, openContext, theirs, failing)
  await practitionerStaysAway(server, request, openContext, missed)
})

/** Ends every sign-in session of a client from a new one, which is returned. */
async function signOutFromElsewhere(request: APIRequestContext, account: Account): Promise<Account> {
  const elsewhere = await signInAgain(request, account)
  const path = '/client/login-sessions'
  const listed = await callAs<{ id: string; current: boolean }[]>(request, elsewhere, 'GET', path)
  for (const { id, current } of listed) {
    if (!current) await callAs(request, elsewhere, 'DELETE', `${path}/${id}`)
  }
  return elsewhere
}

/** The practitioner offers their own link, then cancels the session because it does not work. */
async function nothingWorks(
  server: OwnServer,
  request: APIRequestContext,
  openContext: OpenContext,
  theirs: Page,
  booked: Booked,
): Promise<void> {
  const link = 'https://rooms.example.test/okafor'
  await server.change(async (db) => {
    await sql`update practitioners set meeting_link = ${link}, room = 'hearth'
      where id = ${booked.therapist.id}`.execute(db)
  })
  await shift(server, { [booked.id]: -2 })
  const page = await openOne(openContext, server.url)
  await failDevices(page, { audio: 'NotReadableError', video: 'NotReadableError' })
  await hideCertificates(page)
  // By the clock of this device the room has been closed for half an hour.
  await page.addInitScript('const { now } = Date; Date.now = () => now() + 2 * 3_600_000')
  await signIn(page, booked.client)
  await Promise.all([page.goto(roomPath(booked.id)), theirs.goto(roomPath(booked.id))])
  const busy = page.getByRole('main').getByText(/^Another app is using your (microphone|camera)$/)
  await expect(busy).toHaveCount(2)
  await looker(page, []).look('devices that another app uses')
  await mendDevices(page)
  await page.getByRole('button', { name: 'Try the microphone again' }).click()
  await page.getByRole('button', { name: 'Try the camera again' }).click()
  await expect(busy).toHaveCount(0)
  await expect(page.getByRole('meter', { name: 'Say something' })).toBeVisible()
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))
  await theirs.getByRole('button', { name: 'Trouble?' }).click()
  const dialog = theirs.getByRole('dialog', { name: 'It does not work?' })
  await expect(page.getByText(/offers to go on in another room/)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Offer my own link' }).click()
  await expect(dialog.getByRole('link', { name: 'Open the other room' })).toHaveAttribute('href', link)
  await expect(page.getByText(/offers to go on in another room$/).first()).toBeVisible()
  const open = page.getByRole('link', { name: 'Open the other room' })
  await expect(open).toHaveAttribute('href', link)
  await looker(page, []).look('the other room is offered')
  await page.getByRole('button', { name: 'Words' }).click()
  await expect(page.getByText(/^The words could not be made for this connection/)).toBeVisible()
  await looker(page, []).look('the words could not be made')
  await page.keyboard.press('Escape')
  await looker(theirs, []).look('own link offered')

  await dialog.getByRole('button', { name: 'Cancel the session' }).click()
  const asked = theirs.getByRole('alertdialog', { name: 'Cancel because it did not work?' })
  await asked.getByLabel(/^A message to your client/).fill('Sorry, my line is down.')
  await looker(theirs, []).look('cancelling because it did not work')
  await asked.getByRole('button', { name: 'Cancel and refund' }).click()
  for (const each of [page, theirs]) {
    await expect(each.getByRole('heading', { level: 1, name: 'This session was cancelled' })).toBeVisible()
  }
  for (const each of [page, theirs]) {
    await expect(each.getByText(/^It was cancelled because the connection did not work\./)).toBeVisible()
  }
  await expect(page.getByText('Sorry, my line is down.')).toBeVisible()
  await expect(page.getByText(/back to your card\.$/)).toBeVisible()
  await expect(open).toHaveCount(0)
  await mailTo(booked.client.email, 'did not work for technical reasons', server.folder)
  expect(await callAs(request, booked.client, 'GET', `/sessions/${booked.id}`)).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'practitioner',
  })
  await page.context().close()
}

/** The client waits alone for ten minutes, ends the session and is refunded. */
async function practitionerStaysAway(
  server: OwnServer,
  request: APIRequestContext,
  openContext: OpenContext,
  booked: Booked,
): Promise<void> {
  await shift(server, { [booked.id]: -11 })
  const page = await openOne(openContext, server.url)
  await failDevices(page, { audio: 'NotFoundError', video: 'NotFoundError' })
  await signIn(page, booked.client)
  const freeze = (since: string | null) =>
    server.change(async (db) => {
      await sql`update appointments set frozen_at = ${since}::timestamptz,
        frozen_until = ${since}::timestamptz + interval '3 days',
        frozen_cause = case when ${since}::text is null then null else 'suspended' end
        where id = ${booked.id}`.execute(db)
    })
  await freeze(new Date().toISOString())
  await page.goto(roomPath(booked.id))
  await expect(page.getByRole('heading', { level: 1, name: 'This session is being checked' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the session' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Book again' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Chat', exact: true })).toHaveCount(0)
  await looker(page, []).look('the session is checked')
  await freeze(null)
  await readAgain(page)
  await expect(page.getByRole('main').getByText('We found no microphone')).toBeVisible()
  await expect(page.getByRole('main').getByText('We found no camera')).toBeVisible()
  await looker(page, []).look('without devices')
  // Behind the room, so that none of its dialogs waits for a network that stutters; not before it.
  const dialogCode = page.waitForRequest(/\/OpenDialog-/)
  await page.getByRole('button', { name: 'Join without camera or microphone' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /has not let you in yet$/ })).toBeVisible()
  await dialogCode
  const absent = page.getByRole('main').getByText(/^Mary Ann Okafor has not come$/)
  await expect(absent).toHaveCount(0)
  await waitAlone(server, booked.id)
  await page.reload()
  await expect(absent).toBeVisible()
  await looker(page, []).look('the practitioner has not come')
  const refund = page.getByRole('button', { name: 'Get my money back' })
  await refund.click()
  const asked = page.getByRole('alertdialog')
  await expect(asked).toHaveAccessibleName('End the session and get your money back?')
  await looker(page, []).look('ending a session to which the practitioner did not come')
  await asked.getByRole('button', { name: 'Wait a little longer' }).click()
  // A sign of life that is slow on its way is not overtaken by leaving: it would take the seat again.
  const left = Promise.withResolvers<void>()
  await page.route('**/room/seat', async (route) => {
    await left.promise
    await route.fallback()
  })
  await page.waitForRequest('**/room/seat')
  const calls = ['seat', 'leave'].map((call) => page.waitForResponse(`**/room/${call}`))
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You have left the room' })).toBeVisible()
  await page.waitForResponse('**/room/leave', { timeout: 1000 }).catch(() => undefined)
  left.resolve()
  await Promise.all(calls)
  expect(await callAs(request, booked.therapist, 'GET', `/appointment/${booked.id}/room`)).toMatchObject({
    other: { here: false },
  })
  await expect(absent).toBeVisible()
  // Over for ten minutes, and its room closed.
  await shiftInRoom(server, booked.id, -90)
  await readAgain(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeVisible()
  await expect(
    page.getByRole('main').getByText('Mary Ann Okafor did not come', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Take a moment before you go on with your day.')).toHaveCount(0)
  await looker(page, []).look('afterwards, to which the practitioner did not come')
  await refund.click()
  await expect(asked).toHaveAccessibleName('Get your money back?')
  await asked.getByRole('button', { name: 'Refund me' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This session was cancelled' })).toBeFocused()
  await expect(refund).toHaveCount(0)
  await expect(
    page.getByText(/^Mary Ann did not come, so it was cancelled\. £.* back to your card\.$/),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Choose another time' })).toBeVisible()
  await mailTo(booked.therapist.email, 'told us that you did not come', server.folder)
  expect(await callAs(request, booked.client, 'GET', `/sessions/${booked.id}`)).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'system',
  })
}

/** As `shift`, of a session whose room is in use and stays the same. */
async function shiftInRoom(server: OwnServer, id: string, minutes: number): Promise<void> {
  await shift(server, { [id]: minutes })
  await server.change(async (db) => {
    await sql`update session_rooms set starts_at = (select starts_at from appointments where id = ${id})
      where appointment_id = ${id}`.execute(db)
  })
}

/** Makes the client have been in the room for the ten minutes after which they may end the session. */
function waitAlone(server: OwnServer, id: string): Promise<void> {
  return server.change(async (db) => {
    await sql`update session_attendance set first_in = first_in - interval '11 minutes', seconds = 660,
      session_seconds = 600 where appointment_id = ${id}`.execute(db)
  })
}

test('a person whose leaving does not reach the server is out of the call, also after a reload, until they join again', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(180_000)
  allowComplaint(/ERR_FAILED/)
  const booked = await sessionHeldHere(server, request, 2)
  const [page, theirs] = await openTwo(openContext, server.url)
  await keepSoundOff(page)
  await openRooms(page, theirs, booked)
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectMedia(page, ['audio'])

  const name = await nameOn(page)
  const turnOn = page.getByRole('button', { name: 'Turn the sound on' })
  const isOff = `You do not hear ${name} yet. Press “Turn the sound on”.`
  const isOn = `The sound is on: you hear ${name} now.`
  await expect.poll(() => timesAnnounced(page, isOff)).toBe(1)
  await keyboardOf(page).press(turnOn, 'Enter')
  // Refused once more.
  await page.waitForTimeout(200)
  await expect(turnOn).toBeFocused()
  await page.evaluate('mayPlay = true')
  await page.keyboard.press('Enter')
  await expect(turnOn).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect.poll(() => timesAnnounced(page, isOn)).toBe(1)
  expect(await timesAnnounced(page, isOff)).toBe(1)

  await page.route('**/room/leave', (route) => route.abort())
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You have left the room' })).toBeVisible()
  await expectNoCall(page)
  await server.change(async (db) => {
    await sql`update session_room_seats set seen_at = seen_at - interval '1 minute'
      where appointment_id = ${booked.id} and side = 'client'`.execute(db)
  })
  const isAway = 'Robin V. is not in the room just now'
  await expect(theirs.getByText(isAway, { exact: true })).toBeVisible()
  await expect.poll(() => timesAnnounced(theirs, `${isAway}.`)).toBe(1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Say something' })).toBeVisible()
  // A page that is in the call connects at once.
  await page.waitForTimeout(3000)
  expect(await seenBy(page)).toEqual({ connections: 0, packets: 0, kinds: [] })
  await join(page)
  await expectMedia(page, ['audio'])
  await expectMedia(theirs, ['audio'])

  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You have left the room' })).toBeVisible()
  expect(await seatsOfClient(server, booked.id)).toBe(1)
  await page.unroute('**/room/leave')
  await expect.poll(() => seatsOfClient(server, booked.id)).toBe(0)
  await page.getByRole('button', { name: 'Go back in' }).click()
  await expectMedia(theirs, ['audio'])
  expect(await seatsOfClient(server, booked.id)).toBe(1)
})

test('a call goes on where its session did not load, and its chat names that and loads again', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(180_000)
  allowComplaint(outage)
  const booked = await sessionHeldHere(server, request, 2)
  const [page, theirs] = await openTwo(openContext, server.url)
  const session = await breakCalls(page, `**/sessions/${booked.id}`, 'no good')
  await openRooms(page, theirs, booked)
  await join(page)
  const chat = page.getByRole('button', { name: 'Chat did not load', exact: true })
  await expect(chat).toBeVisible()
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('Your messages did not load')).toHaveCount(0)
  const { number } = await newestOf(page)

  const keys = keyboardOf(page)
  await keys.press(chat, 'Enter')
  const drawer = page.getByRole('dialog', { name: /^Chat with / })
  await expect(drawer.getByRole('alert')).toContainText('Your messages did not load')
  await looker(page, []).look('a room whose messages did not load')
  const asked = Promise.withResolvers<Route>()
  await page.route(`**/sessions/${booked.id}`, (route) => asked.resolve(route), { times: 1 })
  await keys.press(drawer.getByRole('button', { name: 'Try again' }), 'Enter')
  const route = await asked.promise
  await expect(drawer.getByRole('button', { name: 'Please wait' })).toBeFocused()
  await expect(drawer.getByRole('alert')).toContainText('Your messages did not load')
  await route.continue()
  await session.mend()
  await expect(drawer.getByPlaceholder('Enter your message')).toBeVisible()
  await expect(drawer.getByText('Your messages did not load')).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Chat', exact: true })).toBeFocused()
  await expectMedia(page, ['audio', 'video'], theirs)
  expect((await newestOf(page)).number).toBe(number)
})

test('a page left open joins no session that was moved or restored before a person presses Join', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(180_000)
  allowComplaint(/status of 409 .*\/room\/seat/)
  const booked = await sessionHeldHere(server, request, 2)
  const page = await openOne(openContext, server.url)
  await signIn(page, booked.client)
  await page.goto(roomPath(booked.id))
  const heading = page.getByRole('heading', { level: 1 })
  const joinAnew = async () => {
    await expect(heading).toHaveText('Your session with Mary Ann Okafor')
    // A page that is in the room takes its seat at once.
    await page.waitForTimeout(2000)
    expect(await seatsOfClient(server, booked.id)).toBe(0)
    await join(page)
    await expect(heading).toHaveText('Mary Ann Okafor has not let you in yet')
    expect(await seatsOfClient(server, booked.id)).toBe(1)
  }
  await joinAnew()

  // As a change of the session leaves its room.
  const move = async (minutes: number) => {
    await shiftInRoom(server, booked.id, minutes)
    await server.change(async (db) => {
      await sql`delete from session_room_seats where appointment_id = ${booked.id}`.execute(db)
    })
    await readAgain(page)
  }
  await move(24 * 60)
  await expect(heading).toHaveText('Your session was moved')
  await move(5)
  await joinAnew()

  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(heading).toHaveText('You have left the room')
  await move(24 * 60)
  await expect(heading).toHaveText('Your session was moved')
  await move(5)
  await joinAnew()

  const freeze = async (since: string | null) => {
    await server.change(async (db) => {
      await sql`update appointments set frozen_at = ${since}::timestamptz,
        frozen_until = ${since}::timestamptz + interval '3 days',
        frozen_cause = case when ${since}::text is null then null else 'suspended' end
        where id = ${booked.id}`.execute(db)
    })
    await move(5)
  }
  await freeze(new Date().toISOString())
  await expect(heading).toHaveText('This session is being checked')
  await freeze(null)
  await joinAnew()
})

test('the way to another room frees microphone and camera until they are turned on again', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(120_000)
  allowComplaint(/request to another origin: https:\/\/rooms\.example\.test/)
  const booked = await sessionHeldHere(server, request, 2)
  const link = 'https://rooms.example.test/okafor'
  await server.change(async (db) => {
    await sql`update practitioners set meeting_link = ${link} where id = ${booked.therapist.id}`.execute(db)
  })
  const page = await openOne(openContext, server.url)
  await keepStreams(page)
  await page.context().route(link, (route) => route.fulfill({ body: 'The other room' }))
  await signIn(page, booked.client)
  await page.goto(roomPath(booked.id))
  await join(page)
  await callAs(request, booked.therapist, 'POST', `/therapist/sessions/${booked.id}/room/own-link`)
  await expect.poll(() => devicesOf(page)).toEqual(['audio', 'video'])
  await page.getByRole('link', { name: 'Open the other room' }).click()
  await expect.poll(() => devicesOf(page)).toEqual([])
  // A look back takes nothing from the call that goes on there.
  await readAgain(page)
  await page.waitForTimeout(1000)
  expect(await devicesOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Unmute' }).click()
  await expect.poll(() => devicesOf(page)).toEqual(['audio'])
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Camera on' }).click()
  await expect.poll(() => devicesOf(page)).toEqual(['audio', 'video'])
})

type Streams = { streams: { getTracks(): { kind: string; readyState: string }[] }[] }

/** Keeps what the browser gives a page of its devices in sight. */
async function keepStreams(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.streams = []
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints)
      streams.push(stream)
      return stream
    }`)
}

/** The kinds of devices that a page uses now. */
function devicesOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (globalThis as unknown as Streams).streams
      .flatMap((stream) => stream.getTracks())
      .filter(({ readyState }) => readyState === 'live')
      .map(({ kind }) => kind)
      .toSorted(),
  )
}

test('help right now leads both people into the room as soon as it is accepted, a client out of it whose practitioner stays away, and a suspended practitioner', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  const [therapist] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  if (!therapist) throw new Error('No practitioner is there to be asked.')
  await server.change(async (db) => {
    await sql`update practitioners set meeting_link = null, room = 'hearth' where id = ${therapist.id}`.execute(
      db,
    )
  })
  const [page, theirs] = await openTwo(openContext, server.url)
  const account = await register(request, 'Robin Vale')
  await saveCard(request, account)
  await signIn(page, account)
  await signInTherapist(theirs, therapist)
  await theirs.goto('/therapist/dashboard')
  await page.goto(`/get-help?issueId=${issueId}`)
  await answerNoDanger(page)
  const missed = await acceptHelp(page, theirs)
  await join(page)
  const region = page.getByRole('region', { name: 'Session with Nora Ellis' })
  await expect(region.getByText('Nora Ellis is not in the room just now')).toBeVisible()
  await expect(region.getByText('Nora Ellis has not come')).toHaveCount(0)
  await shiftInRoom(server, missed, -11)
  await waitAlone(server, missed)
  await page.reload()
  await expect(region.getByText('Nora Ellis has not come')).toBeVisible()
  await looker(page, []).look('help right now to which the practitioner has not come')
  await region.getByRole('button', { name: 'Get my money back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End it and refund me' }).click()
  for (const each of [page, theirs]) {
    await expect(each.getByRole('heading', { level: 1, name: 'This session was cancelled' })).toBeFocused()
  }
  await expect(
    page.getByText(/^Nora did not come, so it was cancelled\. £25 .* back to your card\.$/),
  ).toBeVisible()
  expect([(await seenBy(page)).packets, (await seenBy(theirs)).connections]).toEqual([0, 0])

  await page.goto(`/get-help/session-is-booked?session=${missed}`)
  await expect(page.getByRole('main').getByText(/^£25 .* back to your card\.$/)).toBeVisible()
  await theirs.goto('/therapist/dashboard')
  const held = await acceptHelp(page, theirs)
  await page.goto(`/get-help/session-is-booked?session=${held}`)
  await looker(page, []).look('help right now that was accepted')
  await page.getByRole('link', { name: 'Join the room with Nora' }).click()
  await expect(page).toHaveURL(roomPath(held))
  await join(page)
  await join(theirs)
  await expectPicture(page, await nameOn(page))
  await expectPicture(theirs, await nameOn(theirs))

  allowComplaint(/status of 403/)
  const admin = await newAdmin(server, request)
  await callAs(request, admin, 'POST', `/admin/practitioners/${therapist.id}/suspend`, {
    reason: 'A client has complained.',
    sessions: 'cancel',
  })
  await expect(page.getByRole('heading', { level: 1, name: 'This session was cancelled' })).toBeFocused()
  await expect(page.getByText('A client has complained.')).toHaveCount(0)
  await expect(theirs).toHaveURL('/therapist/suspended')
  await expectNoCall(page, theirs)
})

/** A client asks for help right now and a practitioner accepts: both are led into the room. Returns the session's id. */
async function acceptHelp(page: Page, theirs: Page): Promise<string> {
  await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
  // The answer to the payment comes after the practitioner has accepted.
  const accepted = Promise.withResolvers<void>()
  await page.route(
    '**/existing-card-payment',
    async (route) => {
      const response = await route.fetch()
      await accepted.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Pay £25' }).click()
  await theirs.getByRole('button', { name: 'Accept and begin' }).click()
  await expect(theirs).toHaveURL(/\/session-room\?appointment=/)
  accepted.resolve()
  await expect(page).toHaveURL(/\/session-room\?appointment=/)
  return new URL(page.url()).searchParams.get('appointment') ?? ''
}

type Awake = { wakeLocks: WakeLocks }
type WakeLocks = {
  /** How often the page has asked for one. */
  asked: number
  /** How many keep the screen on. */
  held: number
}

/** Counts how a page keeps the screen of a phone on. */
async function countWakeLocks(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.wakeLocks = { asked: 0, held: 0 }
    const request = async () => {
      wakeLocks.asked += 1
      wakeLocks.held += 1
      return { release: async () => { wakeLocks.held -= 1 } }
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
    // A browser ends the locks of a page that is hidden.
    document.addEventListener('visibilitychange', () => { wakeLocks.held = 0 })`)
}

const wakeLocksOf = (page: Page) => page.evaluate(() => (globalThis as unknown as Awake).wakeLocks)

type Sender = {
  track: { kind: 'audio' | 'video'; label: string } | null
  getParameters(): { degradationPreference?: string; encodings: Encoding[] }
}
type Encoding = { priority?: string; networkPriority?: string; maxBitrate?: number }

/** What the newest connection of a page does where the network is short. */
async function limitsOf(page: Page) {
  return page.evaluate(() => {
    const { made } = globalThis as unknown as { made: { getSenders(): Sender[] }[] }
    const of = (kind: string) =>
      made
        .at(-1)
        ?.getSenders()
        .find(({ track }) => track?.kind === kind)
        ?.getParameters()
    const [voice, picture] = [of('audio'), of('video')]
    const { priority, networkPriority } = voice?.encodings[0] ?? {}
    const { maxBitrate } = picture?.encodings[0] ?? {}
    return {
      audio: { priority, networkPriority },
      video: { maxBitrate, degradationPreference: picture?.degradationPreference },
    }
  })
}

/** The microphone that the newest connection of a page sends. */
async function microphoneOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { made } = globalThis as unknown as { made: { getSenders(): Sender[] }[] }
    const tracks = made.at(-1)?.getSenders() ?? []
    return tracks.find(({ track }) => track?.kind === 'audio')?.track?.label
  })
}

/** No sound arrives at a page for two seconds. */
async function expectSilence(page: Page): Promise<void> {
  let before = -1
  await expect
    .poll(
      async () => {
        const { audio } = await newestOf(page)
        const heard = audio - before
        before = audio
        return heard
      },
      { intervals: [2000] },
    )
    .toBe(0)
}

type DeviceErrors = Partial<Record<'audio' | 'video', string>>

/** Has the browser fail to open devices: refused, as if a person had pressed “Block”, in use elsewhere, or not there. */
async function failDevices(page: Page, errors: DeviceErrors): Promise<void> {
  await page.addInitScript((given) => {
    const scope = globalThis as unknown as {
      failing: DeviceErrors
      /** How often the page has asked for devices. */
      asked: number
      navigator: { mediaDevices: Devices }
    }
    scope.asked = 0
    type Devices = { getUserMedia(constraints: Record<string, unknown>): Promise<unknown> }
    scope.failing = given
    const { mediaDevices } = scope.navigator
    const ask = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = (constraints) => {
      scope.asked++
      const name = (['audio', 'video'] as const)
        .filter((kind) => constraints[kind])
        .flatMap((kind) => scope.failing[kind] ?? [])[0]
      return name === undefined ? ask(constraints) : Promise.reject(new DOMException('It failed', name))
    }
  }, errors)
}

/** How many devices of the client have the seat in a room. */
async function seatsOfClient(server: OwnServer, id: string): Promise<number> {
  let seats = 0
  await server.change(async (db) => {
    const { rows } = await sql<{ seats: number }>`select count(*)::int as seats from session_room_seats
      where appointment_id = ${id} and side = 'client' and left_at is null`.execute(db)
    seats = rows[0]?.seats ?? 0
  })
  return seats
}

/** Has the browser refuse to play sounds until `mayPlay` is set, as one does on a page without a press of a button. */
async function keepSoundOff(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.mayPlay = false
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      const isKept = this instanceof HTMLAudioElement && this.srcObject !== null && !mayPlay
      return isKept ? Promise.reject(new DOMException('Not yet', 'NotAllowedError')) : play.call(this)
    }`)
}

/** Has every device open again. */
const mendDevices = (page: Page) => page.evaluate('failing = {}')

/** Has the browser not name the certificate at the other end of a connection. */
async function hideCertificates(page: Page): Promise<void> {
  await page.addInitScript(`
    const ask = RTCPeerConnection.prototype.getStats
    RTCPeerConnection.prototype.getStats = async function () {
      return new Map([...(await ask.call(this))].filter(([, { type }]) => type !== 'certificate'))
    }
    RTCDtlsTransport.prototype.getRemoteCertificates = () => []`)
}

/** Has the page believe that it runs as an app on a phone. */
async function installOnPhone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const given = globalThis as unknown as { matchMedia(query: string): { matches: boolean } }
    const ask = given.matchMedia.bind(given)
    given.matchMedia = (query) => ask(/display-mode: standalone/.test(query) ? 'all' : query)
  })
}

/** Has the page believe that another app on a phone shows it. */
async function showInApp(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', {
      value:
        'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 361.0.0.46.88 Android',
    }),
  )
}

type Connection = EventTarget & {
  connectionState: string
  iceConnectionState: string
  getStats(): Promise<Map<string, { type: string }>>
}

/** Has a page read anew what it shows, as when it is looked at again. */
async function readAgain(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}

/** Every connection of these pages is closed. */
async function expectNoCall(...pages: Page[]): Promise<void> {
  for (const page of pages) await expect.poll(() => openCalls(page)).toBe(0)
}

/** How many connections of a page are not closed. */
function openCalls(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      (globalThis as unknown as { made: Connection[] }).made.filter(
        ({ connectionState }) => connectionState !== 'closed',
      ).length,
  )
}

/** Has the newest connection of a page look lost, or as it is. */
async function loseConnection(page: Page, isLost: boolean): Promise<void> {
  await page.evaluate((lost) => {
    const connection = (globalThis as unknown as { made: Connection[] }).made.at(-1)
    if (!connection) throw new Error('The page has made no connection.')
    for (const name of ['connectionState', 'iceConnectionState'] as const) {
      if (lost) Object.defineProperty(connection, name, { value: 'disconnected', configurable: true })
      else Reflect.deleteProperty(connection, name)
    }
    connection.dispatchEvent(new Event('iceconnectionstatechange'))
    connection.dispatchEvent(new Event('connectionstatechange'))
  }, isLost)
}

/** Has the newest connection of a page measure that next to nothing can be sent, or what it can. */
async function weakenNetwork(page: Page, isWeak: boolean): Promise<void> {
  await page.evaluate((weak) => {
    const connection = (globalThis as unknown as { made: Connection[] }).made.at(-1)
    if (!connection) throw new Error('The page has made no connection.')
    if (!weak) {
      Reflect.deleteProperty(connection, 'getStats')
      return
    }
    const ask = connection.getStats.bind(connection)
    connection.getStats = async () =>
      new Map(
        [...(await ask())].map(([id, each]) => [
          id,
          each.type === 'candidate-pair' ? { ...each, availableOutgoingBitrate: 50_000 } : each,
        ]),
      )
  }, isWeak)
}

/** The other person, as the session's region names them. */
async function nameOn(page: Page): Promise<string> {
  const region = page.getByRole('region', { name: /^Session with / })
  await expect(region).toBeVisible()
  return ((await region.getAttribute('aria-label')) ?? '').replace('Session with ', '')
}
