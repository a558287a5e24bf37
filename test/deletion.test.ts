import { createECDH, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Export, Hindrance, Kept } from '#contract/accounts/personal-data.ts'
import { days, hours, minutes } from '#server/clock.ts'
import { openEmbedded } from '#server/db/connection.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  type Client,
  createAdmin,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  password,
  saveCard,
  signInAgain,
  signInPractitioner,
  signInToChat,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'
import { prepare } from '#test/test-database.ts'
import { entryIn, linkIn, plainText, sessionMails, textOf, tokenOf } from '#test/mails.ts'
import { agreeSeries } from '#test/series.ts'

let app: TestApp
/** What the gateway was asked to forget. */
let forgotten: string[]
/** Set to make the gateway fail when it is to forget a card. */
let isGatewayDown: boolean

const watched = (sandbox: PaymentGateway): PaymentGateway => ({
  ...sandbox,
  async removeCard(token) {
    if (isGatewayDown) throw new Error('The gateway is away.')
    forgotten.push(token)
    await sandbox.removeCard(token)
  },
})

beforeEach(async () => {
  forgotten = []
  isGatewayDown = false
  app = await buildTestApp({ gateway: watched })
})
afterEach(async () => app.close())

const post = (path: string, body: unknown, token?: string, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, token, headers })
const leave = (client: { token: string }, secret = password) =>
  post('/client/delete-account', { current_password: secret, understood: true }, client.token)
const standsInTheWay = async (client: { token: string }) => {
  const answer = await app.call('GET', '/client/delete-account', { token: client.token })
  return (answer.body as unknown as { hindrances: Hindrance[] }).hindrances
}

/** Every row of every table there is, as text, by table. */
async function everythingStored(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(app.db)
  expect(tables.length).toBeGreaterThan(30)
  const stored = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(app.db)
    stored.set(name, rows.map(({ row }) => row).join('\n'))
  }
  return stored
}

/** The tables in which a text is found, written as it is or as bytes. */
function tablesWith(text: string, stored: Map<string, string>): string[] {
  const forms = [text.toLowerCase(), Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64')]
  return [...stored]
    .filter(
      ([, rows]) => rows.toLowerCase().includes(forms[0] ?? '') || forms.some((form) => rows.includes(form)),
    )
    .map(([name]) => name.replace(/^public\./, ''))
}

/** The files below the data folder, by path, but for the mails that have been sent. */
function files(): { path: string; content: string }[] {
  return readdirSync(app.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(app.directory, 'mail')))
    .map((path) => ({ path, content: readFileSync(path, 'latin1') }))
}

