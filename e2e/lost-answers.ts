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

/** Lets the server carry such calls out, and holds their answers back until `release` is called. */
export async function holdAnswers(
  page: Page,
  url: string | RegExp,
  method = 'POST',
): Promise<{ isAsked: Promise<void>; release(): void }> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    asked.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { isAsked: asked.promise, release: () => released.resolve() }
}
