import { afterEach, beforeEach, expect, vi } from 'vitest'

// Output to the console during a test is a defect, either of the product or of the test.
const printed: string[] = []
for (const method of ['log', 'info', 'warn', 'error'] as const) {
  const real = console[method]
  console[method] = (...values: unknown[]) => {
    printed.push(`console.${method}: ${values.map(String).join(' ')}`)
    real(...values)
  }
}

// A busy machine may need long for what another one does at once; `vitest.config.ts` has the same for `expect.poll`.
const { waitFor } = vi
vi.waitFor = (work, options = {}) =>
  waitFor(work, typeof options === 'number' ? options : { timeout: 15_000, ...options })

beforeEach(() => {
  printed.length = 0
})

afterEach(() => {
  expect(printed, 'unexpected console output').toEqual([])
})