describe('the texts that a client wrote', () => {
  /** Every field of text that a client or a visitor can fill, and what this test writes into it. */
  const written: Record<string, string> = {
    'POST /client/register name': 'Canaryfirst Canarylast',
    'POST /client/register email': 'canary.first@example.test',
    'POST /client/register password': 'canary passphrase one',
    'POST /client/register referral_code': 'of a friend',
    'POST /client/login email': 'canary.login@example.test',
    'POST /client/login password': 'canary wrong login',
    'POST /client/forgot-password email': 'canary.second@example.test',
    'POST /client/password/reset token': 'canarytokenreset',
    'POST /client/password/reset email': 'canary.reset@example.test',
    'POST /client/password/reset password': 'canary passphrase reset',
    'POST /client/password/reset password_confirmation': 'canary passphrase reset',
    'POST /client/verify-email token': 'canarytokenverify',
    'POST /client/check-referral-code referral_code': 'CANARYREFERRAL',
    'POST /client/refresh-token refresh_token': 'canaryrefreshtoken',
    'POST /client/hand-over refresh_token': 'canaryhandovertoken',
    'POST /client/google-sign-in credential': 'canary.credential.in',
    'POST /client/google-sign-in email': 'canary.social@example.test',
    'POST /client/google-sign-in first_name': 'Canarysocial',
    'POST /client/google-sign-up credential': 'canary.credential.up',
    'POST /client/google-sign-up email': 'canary.social.up@example.test',
    'POST /client/google-sign-up first_name': 'Canarynewcomer',
    'POST /client/google-sign-up last_name': 'Canarynewfamily',
    'POST /identity/exchange code': 'canarycodeexchange',
    'PUT /client/profile name': 'Canaryrenamed Canarysurname',
    'POST /client/change-email email': 'canary.second@example.test',
    'POST /client/change-email current_password': 'canary wrong change',
    'POST /client/confirm-email token': 'canarytokenconfirm',
    'POST /client/change-password current_password': 'canary wrong current',
    'POST /client/change-password password': 'canary passphrase two',
    'POST /client/change-password password_confirmation': 'canary passphrase two',
    'POST /client/delete-account current_password': 'canary wrong deletion',
    'POST /payment/{provider}/add-new-card card_number': cards.alsoSucceeds,
    'POST /payment/{provider}/add-new-card cvv_number': '739',
    'POST /payment/{provider}/add-new-card payment_method_id': 'pm_canary_card',
    'POST /appointment/create-session datetime': 'a time',
    'POST /appointment/create-session timezone': 'Antarctica/South_Pole',
    'POST /appointment/edit-session appointment_datetime': 'a time',
    'POST /appointment/edit-session timezone': 'Antarctica/South_Pole',
    'POST /appointment/instant-book datetime': 'a time',
    'POST /appointment/cancel-session reason': 'Canary reason: my mother is ill.',
    'POST /appointment/{appointment_id}/dispute-no-show reason': 'Canary dispute: I was in the clinic.',
    'POST /appointment/{appointment_id}/review comment': 'Canary review: it helped with my drinking.',
    'PUT /appointment/{appointment_id}/review comment': 'Canary rewritten: it helped with my grief.',
    'POST /reviews/{id}/report reason': 'Canary report: he is my neighbour.',
    'POST /reviews/{id}/reply/report reason': 'Canary report of a reply: she names my street.',
    'POST /chat/session cc_username': 'canary-chat-name',
    'POST /chat/session cc_password': 'canary-chat-password',
    'POST /chat/messages message': 'Canary message: I drink when I cannot sleep.',
    'POST /chat/dialogs/{id}/report reason': 'Canary report: he asked where I live.',
    'POST /notices/push endpoint': 'https://fcm.googleapis.com/fcm/send/canarybrowser',
    'POST /notices/push/remove endpoint': 'https://fcm.googleapis.com/fcm/send/canaryremoved',
    'POST /notices/push/renew endpoint': 'https://fcm.googleapis.com/fcm/send/canaryrenewed',
    'POST /notices/unsubscribe token': 'canarytokenunsubscribe',
    'GET /chat/dialogs _id': '0ca0a71e-0000-4000-8000-0000000d1a10',
    'GET /practitioner/get-practitioners name': 'Canarysearch',
    'GET /practitioner/get-practitioners gender': 'Canarygender',
    'GET /practitioner/get-practitioners near': 'Canaryplace',
    'POST /series start': 'a time',
    'POST /series/preview start': 'a time',
    'POST /series/{series_id}/agree terms_version': 'a version',
    'POST /series/{series_id}/away timezone': 'Antarctica/South_Pole',
    'POST /series/{series_id}/change start': 'a time',
    'POST /series/{series_id}/change-preview start': 'a time',
    'POST /series/{series_id}/confirm-zone timezone': 'a zone',
    'POST /series/{series_id}/end reason': 'Canary ending: I cannot go on.',
    'POST /search/parse q': 'Canary sentence: I drink and I hide it.',
    'POST /waitlist timezone': 'Antarctica/South_Pole',
    'PUT /waitlist/{id} timezone': 'Antarctica/South_Pole',
    'GET /practitioner/{id}/next-available-sessions timezone': 'Antarctica/South_Pole',
    'GET /sessions/today timezone': 'Antarctica/South_Pole',
  }
  /** Beside the fields: headers. */
  const headers = {
    'user-agent': 'CanaryBrowser/1.0',
    'idempotency-key': 'canary-idempotency-key',
    'x-forwarded-for': 'canary-address',
    referer: 'https://canary.example/referer',
  }
  /** Others’ own calls, which hold nothing of a client. */
  const ofOthers = /^\w+ \/(admin|therapist)\//

  test('are listed here for every field of text in the contract', () => {
    const fields = (Object.entries(endpoints) as [string, Endpoint][])
      .filter(([key]) => !ofOthers.test(key))
      .flatMap(([key, { body, query }]) =>
        [body, query].flatMap((schema) => (schema ? textsOf(schema).map((field) => `${key} ${field}`) : [])),
      )
    expect([...new Set(fields)].toSorted()).toEqual(Object.keys(written).toSorted())
  })

  test('are found nowhere once the account is deleted, except where declared', async () => {
    const practitioner = await createPractitioner(app)
    const friend = await createClient(app)
    const say = (field: string) => written[field] ?? ''
    const firstSecret = say('POST /client/register password')
    const email = say('POST /client/change-email email')

    // Every field, one after the other, as carried out and as refused.
    const registered = await post(
      '/client/register',
      {
        name: say('POST /client/register name'),
        email: say('POST /client/register email'),
        password: firstSecret,
        referral_code: friend.referralCode,
        is_adult: true,
        accept_terms: true,
      },
      undefined,
      headers,
    )
    expect(registered.status).toBe(201)
    let token = String(registered.body.token)
    const { id } = await app.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', say('POST /client/register email'))
      .executeTakeFirstOrThrow()
    await app.queue.drain()
    const spoken: [path: string, body: Record<string, unknown>, status: number][] = [
      [
        '/client/login',
        { email: say('POST /client/login email'), password: say('POST /client/login password') },
        401,
      ],
      [
        '/client/login',
        { email: say('POST /client/register email'), password: say('POST /client/login password') },
        401,
      ],
      [
        '/client/check-referral-code',
        { referral_code: say('POST /client/check-referral-code referral_code') },
        422,
      ],
      [
        '/client/change-email',
        { email, current_password: say('POST /client/change-email current_password') },
        422,
      ],
      ['/client/change-email', { email, current_password: firstSecret }, 200],
      ['/client/confirm-email', { token: say('POST /client/confirm-email token') }, 422],
      ['/client/verify-email', { token: say('POST /client/verify-email token') }, 422],
      ['/client/refresh-token', { refresh_token: say('POST /client/refresh-token refresh_token') }, 401],
      ['/client/hand-over', { refresh_token: say('POST /client/hand-over refresh_token') }, 401],
      [
        '/client/google-sign-in',
        {
          credential: say('POST /client/google-sign-in credential'),
          email: say('POST /client/google-sign-in email'),
          first_name: say('POST /client/google-sign-in first_name'),
        },
        401,
      ],
      [
        '/client/google-sign-up',
        {
          credential: say('POST /client/google-sign-up credential'),
          email: say('POST /client/google-sign-up email'),
          first_name: say('POST /client/google-sign-up first_name'),
          last_name: say('POST /client/google-sign-up last_name'),
          is_adult: true,
          accept_terms: true,
        },
        401,
      ],
      ['/identity/exchange', { code: say('POST /identity/exchange code') }, 422],
      ['/search/parse', { q: say('POST /search/parse q') }, 200],
      [
        '/client/password/reset',
        {
          token: say('POST /client/password/reset token'),
          email: say('POST /client/password/reset email'),
          password: say('POST /client/password/reset password'),
          password_confirmation: say('POST /client/password/reset password'),
        },
        422,
      ],
      [
        '/client/change-password',
        {
          current_password: say('POST /client/change-password current_password'),
          password: say('POST /client/change-password password'),
          password_confirmation: say('POST /client/change-password password'),
        },
        422,
      ],
      [
        '/payment/sandbox/add-new-card',
        { payment_method_id: say('POST /payment/{provider}/add-new-card payment_method_id') },
        422,
      ],
      [
        '/client/delete-account',
        { current_password: say('POST /client/delete-account current_password'), understood: true },
        422,
      ],
    ]
    for (const [path, body, status] of spoken) {
      const answer = await post(path, body, token, headers)
      expect([path, answer.status]).toEqual([path, status])
    }
    const renamed = await app.call('PUT', '/client/profile', {
      token,
      body: { name: say('PUT /client/profile name') },
    })
    expect(renamed.status).toBe(200)
    const joined = await post(
      '/waitlist',
      {
        practitioner_id: practitioner.id,
        service_id: 1,
        appointment_type: 'online',
        windows: [{ weekdays: [1], from: '09:00', to: '12:00' }],
        earliest: '2026-12-01',
        lead_minutes: 60,
        timezone: say('POST /waitlist timezone'),
      },
      token,
      headers,
    )
    expect(joined.status).toBe(201)
    const rezoned = await app.call('PUT', `/waitlist/${String(joined.body.entry_id)}`, {
      token,
      body: { timezone: say('PUT /waitlist/{id} timezone') },
    })
    expect(rezoned.status).toBe(200)
    const wish = await post('/search-wishes', { filters: { near: 'Canaryplace' } }, token, headers)
    expect(wish.status).toBe(201)
    await app.queue.drain()
    const link = app
      .mails()
      .map(linkIn)
      .findLast((each) => each.pathname === '/confirm-email')
    expect((await post('/client/confirm-email', { token: tokenOf(link) }, token)).status).toBe(200)
    const changed = await post(
      '/client/change-password',
      {
        current_password: firstSecret,
        password: say('POST /client/change-password password'),
        password_confirmation: say('POST /client/change-password password_confirmation'),
      },
      token,
    )
    expect(changed.status).toBe(200)
    for (const path of [
      `/practitioner/get-practitioners?name=${say('GET /practitioner/get-practitioners name')}`,
      `/practitioner/get-practitioners?gender=${say('GET /practitioner/get-practitioners gender')}`,
      `/practitioner/get-practitioners?session_type=face_to_face&near=${say('GET /practitioner/get-practitioners near')}`,
      `/practitioner/${practitioner.id}/next-available-sessions?timezone=${say('GET /practitioner/{id}/next-available-sessions timezone')}`,
      `/sessions/today?dialog_id=00000000-0000-4000-8000-0000000000da&timezone=${say('GET /sessions/today timezone')}`,
    ]) {
      await app.call('GET', path, { token, headers })
    }

    // Cards: one that pays, one that is declined, one that is removed.
    const addCard = async (number: string) => {
      const answer = await post(
        '/payment/sandbox/add-new-card',
        {
          card_number: number,
          expiry_month: 11,
          expiry_year: 2037,
          cvv_number: say('POST /payment/{provider}/add-new-card cvv_number'),
        },
        token,
        { ...headers, 'idempotency-key': `${headers['idempotency-key']} ${number}` },
      )
      expect(answer.status).toBe(201)
      return String(answer.body.customer_id)
    }
    const card = await addCard(say('POST /payment/{provider}/add-new-card card_number'))
    const declined = await addCard(cards.declined)
    const removed = await addCard(cards.succeeds)
    await app.call('DELETE', `/payment/sandbox/cards/${removed}`, { token })

    // Sessions: one that is over, one that was cancelled with words, one declined, one held.
    const hold = async (startsAt: string) => {
      const answer = await post(
        '/appointment/create-session',
        {
          practitioner_id: practitioner.id,
          booking_type: 'schedule',
          service_id: 1,
          appointment_type: 'online',
          datetime: startsAt,
          timezone: say('POST /appointment/create-session timezone'),
        },
        token,
        { ...headers, 'idempotency-key': `${headers['idempotency-key']} ${startsAt}` },
      )
      expect(answer.status).toBe(201)
      return String(answer.body.session_id)
    }
    const pay = (sessionId: string, customerId: string) =>
      post(
        '/payment/sandbox/existing-card-payment',
        { session_id: sessionId, customer_id: customerId },
        token,
      )
    const book = async (startsAt: string) => {
      const session = await hold(startsAt)
      expect((await pay(session, card)).status).toBe(200)
      const booked = await post('/appointment/instant-book', { appointment_id: session }, token)
      expect(booked.status).toBe(200)
      return session
    }
    const held = await book('2026-06-02T09:00:00Z')
    const missed = await book('2026-06-02T14:00:00Z')
    const cancelled = await book('2026-06-08T09:00:00Z')
    const moved = await post(
      '/appointment/edit-session',
      {
        appointment_id: cancelled,
        type: 'online',
        appointment_datetime: '2026-06-09T09:00:00Z',
        timezone: say('POST /appointment/edit-session timezone'),
      },
      token,
    )
    expect(moved.status).toBe(200)
    const reason = say('POST /appointment/cancel-session reason')
    expect(
      (await post('/appointment/cancel-session', { appointment_id: cancelled, reason }, token)).status,
    ).toBe(200)
    expect((await pay(await hold('2026-06-10T09:00:00Z'), declined)).status).toBe(402)
    await app.queue.drain()

    // A day later, with everything there is: something asked for by mail, a hold, an exported file.
    app.clock.set('2026-06-03T12:00:00Z')
    await app.services.bookings.sweep()
    const again = await post(
      '/client/login',
      { email, password: say('POST /client/change-password password') },
      undefined,
      headers,
    )
    token = String(again.body.token)
    // What it was like, what was answered, and what was wrong with another's review.
    const reviewed = await post(
      `/appointment/${held}/review`,
      { rating: 2, comment: say('POST /appointment/{appointment_id}/review comment') },
      token,
    )
    expect(reviewed.status).toBe(201)
    const noShow = await app.call('POST', `/therapist/sessions/${missed}/no-show`, {
      token: await signInPractitioner(app, practitioner),
    })
    expect(noShow.status).toBe(200)
    const kept = await post('/series', { appointment_id: missed }, token)
    expect(kept.status).toBe(201)
    const { series_id: series } = kept.body.data as unknown as { series_id: string }
    const away = await post(
      `/series/${series}/away`,
      { from: '2026-12-01', to: '2026-12-31', timezone: say('POST /series/{series_id}/away timezone') },
      token,
    )
    expect(away.status).toBe(409)
    const endedSeries = await post(
      `/series/${series}/end`,
      { reason: say('POST /series/{series_id}/end reason') },
      token,
    )
    expect(endedSeries.status).toBe(200)
    const disputed = await post(
      `/appointment/${missed}/dispute-no-show`,
      { reason: say('POST /appointment/{appointment_id}/dispute-no-show reason') },
      token,
    )
    expect(disputed.status).toBe(200)
    const rewritten = await app.call('PUT', `/appointment/${held}/review`, {
      token,
      body: { rating: 3, comment: say('PUT /appointment/{appointment_id}/review comment') },
    })
    expect(rewritten.status).toBe(200)
    const { id: reviewOfAnother } = await app.db
      .insertInto('reviews')
      .values({
        practitioner_id: practitioner.id,
        reviewer: 'M.',
        rating: 5,
        comment: 'Kind.',
        created_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answered = await app.call('PUT', `/therapist/reviews/${String(reviewed.body.review_id)}/reply`, {
      token: await signInPractitioner(app, practitioner),
      body: { reply: 'Thank you, Canaryrenamed.' },
    })
    expect(answered.status).toBe(200)
    for (const [path, reason] of [
      [`/reviews/${reviewOfAnother}/report`, say('POST /reviews/{id}/report reason')],
      [
        `/reviews/${String(reviewed.body.review_id)}/reply/report`,
        say('POST /reviews/{id}/reply/report reason'),
      ],
    ] as const) {
      expect((await post(path, { reason }, token)).status).toBe(200)
    }
    expect(
      (await post('/client/forgot-password', { email: say('POST /client/forgot-password email') })).status,
    ).toBe(200)
    // A conversation, in which the practitioner repeats what was said.
    expect(
      (
        await post('/chat/session', {
          cc_username: say('POST /chat/session cc_username'),
          cc_password: say('POST /chat/session cc_password'),
        })
      ).status,
    ).toBe(401)
    const chat = await signInToChat(app, token)
    const inReply = await signInToChat(app, await signInPractitioner(app, practitioner))
    const dialog = await post('/chat/dialogs', { practitioner_id: practitioner.id }, chat.token)
    for (const [user, words] of [
      [chat, say('POST /chat/messages message')],
      [inReply, `You wrote: ${say('POST /chat/messages message')}`],
    ] as const) {
      const sent = await post(
        '/chat/messages',
        { chat_dialog_id: dialog.body._id, message: words },
        user.token,
        headers,
      )
      expect(sent.status).toBe(201)
    }
    const report = { reason: say('POST /chat/dialogs/{id}/report reason'), message_ids: [] }
    expect((await post(`/chat/dialogs/${String(dialog.body._id)}/report`, report, chat.token)).status).toBe(
      200,
    )
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
    const browser = { endpoint: say('POST /notices/push endpoint'), keys }
    expect((await post('/notices/push', browser, token)).status).toBe(200)
    const former = { endpoint: say('POST /notices/push/remove endpoint'), auth: keys.auth }
    const renewed = { ...browser, endpoint: say('POST /notices/push/renew endpoint'), former }
    expect((await post('/notices/push/renew', renewed)).status).toBe(404)
    const dropped = { endpoint: say('POST /notices/push/remove endpoint') }
    expect((await post('/notices/push/remove', dropped, token)).status).toBe(200)
    const stopped = { token: say('POST /notices/unsubscribe token') }
    expect((await post('/notices/unsubscribe', stopped)).status).toBe(422)
    await app.call('GET', `/chat/dialogs?_id=${say('GET /chat/dialogs _id')}`, { token: chat.token })
    const exported = await app.call('GET', '/client/export', { token })
    expect(exported.status).toBe(200)
    expect(JSON.stringify(exported.body)).toContain(say('POST /chat/messages message'))
    await hold('2026-06-11T09:00:00Z')
    const canaries = [
      ...new Set(Object.values(written)),
      ...Object.values(headers),
      'Canaryfirst',
      'Canarysurname',
    ].filter((text) => !['of a friend', '739', 'a time', 'a version', 'a zone'].includes(text))
    // That the search finds what is there.
    const before = await everythingStored()
    for (const [text, table] of [
      ['Canaryrenamed', 'accounts'],
      ['Canary reason', 'appointments'],
      ['Antarctica/South_Pole', 'appointments'],
      ['Canary rewritten', 'reviews'],
      ['Canary ending', 'session_series'],
      ['Canary report', 'review_reports'],
      ['canary-idempotency-key', 'idempotency_keys'],
    ] as const) {
      expect([text, tablesWith(text, before)]).toEqual([text, expect.arrayContaining([table])])
    }
    const mailsBefore = app.mails().length

    expect((await leave({ token }, say('POST /client/change-password password'))).body).toBe('success')
    await app.queue.drain()

    // The database, the files and the log.
    const after = await everythingStored()
    for (const text of canaries) {
      expect([text, tablesWith(text, after)]).toEqual([text, []])
      expect([text, files().filter(({ content }) => content.includes(text))]).toEqual([text, []])
      expect([text, app.logged().toLowerCase().includes(text.toLowerCase())]).toEqual([text, false])
    }
    // The client gets one last mail, and none after it.
    const last = app.mails().slice(mailsBefore)
    expect(last.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim())).toContain(
      'Your account is deleted',
    )
    const toOthers = last.filter((mail) => !mail.includes(`To: ${email}`))
    expect(toOthers.filter((mail) => /canary/i.test(plainText(mail)))).toEqual([])
    expect(last.length - toOthers.length).toBe(1)
    const then = app.mails().length
    expect((await post('/client/forgot-password', { email })).status).toBe(200)
    await post('/client/login', { email, password: say('POST /client/change-password password') })
    app.clock.advance(days(2))
    await app.services.bookings.sweep()
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(app.mails().slice(then)).toEqual([])
    const inTheEnd = await everythingStored()
    for (const text of canaries) expect([text, tablesWith(text, inTheEnd)]).toEqual([text, []])

    // The number of the account is where it is declared to be, and in the queue, which forgets it by itself.
    const declared = app.personalData().flatMap((share) => share.kept.flatMap((kept) => kept.tables))
    const named = tablesWith(id, inTheEnd).filter((table) => !table.startsWith('pgboss.'))
    expect(named.filter((table) => !declared.includes(table))).toEqual([])
    expect(named).toEqual(expect.arrayContaining(['accounts', 'appointments']))
    // What was paid for is there, and what was not is gone.
    const left = await app.db.selectFrom('appointments').selectAll().where('client_id', '=', id).execute()
    expect(left.map((row) => row.id).toSorted()).toEqual([held, missed, cancelled].toSorted())
    expect(
      left.map(({ cancel_reason, issue_id, client_timezone }) => [cancel_reason, issue_id, client_timezone]),
    ).toEqual([
      [null, null, null],
      [null, null, null],
      [null, null, null],
    ])
    // The rating still counts, without the client's name.
    expect(
      await app.db
        .selectFrom('reviews')
        .select(['client_id', 'reviewer', 'rating', 'comment', 'reply'])
        .orderBy('id')
        .execute(),
    ).toEqual([
      { client_id: null, reviewer: 'A former client', rating: 3, comment: '', reply: null },
      { client_id: null, reviewer: 'M.', rating: 5, comment: 'Kind.', reply: null },
    ])
    const shown = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(shown.body).toMatchObject({ reviews_rating: 4, reviews_total: 2 })
    const methods = await app.db
      .selectFrom('payment_methods')
      .selectAll()
      .where('account_id', '=', id)
      .execute()
    expect(methods).toMatchObject([
      {
        id: card,
        brand: 'mastercard',
        last4: '4444',
        gateway_ref: null,
        expiry_month: null,
        expiry_year: null,
      },
    ])
    expect(Object.values(await ledger(app)).reduce((sum, amount) => sum + amount, 0)).toBe(0)
  })
})

describe('an account', () => {
  let client: Client
  let practitioner: Practitioner
  beforeEach(async () => {
    client = await createClient(app)
    practitioner = await createPractitioner(app)
  })
  const hold = (startsAt: string, who = client) =>
    post(
      '/appointment/create-session',
      {
        practitioner_id: practitioner.id,
        booking_type: 'schedule',
        service_id: 1,
        appointment_type: 'online',
        datetime: startsAt,
      },
      who.token,
    )
  const pay = (sessionId: unknown, card: string, who = client) =>
    post('/payment/sandbox/existing-card-payment', { session_id: sessionId, customer_id: card }, who.token)

  test('is deleted with every sign-in, and can be opened anew with the same email', async () => {
    const elsewhere = await signInAgain(app, client)
    const others = await createClient(app)
    expect(await standsInTheWay(client)).toEqual([])
    expect((await leave(client)).body).toBe('success')
    for (const { token, refreshToken } of [client, elsewhere]) {
      expect((await app.call('GET', '/client/profile', { token })).status).toBe(401)
      expect((await post('/client/refresh-token', { refresh_token: refreshToken })).status).toBe(401)
    }
    expect((await post('/client/login', { email: client.email, password })).status).toBe(401)
    expect((await app.call('GET', '/client/profile', { token: others.token })).status).toBe(200)
    const again = await createClient(app, { email: client.email })
    expect(again.id).not.toBe(client.id)
    expect(again.referralCode).not.toBe(client.referralCode)
  })

  test.each([
    ['current_password', 'wrong_password', { current_password: 'not my password' }],
    ['current_password', 'validation_failed', { current_password: '' }],
    ['understood', 'validation_failed', { understood: false }],
    ['understood', 'validation_failed', { understood: undefined }],
  ])('is not deleted without %s (%s)', async (field, code, more) => {
    const before = await fingerprint(app.db)
    const body = { current_password: password, understood: true, ...more }
    const answer = await post('/client/delete-account', body, client.token)
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
      422,
      code,
      [field],
    ])
    expect(await fingerprint(app.db)).toEqual(before)
    expect(forgotten).toEqual([])
  })

  test('with a session ahead is not deleted, and says which and what to do', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const before = await fingerprint(app.db)
    const answer = await leave(client)
    expect([answer.status, answer.body.code]).toEqual([409, 'not_deletable'])
    expect(answer.body.message).toMatch(/Priya Patel\d+\. Cancel it in My Sessions/)
    const [hindrance, ...others] = await standsInTheWay(client)
    expect(others).toEqual([])
    expect(hindrance).toMatchObject({
      kind: 'upcoming_session',
      starts_at: '2026-06-08T09:00:00.000Z',
      path: '/my-sessions',
    })
    expect(answer.body.details).toEqual({ hindrances: [hindrance] })
    expect(await fingerprint(app.db)).toEqual(before)
    expect(app.mails().filter((mail) => mail.includes('account is deleted'))).toEqual([])

    // Too late to cancel, it says so; over, it is no hindrance.
    app.clock.set('2026-06-07T12:00:00Z')
    client = await signInAgain(app, client)
    expect((await standsInTheWay(client))[0]?.way_out).toMatch(/can no longer be cancelled/)
    app.clock.set('2026-06-08T09:50:00Z')
    client = await signInAgain(app, client)
    expect(await standsInTheWay(client)).toEqual([])
    expect((await leave(client)).status).toBe(200)
    app.clock.advance(days(2))
    await app.services.bookings.sweep()
    const left = await app.db
      .selectFrom('appointments')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(left).toEqual({ state: 'completed' })
  })

  test('whose money is under way is not deleted until it has come to rest', async () => {
    const card = await saveCard(app, client)
    const held = await hold('2026-06-08T09:00:00Z')
    expect((await pay(held.body.session_id, card)).status).toBe(200)
    expect((await leave(client)).body.code).toBe('not_deletable')
    expect(await standsInTheWay(client)).toMatchObject([
      { kind: 'money_under_way', message: 'A payment of £60 is still under way.' },
    ])
    expect(forgotten).toEqual([])
    // The hold expires, and the payment is voided.
    app.clock.advance(minutes(11))
    await app.services.bookings.sweep()
    expect(await standsInTheWay(client)).toEqual([])
    expect((await leave(client)).status).toBe(200)
    expect(await app.db.selectFrom('payment_intents').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('appointments').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('reservations').select('id').execute()).toEqual([])
  })

  test('that is owed a refund is not deleted until it has left', async () => {
    await app.close()
    let isAway = true
    app = await buildTestApp({
      gateway: (sandbox) => ({
        ...sandbox,
        refund: (request) => (isAway ? Promise.reject(new Error('away')) : sandbox.refund(request)),
      }),
    })
    client = await createClient(app)
    practitioner = await createPractitioner(app)
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await post('/appointment/cancel-session', { appointment_id: id }, client.token)
    expect((await leave(client)).body.code).toBe('not_deletable')
    expect((await standsInTheWay(client))[0]?.message).toBe('A refund of £60 is on its way to you.')
    isAway = false
    app.clock.advance(minutes(2))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    expect((await leave(client)).status).toBe(200)
    expect((await ledger(app)).gateway_balance).toBe(0)
  })

  test('that disputes a payment reads that its refund waits for the bank', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const { id: key, gateway_ref: ref } = await app.db
      .selectFrom('payment_intents')
      .select(['id', 'gateway_ref'])
      .executeTakeFirstOrThrow()
    const dispute = String(await sandboxDashboard(app.db).dispute(String(ref)))
    await app.services.payments.lookAgain(key)
    await post('/appointment/cancel-session', { appointment_id: id }, client.token)
    expect(await standsInTheWay(client)).toMatchObject([
      {
        kind: 'money_under_way',
        message: 'A refund of £60 waits for your bank, which is looking into this payment.',
        way_out: 'We send it once your bank has decided, which can take weeks. Please come back then.',
      },
    ])
    await sandboxDashboard(app.db).closeDispute(dispute, 'won')
    await app.services.payments.lookAgain(key)
    app.clock.advance(minutes(2))
    await app.services.bookings.sweep()
    await app.services.payments.recover()
    expect(await standsInTheWay(client)).toEqual([])
  })

  test('whose bank sent a refund back is not deleted until an admin has dealt with it', async () => {
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await post('/appointment/cancel-session', { appointment_id: id }, client.token)
    const { rows } = await sql<{ ref: string; key: string }>`
      select gateway_ref as ref, payment_intent_id as key from refunds`.execute(app.db)
    await sandboxDashboard(app.db).failRefund(String(rows[0]?.ref))
    await app.services.payments.lookAgain(String(rows[0]?.key))
    expect(await standsInTheWay(client)).toMatchObject([
      {
        kind: 'money_under_way',
        message: 'A refund of £60 did not reach your card: your bank sent it back.',
        way_out: 'We will pay it to you in another way. Please come back once you have it.',
      },
    ])
    expect((await leave(client)).body.code).toBe('not_deletable')
    const admin = await createAdmin(app)
    const { body } = await app.call('GET', '/admin/payments/incidents', { token: admin.token })
    const [incident] = body.data as unknown as { incident_id: string }[]
    const resolved = await post(
      `/admin/payments/incidents/${incident?.incident_id}/resolve`,
      { decision: 'paid_otherwise', reason: 'By bank transfer.' },
      admin.token,
    )
    expect(resolved.status).toBe(200)
    expect(await standsInTheWay(client)).toEqual([])
    expect((await leave(client)).status).toBe(200)
  })

  test('releases its holds when deleted, and other clients can book the times', async () => {
    expect((await hold('2026-06-08T09:00:00Z')).status).toBe(201)
    const other = await createClient(app)
    expect((await hold('2026-06-08T09:00:00Z', other)).status).toBe(409)
    expect((await leave(client)).status).toBe(200)
    expect((await hold('2026-06-08T09:00:00Z', other)).status).toBe(201)
  })

  test('has its saved cards removed at the gateway too, also when that is away at first', async () => {
    await saveCard(app, client)
    const paid = await saveCard(app, client, cards.alsoSucceeds)
    const removed = await saveCard(app, client)
    await app.call('DELETE', `/payment/sandbox/cards/${removed}`, { token: client.token })
    app.clock.set('2026-06-01T08:00:00Z')
    await bookSession(app, { practitioner, client, card: paid, startsAt: '2026-06-02T09:00:00Z' })
    app.clock.set('2026-06-03T09:00:00Z')
    client = await signInAgain(app, client)
    const atGateway = (
      await app.db.selectFrom('payment_methods').select(['gateway_ref', 'removed_at']).execute()
    ).flatMap((row) => (row.removed_at ? [] : [row.gateway_ref]))
    expect(atGateway).toHaveLength(2)
    forgotten = []
    isGatewayDown = true
    expect((await leave(client)).status).toBe(200)
    expect(forgotten).toEqual([])
    isGatewayDown = false
    await app.queue.drain()
    expect(forgotten.toSorted()).toEqual(atGateway.toSorted())
    expect(
      await app.db.selectFrom('payment_methods').select(['id', 'gateway_ref', 'fingerprint']).execute(),
    ).toEqual([{ id: paid, gateway_ref: null, fingerprint: null }])
  })

  test('leaves the discount to friends who entered its code, and its card none for a second time', async () => {
    const friend = await createClient(app, { referral_code: client.referralCode })
    const referred = await createClient(app, { referral_code: friend.referralCode })
    const card = await saveCard(app, referred)
    await bookSession(app, { practitioner, client: referred, card, startsAt: '2026-06-02T09:00:00Z' })
    app.clock.set('2026-06-03T09:00:00Z')
    expect((await leave(await signInAgain(app, referred))).status).toBe(200)
    expect((await leave(await signInAgain(app, client))).status).toBe(200)

    const friends = await signInAgain(app, friend)
    const discounted = await hold('2026-06-08T09:00:00Z', friends)
    expect(discounted.body).toMatchObject({ fee: 48, discount: 12 })
    // The same person, with a new account and the same card.
    const again = await createClient(app, { referral_code: friend.referralCode })
    const held = await hold('2026-06-09T09:00:00Z', again)
    const refused = await pay(held.body.session_id, await saveCard(app, again), again)
    expect([refused.status, refused.body.code]).toEqual([422, 'price_changed'])
    // The referral code of a deleted account is unknown.
    const unknown = await post('/client/check-referral-code', { referral_code: client.referralCode })
    expect(unknown.body.code).toBe('unknown_referral_code')
  })

  test('that is a client’s leaves a therapist with the same email alone', async () => {
    await app.db
      .updateTable('accounts')
      .set({ email: client.email })
      .where('id', '=', practitioner.accountId)
      .execute()
    expect((await leave(client)).status).toBe(200)
    const account = await app.db
      .selectFrom('accounts')
      .select(['email', 'deleted_at'])
      .where('id', '=', practitioner.accountId)
      .executeTakeFirst()
    expect(account).toEqual({ email: client.email, deleted_at: null })
  })

  test('tells a practitioner of a session that was cancelled just before, without a name', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    await app.queue.drain()
    const before = app.mails().length
    await post('/appointment/cancel-session', { appointment_id: id }, client.token)
    await app.services.bookings.sweep()
    expect((await leave(client)).status).toBe(200)
    await app.queue.drain()
    const told = app
      .mails()
      .slice(before)
      .filter((mail) => mail.includes(`To: ${practitioner.email}`))
    expect(told.map(textOf)).toMatchObject([
      expect.stringContaining('A former client has cancelled a session'),
    ])
    expect(told.map(plainText).join()).not.toMatch(/Alex|Morgan/)
  })

  test('cancels moved dates of a series in the calendar of the practitioner when deleted, without a name', async () => {
    await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
    const card = await saveCard(app, client)
    const session = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-02T09:00:00Z' })
    const { dates } = await agreeSeries(app, { client, card, session })
    const [, cancelled = '', ended = ''] = dates.flatMap(({ appointment_id }) => appointment_id ?? [])
    const move = (id: string, to: string) =>
      post(
        '/appointment/edit-session',
        { appointment_id: id, type: 'online', appointment_datetime: to },
        client.token,
      )
    expect((await move(cancelled, '2026-06-17T12:00:00Z')).status).toBe(200)
    expect((await move(ended, '2026-06-24T12:00:00Z')).status).toBe(200)
    app.clock.set('2026-06-03T09:00:00Z')
    client = await signInAgain(app, client)
    await app.queue.drain()
    const toPractitioner = () => sessionMails(app.mails()).filter(({ to }) => to === practitioner.email)
    const before = toPractitioner()
    expect(
      (await post('/appointment/cancel-session', { appointment_id: cancelled }, client.token)).status,
    ).toBe(200)
    expect((await leave(client)).status).toBe(200)
    expect(
      await app.db
        .selectFrom('appointments')
        .select('id')
        .where('client_id', '=', client.id)
        .where('id', '<>', session)
        .execute(),
    ).toEqual([])
    await app.queue.drain()
    const after = toPractitioner().slice(before.length)
    expect(after.map(({ subject }) => subject)).toEqual([
      'A session was cancelled',
      'A session was cancelled',
    ])
    const inOrder = after.map((mail) => ({ mail, entry: entryIn(mail) }))
    inOrder.sort((a, b) => a.entry.start.localeCompare(b.entry.start))
    for (const [at, { mail, entry }] of inOrder.entries()) {
      const added = before.map((each) => entryIn(each)).find(({ uid }) => uid === entry.uid)
      expect([added?.method, added?.start]).toEqual(['REQUEST', entry.start])
      expect(entry).toMatchObject({
        method: 'CANCEL',
        uid: `${at === 0 ? cancelled : ended}-practitioner`,
        sequence: (added?.sequence ?? 0) + 1,
        summary: 'Session with A former client',
      })
      expect(mail.text).toContain('A former client has cancelled a session with you.')
      // The session has no page any more.
      expect(linkIn(mail.raw).searchParams.get('return_to')).toBe('/therapist/series')
      expect(mail.whole).not.toMatch(/Alex|Morgan/)
    }
    expect(inOrder.map(({ entry }) => entry.start)).toEqual([
      '2026-06-17T12:00:00.000Z',
      '2026-06-24T12:00:00.000Z',
    ])
    const kept = (await everythingStored()).get('public.outgoing_mails') ?? ''
    for (const text of [client.id, 'Alex', 'Morgan']) expect(kept).not.toContain(text)
  })

  test('says with what address it was, once, and then forgets that too', async () => {
    await app.queue.drain()
    const before = app.mails().length
    expect((await leave(client)).status).toBe(200)
    expect(await app.db.selectFrom('outgoing_mails').select('template').execute()).toEqual([
      { template: 'account.account_deleted' },
    ])
    await app.queue.drain()
    expect(app.mails()).toHaveLength(before + 1)
    expect(app.mails().at(-1)).toContain(`To: ${client.email}`)
    expect(await app.db.selectFrom('outgoing_mails').select('template').execute()).toEqual([])
  })

  test('cannot be filled again by the database', async () => {
    await leave(client)
    for (const change of [{ email: 'back@example.test' }, { first_name: 'Alex' }, { password_hash: 'x' }]) {
      await expect(
        app.db.updateTable('accounts').set(change).where('id', '=', client.id).execute(),
      ).rejects.toMatchObject({ code: '23514' })
    }
    const now = app.clock.now()
    await expect(
      app.db
        .insertInto('login_sessions')
        .values({ id: crypto.randomUUID(), account_id: client.id, created_at: now, last_used_at: now })
        .execute(),
    ).rejects.toMatchObject({ code: 'HE001' })
  })
})

