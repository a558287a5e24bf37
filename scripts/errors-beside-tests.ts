import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter } from 'vitest/node'

/**
 * Vitest's reporter of the errors that belong to no test, such as a promise that was rejected and not awaited: the run
 * fails by them, and the JSON report does not have them. Writes an array of sentences as JSON to the file that `ERRORS_BESIDE_TESTS` names.
 */
export default class ErrorsBesideTests implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (_modules, errors) => {
    const file = process.env.ERRORS_BESIDE_TESTS
    if (!file) return
    const sentences = errors.map(({ name, message, stack, VITEST_TEST_PATH: test }) => {
      const during = typeof test === 'string' ? ` during ${relative(process.cwd(), test)}` : ''
      const from = stack?.split('\n').find((line) => /^\s+at /.test(line))
      return `${name ?? 'Error'}${during}: ${message}${from ? ` (${from.trim()})` : ''}`
    })
    writeFileSync(file, JSON.stringify(sentences))
  }
}
