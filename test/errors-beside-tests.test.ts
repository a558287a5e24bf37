import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

test('a promise that was rejected and not awaited is kept with its file, and the tests have passed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-reporter-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } }')
  await writeFile(
    join(folder, 'one.test.js'),
    `test('passes', async () => {
       void Promise.reject(new RangeError('after all'))
       await new Promise((resolve) => setTimeout(resolve, 10))
     })`,
  )
  const errors = join(folder, 'errors.json')
  const report = join(folder, 'report.json')
  const parameters = [
    'run',
    `--root=${folder}`,
    '--maxWorkers=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const reporter = `--reporter=${resolve('scripts/errors-beside-tests.ts')}`
  const run = promisify(execFile)(
    process.execPath,
    [resolve('node_modules/vitest/vitest.mjs'), ...parameters, reporter],
    { env: { ...process.env, ERRORS_BESIDE_TESTS: errors } },
  )
  await expect(run).rejects.toMatchObject({ code: 1 })
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ numPassedTests: 1, numFailedTests: 0 })
  const sentences: unknown = JSON.parse(await readFile(errors, 'utf8'))
  expect(sentences).toEqual([expect.stringMatching(/^RangeError during \S*one\.test\.js: after all \(at /)])
})