describe('a table that refers to an account or a client', () => {
  /** Columns that need no trigger, with the reason. Practitioners and admins cannot delete their accounts. */
  const reasons: Record<string, string> = {
    'audit_log.actor_id': 'of admins',
    'chat_members.account_id': 'inserted with their dialog, which has the trigger',
    'clients.account_id': 'inserted with the account',
    'clients.referred_by': 'the number of the friend, who may have left',
    'device_tokens.account_id': 'inserted with a sign-in session, or while the account is locked',
    'help_dispatches.client_id': 'inserted with their appointment, which has the trigger',
    'known_addresses.account_id': 'inserted with a sign-in session, or while the account is locked',
    'notice_choices.account_id': 'inserted from the account’s row, if it is not deleted',
    'outgoing_mails.account_id': 'among them the mail that says that the account was deleted',
    'platform_charges.account_id': 'of practitioners',
    'practitioners.account_id': 'of practitioners',
    'reservations.client_id':
      'inserted with an appointment, a series or an offer, or while their series is locked',
    'second_factors.account_id': 'of admins',
    'stored_files.account_id': 'of practitioners',
  }

  test('refuses new rows of deleted accounts by a trigger, or has a reason not to', async () => {
    const { rows } = await sql<{ column: string; refuses: boolean }>`
      select c.conrelid::regclass::text || '.' || a.attname as column, exists (
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = c.conrelid
        and p.proname = case a.attname when 'account_id' then 'refuse_deleted_account' when 'client_id' then 'refuse_deleted_client' end
      ) as refuses
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid in ('accounts'::regclass, 'clients'::regclass)
        and a.attname <> 'practitioner_id'`.execute(app.db)
    const columns = (refused: boolean) =>
      rows.filter((row) => row.refuses === refused).map((row) => row.column)
    expect(columns(true).length).toBeGreaterThan(10)
    expect(columns(false).toSorted()).toEqual(Object.keys(reasons).toSorted())
  })

  test('refuses them: an agreement, a series, a calendar link and a seat in a room', async () => {
    const practitioner = await createPractitioner(app)
    const client = await createClient(app)
    expect((await leave(client)).status).toBe(200)
    const now = app.clock.now()
    const id = crypto.randomUUID()
    const rows = [
      sql`insert into consents (id, account_id, scope, subject, text_version, given_at)
        values (${id}, ${client.id}, 'series', 'x', 'x', ${now})`,
      sql`insert into session_series (id, client_id, practitioner_id) values (${id}, ${client.id}, ${practitioner.id})`,
      sql`insert into client_calendar_feeds (client_id, token_hash, created_at)
        values (${client.id}, ${Buffer.alloc(32)}, ${now})`,
      sql`insert into session_room_seats (appointment_id, side, account_id) values (${id}, 'client', ${client.id})`,
    ]
    for (const row of rows) await expect(row.execute(app.db)).rejects.toMatchObject({ code: 'HE001' })
  })
})

