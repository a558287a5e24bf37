import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { sql } from 'kysely'
import { looker, screens, walking } from './axe.ts'
import { expect } from './fixtures.ts'
import { answerNoDanger, availableTherapists, issueId } from './help.ts'
import { test } from './own-server.ts'
import { shift } from './past.ts'
import { callAs, register, saveCard, signIn } from './people.ts'
import {
  expectPicture,
  fakeDevices,
  join,
  openRooms,
  roomPath,
  seenBy,
  sessionHeldHere,
  watchCalls,
  wordsOf,
} from './rooms.ts'
import { signInTherapist } from './therapists.ts'

test.use({ seed: 'reference', chromiumArguments: fakeDevices })

test('two people meet in the room: nothing flows before the practitioner lets the client in', async ({
  server,
  request,
  openContext,
}) => {
  test.setTimeout(300_000)
  const booked = await sessionHeldHere(server, request, 20)
  const [page, theirs] = await openTwo(openContext, server.url)
  const client = looker(page, screens.room)
  const practitioner = looker(theirs, [])
  await openRooms(page, theirs, booked)
  await expect(page.getByRole('heading', { level: 1, name: /^Your room opens at/ })).toBeVisible()
  await client.look('too early')
  await shift(server, { [booked.id]: 5 })
  await Promise.all([page.reload(), theirs.reload()])

  await expect(page.getByRole('heading', { level: 1, name: /^Your session with/ })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Say something' })).toBeVisible()
  await client.look('device check')
  await join(page)
  await expect(page.getByRole('heading', { level: 1, name: /has not let you in yet/ })).toBeVisible()
  await expect(theirs.getByRole('heading', { level: 1, name: /^Your session with Robin/ })).toBeVisible()
  await join(theirs)
  await expect(theirs.getByRole('heading', { level: 1, name: /^Robin.* is waiting$/ })).toBeVisible()

  await theirs.getByRole('button', { name: '5 minutes late' }).click()
  await expect(page.getByText(/is about five minutes late$/).first()).toBeVisible()
  await client.look('waiting')
  await practitioner.look('a client waits')
  expect(await seenBy(page)).toEqual({ connections: 0, packets: 0, kinds: [] })
  expect(await seenBy(theirs)).toEqual({ connections: 0, packets: 0, kinds: [] })

  await theirs.getByRole('button', { name: 'Let in' }).click()
  const begun = Date.now()
  await expectPicture(theirs, await nameOn(theirs))
  process.stdout.write(`Connected after ${Date.now() - begun} ms.\n`)
  await expectPicture(page, await nameOn(page))
  await expect.poll(async () => (await seenBy(page)).kinds.toSorted()).toEqual(['audio', 'video'])
  await expect.poll(async () => (await seenBy(theirs)).kinds.toSorted()).toEqual(['audio', 'video'])
  expect(await wordsOf(page)).toEqual(await wordsOf(theirs))
  await client.look('the session')
  for (const name of ['Words', 'Devices', 'Trouble?', 'Chat', 'Leave']) {
    await theirs.getByRole('button', { name, exact: true }).click()
    await expect(theirs.getByRole('dialog')).toBeVisible()
    await practitioner.look(`the session with ${name}`)
    await theirs.keyboard.press('Escape')
    await expect(theirs.getByRole('dialog')).toBeHidden()
  }

  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(theirs.getByText(/ is muted$/)).toBeVisible()
  await page.getByRole('button', { name: 'Camera off' }).click()
  await expect(theirs.getByText(/’s camera is off$/)).toBeVisible()
  await page.getByRole('button', { name: 'Camera on' }).click()
  await expectPicture(theirs, await nameOn(theirs))
  await page.getByRole('button', { name: 'Unmute' }).click()
  await expect(theirs.getByText(/ is muted$/)).toBeHidden()

  await page.reload()
  await expectPicture(page, await nameOn(page))
  await expectPicture(theirs, await nameOn(theirs))
  expect(await wordsOf(page)).toEqual(await wordsOf(theirs))

  await theirs.getByRole('button', { name: 'Leave' }).click()
  await theirs.getByRole('button', { name: 'Back to waiting' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /has not let you in yet/ })).toBeVisible()
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))

  await theirs.getByRole('button', { name: 'Leave' }).click()
  await theirs.getByRole('button', { name: 'End for both' }).click()
  for (const each of [page, theirs]) {
    await expect(each.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeVisible()
  }
  await expect(page.getByRole('link', { name: 'Book again' })).toBeVisible()
  await client.look('afterwards')
  await practitioner.look('afterwards, for the practitioner')
  client.expectAllSeen()
  await expect(theirs.getByText(/in the room$/)).toHaveCount(2)
})

