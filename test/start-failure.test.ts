import { expect, test } from 'vitest'
import { buildTestApp } from './build-test-app.ts'
import { keepStartFailure } from './start-failure.ts'

const failsToStart = () =>
  buildTestApp({
    gateway: () => {
      throw new Error('No gateway.')
    },
  })

test('an app that does not start is reported by its reason alone', async () => {
  const failure = await failsToStart().catch((error: unknown) => error as Error)
  expect(failure).toMatchObject({ name: 'StartFailure', message: 'No gateway.' })
  const errors = [failure as Error, new TypeError("Cannot read properties of undefined (reading 'close')")]
  keepStartFailure(errors)
  expect(errors).toEqual([failure])
})

test('errors of a test whose app has started are all reported', () => {
  const errors = [new Error('expected 1 to be 2'), new TypeError('a hook failed')]
  keepStartFailure(errors)
  expect(errors).toHaveLength(2)
})