describe('what is kept after a deletion', () => {
  test('is listed without a sign-in', async () => {
    const answer = await app.call('GET', '/client/kept-after-deletion')
    const kept = answer.body as unknown as Kept[]
    expect(answer.status).toBe(200)
    expect(kept.length).toBeGreaterThan(4)
    expect(kept.map(({ what }) => what)).toEqual(
      app.personalData().flatMap((share) => share.kept.map(({ what }) => what)),
    )
    for (const entry of kept) expect(Object.keys(entry).toSorted()).toEqual(['how_long', 'what', 'why'])
  })

  test('is asked of every table that refers to an account', async () => {
    const { rows } = await sql<{ child: string; parent: string }>`
      select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent
      from pg_constraint where contype = 'f'`.execute(app.db)
    // What is a practitioner's is not a client's; the audit log is of admins.
    const others =
      /^(practitioners?|audit_log|locations|time_off|weekly_hours|calendar_feeds|google_calendars|busy_elsewhere|stored_files|file_links|platform_charges|subscriptions|subscription_m|video_production|invoices|second_factors|recovery_codes)/
    const about = new Set(['accounts'])
    for (let before = 0; before !== about.size; ) {
      before = about.size
      for (const { child, parent } of rows) if (about.has(parent) && !others.test(child)) about.add(child)
    }
    expect(about.size).toBeGreaterThan(10)
    expect([...about].toSorted()).toEqual(
      app
        .personalData()
        .flatMap((share) => share.tables)
        .toSorted(),
    )
  })
})

