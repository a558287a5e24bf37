import type { Page, Route } from '@playwright/test'

/** What the browser's console says of an answer that did not come or was no good. */
export const outage = /Failed to load resource|status of (500|503)|Failed to fetch|did not load/

/** Breaks calls until `mend` is called. */
export async function breakCalls(
  page: Page,
  url: string | RegExp,
  how: 'no answer' | 'no good' = 'no answer',
): Promise<{ mend(): Promise<void> }> {
  const broken = (route: Route) =>
    how === 'no answer'
      ? route.abort('connectionfailed')
      : route.fulfill({
          status: 500,
          json: { code: 'internal_error', message: 'Something went wrong on our side. Please try again.' },
        })
  await page.route(url, broken)
  return { mend: () => page.unroute(url, broken) }
}
