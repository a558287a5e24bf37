import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from './fixtures.ts'
import { files, joinAsTherapist, stepTitle } from './onboarding.ts'
import { test as ownServer } from './own-server.ts'

/** A virus scanner that answers once the journey lets it. */
const test = ownServer.extend<{ scanner: { isAsked: Promise<void>; answer(): void; url: string } }>({
  scanner: async ({ seed: _seed }, use) => {
    const asked = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      // The stream ends with a piece of no length.
      socket.on('data', (data: Buffer) => {
        if (!data.subarray(-4).equals(Buffer.alloc(4))) return
        asked.resolve()
        void told.promise.then(() => socket.end('stream: OK\0'))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    await use({ isAsked: asked.promise, answer: told.resolve, url: `tcp://127.0.0.1:${port}` })
    server.close()
  },
  environment: async ({ scanner }, use) => use(async () => ({ CLAMD_URL: scanner.url })),
})
test.use({ seed: 'reference' })

test('a file that has been sent is waited for while it is checked and stored, for minutes', async ({
  page,
  scanner,
}) => {
  await joinAsTherapist(page, ['Noor', 'Haddad'])
  await page.goto('/therapist/personal-info?step=5')
  await stepTitle(page, 'Your DBS check')
  await page.clock.install()
  await page.getByLabel('DBS certificate', { exact: true }).setInputFiles(await files.dbs())
  await scanner.isAsked
  await expect(page.getByText('Looking at dbs.pdf')).toBeVisible()
  await page.clock.fastForward('02:00')
  await expect(page.getByText('Looking at dbs.pdf')).toBeVisible()
  // All of it has arrived, and is kept once it was looked at: there is nothing left to stop.
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  scanner.answer()
  await expect(page.getByText('dbs.pdf has arrived.')).toBeVisible()
})
