import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookPath, expectHeld, ownPractitioner, pounds, upcoming } from './booking.ts'
import { expect, test as journey } from './fixtures.ts'
import { register, saveCard, signIn } from './people.ts'

type OwnServer = { url: string; start(): Promise<void>; kill(): Promise<void> }

/** A journey with a server of its own, that may be killed without a warning. */
const test = journey.extend<{ server: OwnServer }>({
  server: async ({ playwright }, use) => {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'hearth-e2e-own-'))
    const url = `http://127.0.0.1:${port}`
    const health = await playwright.request.newContext({ baseURL: url })
    let running: ChildProcess | undefined
    const server: OwnServer = {
      url,
      async start() {
        running = spawn(process.execPath, ['src/server/main.ts'], {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: {
            ...process.env,
            PORT: String(port),
            HOST: '127.0.0.1',
            DATA_DIR: folder,
            LOG_LEVEL: 'error',
            RATE_LIMIT_SCALE: '1000',
          },
        })
        const isReady = () =>
          health.get('/healthz').then(
            (answer) => answer.ok(),
            () => false,
          )
        await expect.poll(isReady, { timeout: 120_000 }).toBe(true)
      },
      async kill() {
        if (!running || running.exitCode !== null || running.signalCode !== null) return
        const ended = once(running, 'exit')
        running.kill('SIGKILL')
        await ended
      },
    }
    await server.start()
    await use(server)
    await server.kill()
    await health.dispose()
    rmSync(folder, { recursive: true, force: true })
  },
  baseURL: async ({ server }, use) => use(server.url),
})

test('a server that dies in the middle of a booking loses nothing: the time stays held, and paying goes on', async ({
  server,
  page,
  request,
  allowComplaint,
}, info) => {
  test.setTimeout(240_000)
  allowComplaint(/ERR_CONNECTION_REFUSED|Failed to fetch/)
  const offer = await ownPractitioner(request, info)
  const account = await register(request)
  await saveCard(request, account)
  await signIn(page, account)
  await page.goto(bookPath(offer, offer.times[0] ?? ''))
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expectHeld(page)
  const pay = page.getByRole('button', { name: `Pay ${pounds(offer.service.fee)}` })
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()

  await server.kill()
  await pay.click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost')
  await expect(page.getByRole('alert')).toContainText('nothing is charged or booked twice')
  await expect(page.getByRole('radio', { name: /4242/ })).toBeChecked()
  await expectHeld(page)

  await server.start()
  expect(await upcoming(request, account)).toEqual([])
  await pay.click()
  await expect(page).toHaveURL('/my-sessions')
  expect(await upcoming(request, account)).toMatchObject([{ status: 'confirmed', fee: offer.service.fee }])
})

/** A port that nobody listens on, for a server that comes back on the same one. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
