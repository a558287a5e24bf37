import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import { expect } from './fixtures.ts'

export const password = 'three quiet lanterns'

export type Account = { name: string; email: string; token: string; refreshToken: string }

/** Makes a unique email address. */
export function newEmail(): string {
  return `${randomUUID()}@example.test`
}

const consents = { is_adult: true, accept_terms: true, health_consent: healthConsent.version }

/** A client of this test alone. */
export async function register(
  request: APIRequestContext,
  name = 'Robin Vale',
  more: { health_consent?: null } = {},
): Promise<Account> {
  const email = newEmail()
  const response = await request.post('/api/v7/client/register', {
    data: { ...consents, name, email, password, ...more },
  })
  expect(response.status(), await response.text()).toBe(201)
  const { token, refresh_token } = (await response.json()) as { token: string; refresh_token: string }
  return { name, email, token, refreshToken: refresh_token }
}

/** Signs a client in anew, such as after their tokens have expired. */
export async function signInAgain(
  request: APIRequestContext,
  { name, email }: Pick<Account, 'name' | 'email'>,
  known = password,
): Promise<Account> {
  const response = await request.post('/api/v7/client/login', { data: { email, password: known } })
  expect(response.status(), await response.text()).toBe(200)
  const { token, refresh_token } = (await response.json()) as { token: string; refresh_token: string }
  return { name, email, token, refreshToken: refresh_token }
}

/** Puts a sign-in into this tab, as the sign-in page does. */
export async function signIn(page: Page, account: Account): Promise<void> {
  const [firstName = '', ...rest] = account.name.split(' ')
  const user = { firstName, lastName: rest.join(' '), email: account.email, isLoggedIn: true }
  await keepInTab(page, {
    accessToken: account.token,
    refreshToken: account.refreshToken,
    user: JSON.stringify(user),
  })
}

/** Writes into the tab's storage: at once, or as soon as the tab opens its first page. */
export async function keepInTab(page: Page, values: Record<string, string>): Promise<void> {
  const entries = Object.entries(values)
  if (page.url() === 'about:blank') {
    await page.addInitScript((given) => {
      if (sessionStorage.getItem('given')) return
      for (const [key, value] of given) sessionStorage.setItem(key, value)
      sessionStorage.setItem('given', 'once')
    }, entries)
    return
  }
  await page.evaluate((given) => {
    for (const [key, value] of given) sessionStorage.setItem(key, value)
  }, entries)
}

/** Sends JSON to the API as this account and returns the body. Every status but 2xx fails the test. */
export async function callAs<T>(
  request: APIRequestContext,
  account: Pick<Account, 'token'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<T> {
  const response = await request.fetch(`/api/v7${path}`, {
    method,
    headers: {
      authorization: `Bearer ${account.token}`,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
    ...(data !== undefined && { data }),
  })
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true)
  return (await response.json()) as T
}

/** Saves a card that always pays, unless another number is given. */
export async function saveCard(
  request: APIRequestContext,
  account: Account,
  number = '4242424242424242',
): Promise<{ customer_id: string }> {
  return callAs(request, account, 'POST', '/payment/sandbox/add-new-card', {
    card_number: number,
    expiry_month: 12,
    expiry_year: new Date().getFullYear() + 3,
    cvv_number: '123',
  })
}