describe('time', () => {
  const keepHouse = async () => {
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
  }
  const left = async () =>
    Object.fromEntries(
      await Promise.all(
        (
          [
            'accounts',
            'appointments',
            'reservations',
            'payment_methods',
            'payment_intents',
            'refunds',
          ] as const
        ).map(
          async (table) => [table, (await app.db.selectFrom(table).select('id').execute()).length] as const,
        ),
      ),
    )

  test('takes what was kept once the law no longer asks for it, but for the ledger', async () => {
    const practitioner = await createPractitioner(app)
    const client = await createClient(app)
    const cancelled = await bookSession(app, { practitioner, client, startsAt: '2026-06-09T09:00:00Z' })
    await post('/appointment/cancel-session', { appointment_id: cancelled }, client.token)
    await bookSession(app, { practitioner, client, startsAt: '2026-06-02T09:00:00Z' })
    app.clock.set('2027-04-05T09:00:00Z')
    const later = await signInAgain(app, client)
    await bookSession(app, { practitioner, client: later, startsAt: '2027-04-08T09:00:00Z' })
    app.clock.set('2027-04-09T09:00:00Z')
    expect((await leave(await signInAgain(app, client))).status).toBe(200)
    await app.services.bookings.sweep()
    await keepHouse()
    const kept = {
      accounts: 2,
      appointments: 3,
      reservations: 3,
      payment_methods: 3,
      payment_intents: 3,
      refunds: 1,
    }
    expect(await left()).toEqual(kept)
    const books = await ledger(app)

    // The tax year 2026/27 ended on 5 April 2027.
    app.clock.set('2033-04-05T23:59:59Z')
    await keepHouse()
    expect(await left()).toEqual(kept)
    app.clock.set('2033-04-06T00:00:00Z')
    await keepHouse()
    expect(await left()).toEqual({
      accounts: 2,
      appointments: 1,
      reservations: 1,
      payment_methods: 1,
      payment_intents: 1,
      refunds: 0,
    })
    // The last session was in the next one, and with it goes the number of the account.
    app.clock.set('2034-04-06T00:00:00Z')
    await keepHouse()
    expect(await left()).toEqual({
      accounts: 1,
      appointments: 0,
      reservations: 0,
      payment_methods: 0,
      payment_intents: 0,
      refunds: 0,
    })
    expect(await ledger(app)).toEqual(books)
  })

  test.each(['withdrawn', 'paid_otherwise'] as const)(
    'takes a session whose refund was %s',
    async (state) => {
      const practitioner = await createPractitioner(app)
      const client = await createClient(app)
      const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-09T09:00:00Z' })
      await post('/appointment/cancel-session', { appointment_id: id }, client.token)
      // As a dispute that the bank decided for the client leaves it, and one that was paid back in another way.
      await app.db.updateTable('refunds').set({ state, succeeded_at: null }).execute()
      expect((await leave(client)).status).toBe(200)
      app.clock.set('2033-04-06T00:00:00Z')
      await keepHouse()
      expect(await left()).toMatchObject({ accounts: 1, appointments: 0, payment_intents: 0, refunds: 0 })
    },
  )

  test('removes a deleted account’s row after a day if no record names it, and no other row', async () => {
    const staying = await createClient(app)
    const leaving = await createClient(app)
    const referrer = await createClient(app)
    const friend = await createClient(app, { referral_code: referrer.referralCode })
    expect((await leave(leaving)).status).toBe(200)
    expect((await leave(referrer)).status).toBe(200)
    // The link of a mail that was sent before is pressed after it.
    const link = new URL(app.services.notifications.stopLink(leaving.id, 'session reminders'))
    const press = async () =>
      (await fetch(`${app.origin}/unsubscribe${link.search}`, { method: 'POST' })).status
    expect(await press()).toBe(200)
    expect(await app.db.selectFrom('notice_choices').selectAll().execute()).toEqual([])
    await keepHouse()
    expect(await left()).toMatchObject({ accounts: 4 })
    app.clock.advance(days(1) + 1)
    await keepHouse()
    expect(await press()).toBe(200)
    const ids = (await app.db.selectFrom('accounts').select('id').execute()).map(({ id }) => id)
    // A friend's discount still needs the one whose code it was.
    expect(ids.toSorted()).toEqual([staying.id, friend.id, referrer.id].toSorted())
  })
})

