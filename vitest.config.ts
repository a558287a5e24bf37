import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    // What needs more of Debian's packages, or minutes, is for `npm run test:endurance` alone.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.ENDURANCE === 'full' ? [] : ['test/**/*.endurance.test.ts']),
    ],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    runner: 'test/runner.ts',
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
