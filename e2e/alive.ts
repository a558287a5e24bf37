import { expect, type Page } from '@playwright/test'

/** Touches a page that waits for it, and waits until it is alive. */
export async function makeAlive(page: Page): Promise<void> {
  await page.mouse.move(200, 300)
  await expectAlive(page)
}

/** Waits until a page is alive: from then on it changes pages without loading a document. */
export async function expectAlive(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(`'__reactRouterDataRouter' in window`)).toBe(true)
}
