import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const port = process.env.E2E_PORT ?? '3199'
// Every process that reads this file has to name the same folder; the one that made it removes it.
if (!process.env.E2E_DATA) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-e2e-'))
  process.env.E2E_DATA = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

export default defineConfig({
  testDir: 'e2e',
  // Half an hour of a call.
  testIgnore: process.env.ENDURANCE === 'full' ? [] : ['**/*.endurance.spec.ts'],
  fullyParallel: true,
  // Each waits now and then: three keep two cores busy.
  workers: 3,
  forbidOnly: true,
  // A machine that is held up for a moment is no fault of the product; what needed it is named at the end of the run.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  outputDir: 'test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    actionTimeout: 20_000,
    // Drawing what moves takes a tenth of the processor's time; `inMotion` is for journeys through it.
    contextOptions: { reducedMotion: 'reduce' },
    // What a service worker fetches cannot be broken by a test; the one about being offline allows it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Costs a third of a journey's time: asked for when one fails.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(process.env.CHROME_PATH ? { executablePath: process.env.CHROME_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds: compiling it for the long run takes a tenth of the processor's time.
        '--js-flags=--no-opt --no-maglev --single-threaded-gc',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" e2e/serve.ts`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 240_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: port,
      HOST: '127.0.0.1',
      DATA_DIR: process.env.E2E_DATA,
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '1000',
    },
  },
})
