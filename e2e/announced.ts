import type { Locator, Page } from '@playwright/test'

/** The announcements that screen readers read out, on any page. */
export const announced = (page: Page): Locator => page.getByRole('log', { name: 'Just now' })
