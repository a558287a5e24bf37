import { afterEach, beforeEach, expect } from 'vitest'

// Output to the console during a test is a defect, either of the product or of the test.
const printed: string[] = []
for (const method of ['log', 'info', 'warn', 'error'] as const) {
  const real = console[method]
  console[method] = (...values: unknown[]) => {
    printed.push(`console.${method}: ${values.map(String).join(' ')}`)
    real(...values)
  }
}

beforeEach(() => {
  printed.length = 0
})

afterEach(() => {
  expect(printed, 'unexpected console output').toEqual([])
})
