import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { keepInTab, newEmail, password } from './people.ts'

export type Therapist = {
  id: number
  firstName: string
  lastName: string
  email: string
  token: string
  refreshToken: string
}

type Answer = {
  token: string
  refresh_token: string
  user: { first_name: string; last_name: string; email: string; practitioner_id: number }
}

/** A practitioner of this test alone, whose profile is a draft. */
export async function registerTherapist(
  request: APIRequestContext,
  [name, lastName] = ['Mary Ann', 'Okafor'],
): Promise<Therapist> {
  const response = await request.post('/api/v7/therapist/register', {
    data: { name, last_name: lastName, email: newEmail(), password, accept_terms: true },
  })
  expect(response.status(), await response.text()).toBe(201)
  return toTherapist((await response.json()) as Answer)
}

/** The demo practitioner, who is listed. Several tests share them, so each keeps to days of its own. */
export async function demoTherapist(request: APIRequestContext): Promise<Therapist> {
  const response = await request.post('/api/v7/therapist/login', {
    data: { email: 'therapist@demo.test', password: 'demo-password' },
  })
  expect(response.status(), await response.text()).toBe(200)
  return toTherapist((await response.json()) as Answer)
}

function toTherapist({ token, refresh_token, user }: Answer): Therapist {
  return {
    id: user.practitioner_id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    token,
    refreshToken: refresh_token,
  }
}

/** Puts a sign-in into this tab, as the sign-in page does. */
export async function signInTherapist(page: Page, therapist: Therapist): Promise<void> {
  const { id, firstName, lastName, email } = therapist
  await keepInTab(page, {
    accessToken: therapist.token,
    refreshToken: therapist.refreshToken,
    therapist: JSON.stringify({ id, firstName, lastName, email, isLoggedIn: true }),
  })
}
