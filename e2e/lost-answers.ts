import type { Page } from '@playwright/test'

/** Lets the server carry the next such call out, and loses its answer. */
export async function loseAnswer(page: Page, url: RegExp, method = 'POST'): Promise<void> {
  let isLost = false
  await page.route(url, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
}