test('a second tab takes the seat, refused devices leave the voice or the chat, and a cancelled session closes the room', async ({
  server,
  request,
  openContext,
}) => {
  const booked = await sessionHeldHere(server, request, 2)
  const [page, theirs] = await openTwo(openContext, server.url)
  const client = looker(page, [])
  await refuseDevices(page, ['video'])
  await openRooms(page, theirs, booked)
  await expect(page.getByText('Your browser does not allow the camera')).toBeVisible()
  await client.look('without a camera')
  await page.getByRole('button', { name: 'Join without camera' }).click()
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, await nameOn(page))
  await expect(theirs.getByText(/’s camera is off$/)).toBeVisible()
  await expect.poll(async () => (await seenBy(theirs)).kinds).toContain('audio')

  const second = await page.context().newPage()
  await refuseDevices(second, ['audio', 'video'])
  await signIn(second, booked.client)
  await second.goto(roomPath(booked.id))
  await expect(second.getByText('Your browser does not allow the microphone')).toBeVisible()
  await expect(second.getByText('You are in this room on another device')).toBeVisible()
  await second.getByRole('button', { name: 'Join without camera' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You joined on another device' })).toBeVisible()
  await client.look('the seat moved')
  await expectPicture(second, await nameOn(second))
  await expect(theirs.getByText(/ is muted$/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue here' }).click()
  await expectPicture(page, await nameOn(page))
  await expect(second.getByRole('heading', { level: 1, name: 'You joined on another device' })).toBeVisible()
  await second.close()

  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'You have left the room' })).toBeVisible()
  await client.look('left')
  await expect(theirs.getByText(/is not in the room just now$/)).toBeVisible()
  await page.getByRole('button', { name: 'Go back in' }).click()
  await expectPicture(page, await nameOn(page))

  await callAs(request, booked.therapist, 'POST', `/therapist/sessions/${booked.id}/cancel`, { reason: null })
  for (const each of [page, theirs]) {
    await expect(
      each.getByRole('heading', { level: 1, name: 'This session does not take place' }),
    ).toBeVisible()
  }
})

test('help right now leads both people into the room as soon as it is accepted', async ({
  server,
  request,
  openContext,
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
  await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
  await page.getByRole('button', { name: 'Pay £25' }).click()
  await theirs.getByRole('button', { name: 'Accept and begin' }).click()
  for (const each of [page, theirs]) await expect(each).toHaveURL(/\/session-room\?appointment=/)
  await join(page)
  await join(theirs)
  await expectPicture(page, await nameOn(page))
  await expectPicture(theirs, await nameOn(theirs))
})

/** Has the browser refuse devices, as if a person had pressed “Block”. */
async function refuseDevices(page: Page, kinds: readonly ('audio' | 'video')[]): Promise<void> {
  await page.addInitScript((refused) => {
    const { mediaDevices } = (globalThis as unknown as { navigator: { mediaDevices: Devices } }).navigator
    type Devices = { getUserMedia(constraints: Record<string, unknown>): Promise<unknown> }
    const ask = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = (constraints) =>
      refused.some((kind) => constraints[kind])
        ? Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
        : ask(constraints)
  }, kinds)
}

/** The other person, as the session's region names them. */
async function nameOn(page: Page): Promise<string> {
  const region = page.getByRole('region', { name: /^Session with / })
  await expect(region).toBeVisible()
  return ((await region.getAttribute('aria-label')) ?? '').replace('Session with ', '')
}

/** A page of each side, in the narrow look. */
async function openTwo(
  openContext: (options: BrowserContextOptions) => Promise<BrowserContext>,
  baseURL: string,
): Promise<[Page, Page]> {
  const open = async () => {
    const context = await openContext({ ...walking, baseURL })
    await watchCalls(context)
    return context.newPage()
  }
  return [await open(), await open()]
}
