import { type RunnerTestCase, type RunnerTestSuite, TestRunner, type TestTryOptions } from 'vitest'
import { keepStartFailure } from './start-failure.ts'

/** Vitest's runner. Of an app that did not start it reports that alone. */
export default class ReadableRunner extends TestRunner {
  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    keepStartFailure(test.result?.errors ?? [])
    await super.onAfterRetryTask(test, options)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    keepStartFailure(suite.result?.errors ?? [])
    await super.onAfterRunSuite(suite)
  }
}
