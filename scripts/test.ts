// Runs every test there is, the browser's included, and ends with one line that counts them.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { buildWebIfNeeded } from '#server/web-build.ts'
import { claimPort } from '#test/claimed-port.ts'
import { findChromium, installChromium } from './find-chromium.ts'
import {
  browserTimes,
  failedUnits,
  fileDurations,
  journeyDurations,
  journeysThat,
  listSlowest,
  unitTimes,
} from './slowest.ts'

const endurance = process.argv.includes('--endurance')
const reports = mkdtempSync(join(tmpdir(), 'hearth-reports-'))
const unitReport = join(reports, 'unit.json')
mkdirSync(join(reports, 'data'))
const errorsFile = join(reports, 'errors.json')
const browserReport = join(reports, 'browser.json')
const environment = {
  ...process.env,
  // The same sources are started dozens of times.
  NODE_COMPILE_CACHE: join(reports, 'compiled'),
  ...(endurance ? { ENDURANCE: 'full' } : {}),
}

const unended: string[] = []

warnOfFullDisk()
await buildWebIfNeeded((sentence) => console.log(sentence))
if (!findChromium()) console.error(installChromium)

const unitCode = await run(
  'node_modules/vitest/vitest.mjs',
  [
    'run',
    '--reporter=default',
    '--reporter=./scripts/errors-beside-tests.ts',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
  ],
  { report: unitReport, more: { ERRORS_BESIDE_TESTS: errorsFile } },
)
const browserCode = await run('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json'], {
  report: browserReport,
  more: {
    E2E_PORT: String((await claimPort()).port),
    E2E_DATA: join(reports, 'data'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
  },
})

const unit = read(
  unitReport,
  unitTimes.extend({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number(),
  }),
)
const browser = read(
  browserReport,
  browserTimes.extend({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  }),
)
const errorsBesideTests = read(errorsFile, z.array(z.string())) ?? []
rmSync(reports, { recursive: true, force: true })

const passed = (unit?.numPassedTests ?? 0) + (browser?.stats.expected ?? 0) + (browser?.stats.flaky ?? 0)
const failed =
  (unit?.numFailedTests ?? 0) +
  (browser?.stats.unexpected ?? 0) +
  // A runner that broke down without a report, or failed beside its tests, is a failure of its own.
  (unitCode !== 0 && !unit?.numFailedTests ? 1 : 0) +
  (browserCode !== 0 && !browser?.stats.unexpected ? 1 : 0)
const skipped = (unit?.numPendingTests ?? 0) + (browser?.stats.skipped ?? 0)
if (skipped > 0) console.error(`${skipped} tests were skipped, which counts as failing.`)
if (unit) console.log(listSlowest('The slowest unit files:', fileDurations(unit, process.cwd())))
if (browser) console.log(listSlowest('The slowest browser journeys:', journeyDurations(browser)))
// At the very end, since of a long log often only that is kept.
warnOfFullDisk()
if (browser) list('Passed at the second try alone:', journeysThat('flaky', browser))
if (!unit || (unitCode !== 0 && !unit.numFailedTests))
  list('Broke down:', ['the unit tests', ...errorsBesideTests])
if (!browser || (browserCode !== 0 && !browser.stats.unexpected)) list('Broke down:', ['the journeys'])
for (const sentence of unended) console.log(sentence)
list('Failed:', [
  ...(unit ? failedUnits(unit, process.cwd()) : []),
  ...(browser ? journeysThat('unexpected', browser) : []),
])
console.log(`${passed} passed, ${failed + skipped} failed`)
process.exit(failed + skipped === 0 && passed > 0 ? 0 : 1)

/**
 * Runs a test runner until it ends. One that has written its report and still does not end, for instance since a process
 * that a test left behind holds its output open, is killed after three minutes, and counts as failed.
 */
function run(
  script: string,
  parameters: string[],
  { report, more = {} }: { report: string; more?: Record<string, string> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...environment, ...more },
    })
    let looksWithReport = 0
    const looking = setInterval(() => {
      if (existsSync(report)) looksWithReport++
      if (looksWithReport !== 36) return
      unended.push(`${script} has written its report and does not end.`)
      child.kill('SIGKILL')
    }, 5000)
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(looking)
      resolve(code ?? 1)
    })
  })
}

/** The databases of a whole run take nearly five gigabytes, and tests fail in many ways once the disk is full. */
function warnOfFullDisk(): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  const free = (bavail * bsize) / 1e9
  if (free < 6) console.error(`${tmpdir()} has ${free.toFixed(1)} GB left. The tests need 6 GB.`)
}

function list(title: string, names: readonly string[]): void {
  if (names.length > 0) console.log([title, ...names.map((name) => `  ${name}`)].join('\n'))
}

function read<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
