import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { callAs } from './people.ts'
import { test } from './relay.ts'
import {
  askForRestart,
  expectPicture,
  fakeDevices,
  join,
  openRooms,
  openTwo,
  serversOf,
  sessionHeldHere,
  wordsOf,
} from './rooms.ts'

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
  await page.addInitScript('delete RTCCertificate.prototype.getFingerprints')
  await leaveCertificatesOut(theirs)
  await openRooms(page, theirs, booked)
  const check = page.getByRole('button', { name: 'Check your connection' })
  const label = page.getByRole('status').filter({ hasText: /connection|relay/ })
  await check.click()
  await expect(label).toHaveText(/^We could not reach the relay from here\./)
  relay.knowsServer(true)
  await check.click()
  await expect(label).toHaveText(/^Your connection (is good|will do|is weak)\./)
  relay.knowsServer(false)
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expect(page.getByText(/The relay does not answer from here/)).toBeVisible()
  // Both offer at once, before anything has arrived.
  await askForRestart([page, theirs])

  expect(await callAs(request, booked.therapist, 'GET', '/therapist/room-settings')).toEqual({
    has_relay: true,
  })
  relay.knowsServer(true)
  const begun = Date.now()
  await expect(page.getByLabel('Picture of Mary Ann Okafor')).toBeVisible({ timeout: 60_000 })
  process.stdout.write(`Connected ${Date.now() - begun} ms after the relay was mended.\n`)
  await expectPicture(page, 'Mary Ann Okafor')
  await expectPicture(theirs, 'Robin')
  expect(await page.evaluate(`'getFingerprints' in RTCCertificate.prototype`)).toBe(false)
  expect(await wordsOf(page)).toEqual(await wordsOf(theirs))
  for (const each of [page, theirs]) {
    // Also those that the relay told a device of later have a protocol to the relay.
    const toRelay = await each.evaluate(async () => {
      const { made } = globalThis as unknown as { made: { getStats(): Promise<Map<string, Candidate>> }[] }
      type Candidate = { type: string; relayProtocol?: string }
      const found = new Set<string | undefined>()
      for (const connection of made) {
        for (const stat of (await connection.getStats()).values()) {
          if (stat.type === 'local-candidate') found.add(stat.relayProtocol)
        }
      }
      return [...found]
    })
    expect(toRelay).toEqual(['udp'])
    expect(new Set(await serversOf(each))).toEqual(new Set([relay.url]))
  }
})

/** Has the statistics of a connection not name certificates, as those of some browsers do not. */
async function leaveCertificatesOut(page: Page): Promise<void> {
  await page.addInitScript(`
    const ask = RTCPeerConnection.prototype.getStats
    RTCPeerConnection.prototype.getStats = async function () {
      return new Map([...(await ask.call(this))].filter(([, { type }]) => type !== 'certificate'))
    }`)
}
