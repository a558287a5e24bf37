import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import {
  expectPicture,
  fakeDevices,
  join,
  openRooms,
  seenBy,
  sessionHeldHere,
  watchCalls,
  wordsOf,
} from './rooms.ts'

test.use({ seed: 'reference', chromiumArguments: fakeDevices })

test('two people meet in the room: nothing flows before the practitioner lets the client in', async ({
  server,
  page,
  context,
  request,
  openContext,
}) => {
  const booked = await sessionHeldHere(server, request, 5)
  const theirContext = await openContext()
  await watchCalls(context)
  await watchCalls(theirContext)
  const theirs = await theirContext.newPage()
  await openRooms(page, theirs, booked)

  await expect(page.getByRole('heading', { level: 1, name: /^Your session with/ })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Say something' })).toBeVisible()
  await join(page)
  await expect(page.getByRole('heading', { level: 1, name: /has not let you in yet/ })).toBeVisible()
  await expect(theirs.getByRole('heading', { level: 1, name: /^Your session with Robin/ })).toBeVisible()
  await join(theirs)
  await expect(theirs.getByRole('heading', { level: 1, name: /^Robin.* is waiting$/ })).toBeVisible()

  await theirs.getByRole('button', { name: '5 minutes late' }).click()
  await expect(page.getByText(/is about five minutes late$/).first()).toBeVisible()
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
  await expect(theirs.getByText(/in the room$/)).toHaveCount(2)
})

/** The other person, as the session's region names them. */
async function nameOn(page: Page): Promise<string> {
  const region = page.getByRole('region', { name: /^Session with / })
  await expect(region).toBeVisible()
  return ((await region.getAttribute('aria-label')) ?? '').replace('Session with ', '')
}
