import type { Page } from '@playwright/test'

/** Holds the page's scripts back until they are let go. */
export async function keepAsleep(page: Page): Promise<() => void> {
  const awake = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await awake.promise
    await route.continue()
  })
  return awake.resolve
}
