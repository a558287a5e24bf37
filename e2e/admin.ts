import type { APIRequestContext, Page } from '@playwright/test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { expect } from './fixtures.ts'
import { files } from './onboarding.ts'
import type { OwnServer } from './own-server.ts'
import { callAs, keepInTab, newEmail, password, register } from './people.ts'
import { registerTherapist, type Therapist } from './therapists.ts'

const demoAccount = { email: 'admin@demo.test', password: 'demo-password' }

/** A sign-in of the demo admin. */
export async function demoAdmin(request: APIRequestContext): Promise<{ token: string }> {
  const login = await request.post('/api/v7/admin/login', { data: demoAccount })
  expect(login.status(), await login.text()).toBe(200)
  return (await login.json()) as { token: string }
}

/** Puts a sign-in of the demo admin, who needs no second factor, into this tab. */
export async function signInDemoAdmin(page: Page, request: APIRequestContext): Promise<void> {
  const response = await request.post('/api/v7/admin/login', { data: demoAccount })
  expect(response.status(), await response.text()).toBe(200)
  const { token, refresh_token, user } = (await response.json()) as {
    token: string
    refresh_token: string
    user: { first_name: string; last_name: string; email: string }
  }
  const admin = {
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    isLoggedIn: true,
  }
  await keepInTab(page, { accessToken: token, refreshToken: refresh_token, admin: JSON.stringify(admin) })
}

/** An admin of a server without the demo, signed in with a second factor. */
export async function newAdmin(server: OwnServer, request: APIRequestContext): Promise<{ token: string }> {
  const email = newEmail()
  const known = await register(request, 'Ada Admin')
  await server.change(async (db) => {
    await sql`insert into accounts (id, role, email, password_hash, first_name, last_name, created_at)
      select gen_random_uuid(), 'admin', ${email}, password_hash, first_name, last_name, now()
      from accounts where email = ${known.email}`.execute(db)
  })
  const login = await request.post('/api/v7/admin/login', { data: { email, password } })
  expect(login.status(), await login.text()).toBe(200)
  const admin = (await login.json()) as { token: string }
  const path = '/admin/second-factor'
  const { secret } = await callAs<{ secret: string }>(request, admin, 'POST', `${path}/set-up`, {})
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
  await callAs(request, admin, 'POST', `${path}/confirm`, { code })
  return admin
}

/** Signs the demo admin in by the form. */
export async function signInAsAdmin(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(demoAccount.email)
  await page.getByLabel('Password', { exact: true }).fill(demoAccount.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** A practitioner of this test alone, whose whole profile is filled in with real files and handed in. */
export async function handInProfile(request: APIRequestContext): Promise<Therapist> {
  const therapist = await registerTherapist(request)
  const headers = { authorization: `Bearer ${therapist.token}` }
  const send = async (method: 'POST' | 'PUT', path: string, data: unknown) => {
    const response = await request.fetch(`/api/v7/therapist/${path}`, { method, headers, data })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  }
  const upload = async (path: string, field: string, file: Awaited<ReturnType<typeof files.dbs>>) => {
    const response = await request.post(`/api/v7/therapist/${path}`, {
      headers,
      multipart: { [field]: file },
    })
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
  }
  await send('PUT', 'update-profile', {
    gender: 'Female',
    date_of_birth: '1984-05-06',
    phone_code: '+44',
    phone_number: '7400123456',
    bio: 'I have worked with people in Leeds for twelve years, mostly with worry and grief.',
    short_description: 'A calm place to think.',
    video_choice: 3,
    has_insurance: false,
  })
  await send('POST', 'add-language-list', { language_list: [1] })
  await send('POST', 'add-license-list', {
    license_list: [{ specialization_id: 1, license_id: 1, license_number: 'GMC 7654321' }],
    years_of_experience: 12,
  })
  await send('POST', 'add-therapy-approach-list', { therapy_approach_list: [1] })
  await send('POST', 'add-issue-list', { issue_list: [1], age_groups: ['Adults (18 to 64)'] })
  await send('POST', 'add-service-list', {
    online: [{ service_id: 1, duration: 50, fee: 60 }],
    meeting_link: 'https://rooms.example.test/mary',
  })
  await upload('upload-document-file', 'file', await files.passport())
  await upload('upload-profile-dbs', 'file', await files.dbs())
  await upload('upload-profile-image', 'image', await files.photo())
  await send('POST', 'complete', undefined)
  return therapist
}

type VettedFacts = { licences: { licence_id: number }[]; documents: { document_id: string }[] }

/** Accepts everything that a practitioner has handed in, and approves the profile, as the demo admin. */
export async function approve(request: APIRequestContext, id: number): Promise<void> {
  const admin = await demoAdmin(request)
  const at = `/admin/practitioners/${id}`
  const file = await callAs<VettedFacts>(request, admin, 'GET', at)
  for (const { licence_id } of file.licences)
    await callAs(request, admin, 'POST', `${at}/licences/${licence_id}/accept`, { expires_on: '2040-01-01' })
  for (const { document_id } of file.documents)
    await callAs(request, admin, 'POST', `${at}/documents/${document_id}/accept`, {
      expires_on: '2040-01-01',
    })
  await callAs(request, admin, 'POST', `${at}/approve`)
}