describe('the files of the embedded database', () => {
  test('hold nothing of a deleted account within the hour', async () => {
    await app.close()
    const directory = mkdtempSync(join(tmpdir(), 'hearth-files-'))
    try {
      const database = await openEmbedded({ directory })
      await prepare(database)
      app = await buildTestApp({ database })
      const client = await createClient(app, { name: 'Heronfirst Heronlast', email: 'heron@example.test' })
      const practitioner = await createPractitioner(app)
      const id = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
      await post('/appointment/cancel-session', { appointment_id: id, reason: 'Heron reason' }, client.token)
      await sql`checkpoint`.execute(app.db)
      const found = () =>
        readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((path) => /heron/i.test(readFileSync(path, 'latin1')))
      expect(found().length).toBeGreaterThan(2)
      expect((await leave(client)).status).toBe(200)
      await app.queue.drain()
      expect(found().length).toBeGreaterThan(0)
      await app.queue.enqueue(app.db, housekeepingJob, {})
      await app.queue.drain()
      expect(found()).toEqual([])
      // And all the rest is there as before.
      expect((await createClient(app)).token).toBeTruthy()
      expect((await app.db.selectFrom('appointments').select('state').execute())[0]).toEqual({
        state: 'cancelled',
      })
    } finally {
      await app.close()
      rmSync(directory, { recursive: true, force: true })
      app = await buildTestApp()
    }
  })
})

