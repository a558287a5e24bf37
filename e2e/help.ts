import type { APIRequestContext, Page } from '@playwright/test'
import { sql } from 'kysely'
import { expect } from './fixtures.ts'
import type { OwnServer } from './own-server.ts'
import { type Account, callAs } from './people.ts'
import { registerTherapist, type Therapist } from './therapists.ts'

/** Anxiety. */
export const issueId = 1

/** Practitioners who are listed, treat anxiety and are available now; they are the only ones there are. */
export async function availableTherapists(
  server: OwnServer,
  request: APIRequestContext,
  names: readonly [string, string][],
): Promise<Therapist[]> {
  const therapists: Therapist[] = []
  for (const name of names) therapists.push(await registerTherapist(request, name))
  await server.change(async (db) => {
    for (const { id } of therapists) {
      await sql`update practitioners set state = 'approved', subscribed_until = now() + interval '30 days',
        available_now_until = now() + interval '2 hours', years_of_experience = 8,
        room = 'own', meeting_link = 'https://rooms.example.test/now' where id = ${id}`.execute(db)
      await sql`insert into practitioner_issues (practitioner_id, issue_id) values (${id}, ${issueId})`.execute(
        db,
      )
      await sql`insert into practitioner_provider_types (practitioner_id, provider_type_id) values (${id}, 1)`.execute(
        db,
      )
    }
  })
  return therapists
}

/** Lets practitioners be booked online from 8 to 22 on every day of this zone, an hour ahead. */
export async function bookableAllDay(
  server: OwnServer,
  request: APIRequestContext,
  therapists: readonly Therapist[],
  timezone: string,
): Promise<void> {
  await server.change(async (db) => {
    for (const { id } of therapists) {
      await sql`update practitioners set timezone = ${timezone} where id = ${id}`.execute(db)
      await sql`insert into weekly_hours (practitioner_id, weekday, hour, appointment_type)
        select ${id}::int, weekday, hour, 'online' from generate_series(1, 7) weekday, generate_series(8, 21) hour`.execute(
        db,
      )
    }
  })
  const online = [{ service_id: 1, duration: 50, fee: 60 }]
  for (const therapist of therapists) {
    await callAs(request, therapist, 'POST', '/therapist/add-service-list', { online })
    await callAs(request, therapist, 'PUT', '/therapist/booking-rules', { notice_minutes: 60 })
  }
}

export type HelpSession = {
  session_id: string
  practitioner_id: number
  dispatch: {
    state: string
    money: { state: string }
    practitioner: { first_name: string } | null
    dialog_id: string | null
  } | null
}

/** Holds a practitioner by the API. */
export function claimByApi(
  request: APIRequestContext,
  client: Account,
  preferred?: Pick<Therapist, 'id'>,
): Promise<HelpSession> {
  return callAs(request, client, 'POST', '/appointment/create-session', {
    practitioner_id: null,
    fee: 25,
    booking_type: 'get-help-right-now',
    issue_id: issueId,
    preferred_practitioner_id: preferred?.id,
  })
}

/** What the server knows of a client's latest search; null where there was none. */
export async function helpOf(request: APIRequestContext, client: Account): Promise<HelpSession | null> {
  const { data } = await callAs<{ data: HelpSession | null }>(
    request,
    client,
    'GET',
    '/appointment/get-help-right-now',
  )
  return data
}

/** The chat of a client's latest search. */
export async function dialogOf(request: APIRequestContext, client: Account): Promise<string> {
  const id = (await helpOf(request, client))?.dispatch?.dialog_id
  if (!id) throw new Error('The search has no chat.')
  return id
}

/** Declines what a practitioner is asked, by the API. */
export async function declineByApi(request: APIRequestContext, therapist: Therapist): Promise<void> {
  const { open } = await callAs<{ open: { request_id: string }[] }>(
    request,
    therapist,
    'GET',
    '/therapist/get-help/requests',
  )
  expect(open).toHaveLength(1)
  await callAs(request, therapist, 'POST', `/therapist/get-help/requests/${open[0]?.request_id}/decline`)
}

/** Answers the question about danger with no. */
export async function answerNoDanger(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: /in danger right now/ })).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
}
