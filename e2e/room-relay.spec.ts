import { expect } from './fixtures.ts'
import { callAs } from './people.ts'
import { test } from './relay.ts'
import { expectPicture, fakeDevices, join, openRooms, openTwo, serversOf, sessionHeldHere } from './rooms.ts'

test.use({ seed: 'reference', chromiumArguments: fakeDevices })

test('two people meet through the relay alone, as soon as it knows them', async ({
  server,
  relay,
  request,
  openContext,
}) => {
  relay.knowsServer(false)
  const booked = await sessionHeldHere(server, request, 2)
  const [page, theirs] = await openTwo(openContext, server.url)
  await openRooms(page, theirs, booked)
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expect(page.getByText(/The relay does not answer from here/)).toBeVisible()

  expect(await callAs(request, booked.therapist, 'GET', '/therapist/room-settings')).toEqual({
    has_relay: true,
  })
  relay.knowsServer(true)
  const begun = Date.now()
  await expect(page.getByLabel('Picture of Mary Ann Okafor')).toBeVisible({ timeout: 60_000 })
  process.stdout.write(`Connected ${Date.now() - begun} ms after the relay was mended.\n`)
  await expectPicture(page, 'Mary Ann Okafor')
  for (const each of [page, theirs]) {
    const kinds = await each.evaluate(async () => {
      const { made } = globalThis as unknown as { made: { getStats(): Promise<Map<string, Candidate>> }[] }
      type Candidate = { type: string; candidateType: string }
      const found = new Set<string>()
      for (const connection of made) {
        for (const stat of (await connection.getStats()).values()) {
          if (stat.type === 'local-candidate') found.add(stat.candidateType)
        }
      }
      return [...found]
    })
    expect(kinds).toEqual(['relay'])
    expect(new Set(await serversOf(each))).toEqual(new Set([relay.url]))
  }
})