describe('an export', () => {
  test('holds all the caller’s personal data, in words, and nothing of other accounts', async () => {
    const client = await createClient(app, { name: 'Sam Rivers', email: 'sam@example.test' })
    const other = await createClient(app, { name: 'Olive Otherly', email: 'olive@example.test' })
    const practitioner = await createPractitioner(app)
    const card = await saveCard(app, client, cards.alsoSucceeds)
    const id = await bookSession(app, { practitioner, client, card, startsAt: '2026-06-08T09:00:00Z' })
    await bookSession(app, { practitioner, client: other, startsAt: '2026-06-09T09:00:00Z' })
    await post(
      '/appointment/cancel-session',
      { appointment_id: id, reason: 'I am moving away.' },
      client.token,
    )
    const reviews = await app.db
      .insertInto('reviews')
      .values(
        [
          { client_id: client.id, appointment_id: id, reviewer: 'S.', comment: 'It helped.' },
          { client_id: null, appointment_id: null, reviewer: 'O.', comment: 'Olive was here.' },
        ].map((each) => ({
          ...each,
          practitioner_id: practitioner.id,
          rating: 4,
          created_at: app.clock.now(),
        })),
      )
      .returning('id')
      .execute()
    await post(`/reviews/${reviews[1]?.id}/report`, { reason: 'It is not true.' }, client.token)
    const answer = await app.call('GET', '/client/export', { token: client.token })
    expect(answer.status).toBe(200)
    const { read_me, created_at, sections } = answer.body as unknown as Export
    expect(read_me.length).toBeGreaterThan(3)
    expect(created_at).toBe('2026-06-01T08:00:00.000Z')
    const section = (title: string) => sections.find((each) => each.title === title)?.entries
    expect(section('Your account')).toEqual([
      {
        name: 'Sam Rivers',
        email: 'sam@example.test',
        email_confirmed_at: null,
        account_opened_at: '2026-06-01T08:00:00.000Z',
        your_referral_code: client.referralCode,
        you_entered_the_code_of_a_friend: false,
      },
    ])
    expect(section('Your sessions')).toMatchObject([
      {
        starts_at: '2026-06-08T09:00:00.000Z',
        form: 'online',
        price: 60,
        state: 'cancelled',
        cancelled_by: 'client',
        reason_you_gave: 'I am moving away.',
      },
    ])
    expect(section('Your saved cards')).toMatchObject([
      { brand: 'mastercard', last_four_digits: '4444', expires: '2034-12' },
    ])
    const [session] = section('Your sessions') ?? []
    expect(session?.session).toMatch(/^[\da-f-]{36}$/)
    expect(section('Your payments')).toMatchObject([
      {
        session: session?.session,
        amount: 60,
        outcome: 'paid',
        returned_to_you: 60,
        refunds: [
          {
            requested_at: '2026-06-01T08:00:00.000Z',
            amount: 60,
            state: 'was sent back to your card',
            sent_to_your_card_at: '2026-06-01T08:00:00.000Z',
          },
        ],
        disputed_by_your_bank: false,
        disputes: [],
        card: 'mastercard ending in 4444',
      },
    ])
    expect(section('Your reviews')).toMatchObject([{ stars: 4, words: 'It helped.', signed: 'S.' }])
    expect(section('What you have reported')).toMatchObject([
      { about: 'review', your_reason: 'It is not true.', outcome: 'not decided yet' },
    ])
    expect(section('Where you signed in')).toHaveLength(1)
    const text = JSON.stringify(answer.body)
    expect(text).not.toMatch(/Olive|Otherly|olive@|argon2|pm_sandbox|pi_sandbox/)
  })

  describe('of a payment', () => {
    let client: Client
    let session: string
    let intent: { id: string; ref: string }
    let isRefundDown: boolean
    beforeEach(async () => {
      isRefundDown = false
      await app.close()
      app = await buildTestApp({
        gateway: (sandbox) => ({
          ...sandbox,
          refund: (request) => (isRefundDown ? Promise.reject(new Error('away')) : sandbox.refund(request)),
        }),
      })
      client = await createClient(app)
      const practitioner = await createPractitioner(app)
      session = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
      const row = await app.db
        .selectFrom('payment_intents')
        .select(['id', 'gateway_ref'])
        .executeTakeFirstOrThrow()
      intent = { id: row.id, ref: String(row.gateway_ref) }
    })
    const look = () => app.services.payments.lookAgain(intent.id)
    const cancel = () => post('/appointment/cancel-session', { appointment_id: session }, client.token)
    const dispute = async () => String(await sandboxDashboard(app.db).dispute(intent.ref))
    const exported = async () => {
      const { body } = await app.call('GET', '/client/export', { token: client.token })
      const { sections } = body as unknown as Export
      return sections.find(({ title }) => title === 'Your payments')?.entries
    }
    const at = '2026-06-01T08:00:00.000Z'

    test('names a refund that has not been sent, and when it is', async () => {
      isRefundDown = true
      await cancel()
      const requested = { requested_at: at, amount: 60 }
      expect(await exported()).toMatchObject([
        {
          outcome: 'paid',
          returned_to_you: 0,
          refunds: [{ ...requested, state: 'is on its way to you', sent_to_your_card_at: null }],
        },
      ])
      isRefundDown = false
      app.clock.advance(minutes(2))
      await app.services.payments.recover()
      expect(await exported()).toMatchObject([
        {
          returned_to_you: 60,
          refunds: [
            {
              ...requested,
              state: 'was sent back to your card',
              sent_to_your_card_at: app.clock.now().toISOString(),
            },
          ],
        },
      ])
    })

    test('names a refund that the bank sent back, and how it was paid then', async () => {
      await cancel()
      const refund = await app.db.selectFrom('refunds').select('gateway_ref').executeTakeFirstOrThrow()
      await sandboxDashboard(app.db).failRefund(String(refund.gateway_ref))
      await look()
      const failed = {
        requested_at: at,
        amount: 60,
        state: 'did not reach your card: your bank sent it back',
        sent_to_your_card_at: at,
      }
      expect(await exported()).toMatchObject([{ returned_to_you: 0, refunds: [failed] }])
      const { token } = await createAdmin(app)
      const { body } = await app.call('GET', '/admin/payments/incidents', { token })
      const [incident] = body.data as unknown as { incident_id: string }[]
      const path = `/admin/payments/incidents/${incident?.incident_id}/resolve`
      await post(path, { decision: 'paid_otherwise', reason: 'By bank transfer.' }, token)
      const state = 'did not reach your card, and was paid to you by bank transfer'
      expect(await exported()).toMatchObject([{ returned_to_you: 60, refunds: [{ ...failed, state }] }])
    })

    test('counts money that a lost dispute returned, and names the refund that it replaced', async () => {
      const name = await dispute()
      await look()
      await cancel()
      const open = { began_at: at, amount: 60, outcome: 'your bank has not decided yet', ended_at: null }
      expect(await exported()).toMatchObject([
        {
          returned_to_you: 0,
          refunds: [{ amount: 60, state: 'waits for your bank, which is looking into this payment' }],
          disputed_by_your_bank: true,
          disputes: [open],
        },
      ])
      app.clock.advance(minutes(1))
      await sandboxDashboard(app.db).closeDispute(name, 'lost')
      await look()
      const lost = {
        ...open,
        outcome: 'your bank has taken this sum back for you',
        ended_at: app.clock.now().toISOString(),
      }
      expect(await exported()).toMatchObject([
        {
          outcome: 'paid',
          returned_to_you: 60,
          refunds: [
            {
              amount: 60,
              state: 'was not sent: there was nothing left to return',
              sent_to_your_card_at: null,
            },
          ],
          disputed_by_your_bank: true,
          disputes: [lost],
        },
      ])
    })

    test('counts no money of a dispute that ended without it', async () => {
      const name = await dispute()
      await look()
      await sandboxDashboard(app.db).closeDispute(name, 'won')
      await look()
      const outcome = 'it ended, and your bank has not taken this sum back'
      expect(await exported()).toMatchObject([
        { returned_to_you: 0, refunds: [], disputes: [{ began_at: at, amount: 60, outcome, ended_at: at }] },
      ])
    })
  })

  test('names removed cards apart from saved ones', async () => {
    const client = await createClient(app)
    const removed = await saveCard(app, client)
    await saveCard(app, client, cards.alsoSucceeds)
    app.clock.advance(minutes(1))
    await app.call('DELETE', `/payment/sandbox/cards/${removed}`, { token: client.token })
    const { body } = await app.call('GET', '/client/export', { token: client.token })
    const { sections } = body as unknown as Export
    const section = (title: string) => sections.find((each) => each.title === title)?.entries
    const saved = { expires: '2034-12', saved_at: '2026-06-01T08:00:00.000Z' }
    expect(section('Your saved cards')).toEqual([{ brand: 'mastercard', last_four_digits: '4444', ...saved }])
    expect(section('Your removed cards')).toEqual([
      { brand: 'visa', last_four_digits: '4242', ...saved, removed_at: '2026-06-01T08:01:00.000Z' },
    ])
  })

  test('may be had twenty times an hour', async () => {
    await app.close()
    app = await buildTestApp({ rateLimitScale: 0.1 })
    const client = await createClient(app)
    const statuses: number[] = []
    for (let time = 0; time < 3; time++) {
      statuses.push((await app.call('GET', '/client/export', { token: client.token })).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    app.clock.advance(hours(2))
    const again = await signInAgain(app, client)
    expect((await app.call('GET', '/client/export', { token: again.token })).status).toBe(200)
  })
})

/** The fields of a body or query that take text of one's own. */
function textsOf(schema: z.ZodType): string[] {
  type Described = {
    type?: string
    format?: string
    enum?: unknown[]
    const?: unknown
    pattern?: string
    anyOf?: Described[]
    properties?: Record<string, Described>
  }
  const takesText = (field: Described): boolean =>
    field.anyOf
      ? field.anyOf.some(takesText)
      : (field.type === 'string' || (field.type === undefined && Object.keys(field).length === 0)) &&
        !field.enum &&
        field.const === undefined &&
        // Lists of ids.
        !field.pattern?.startsWith('^\\s*(\\d{1,9}') &&
        !['uuid', 'date', 'date-time'].includes(field.format ?? '')
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
  return [described, ...(described.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([, field]) => takesText(field))
      .map(([name]) => name),
  )
}
