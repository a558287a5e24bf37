import { inflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { days } from '#server/clock.ts'
import { buildTestApp, type Json, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  cards,
  createClient,
  createPractitioner,
  ledger,
  type Practitioner,
  saveTherapistCard,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'
import { invoicePdf, statementPdf } from './pdfs.ts'

let app: TestApp
let practitioner: Practitioner
let token: string

beforeEach(async () => {
  app = await buildTestApp()
  practitioner = await createPractitioner(app, { firstName: 'Łucja', lastName: 'Śmiała' })
  token = await signInPractitioner(app, practitioner)
})
afterEach(async () => app.close())

const get = (path: string, as = token) => app.call('GET', path, { token: as })
const post = (path: string, body: unknown = {}) => app.call('POST', path, { token, body })

/** Downloads a file with its headers. */
async function file(path: string, as = token) {
  const response = await fetch(`${app.origin}/api/v7${path}`, { headers: { authorization: `Bearer ${as}` } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The text of one of our PDFs. Its pages are compressed, and its text is hexadecimal. */
function wordsOf(pdf: Buffer): string {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  const pages = [...streams].map(([, content = '']) => {
    try {
      return inflateSync(Buffer.from(content, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  const lines = pages.join('\n').matchAll(/\[(.*?)\] TJ/g)
  return [...lines]
    .map(([, parts = '']) =>
      [...parts.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
        .join(''),
    )
    .join(' ')
}

describe('a video that is produced over a call', () => {
  const read = async () => (await get('/therapist/video-production')).body

  test('costs £10 in the first 30 days of the account, and £60 afterwards', async () => {
    expect(await read()).toEqual({
      status: 'not_ordered',
      price: 10,
      full_price: 60,
      offer_ends_at: '2026-07-01T08:00:00.000Z',
      ordered_at: null,
      progress: null,
    })
    app.clock.set('2026-07-01T07:59:59Z')
    token = await signInPractitioner(app, practitioner)
    expect(await read()).toMatchObject({ price: 10 })
    app.clock.set('2026-07-01T08:00:00Z')
    expect(await read()).toMatchObject({ price: 60, offer_ends_at: null })
    await saveTherapistCard(app, token)
    expect((await post('/therapist/video-production/order')).body).toMatchObject({
      status: 'ordered',
      price: 60,
      ordered_at: '2026-07-01T08:00:00.000Z',
    })
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, video_production_income: -6000 })
  })

  test('is charged once, even if it is ordered again later or with another card', async () => {
    await saveTherapistCard(app, token)
    for (let time = 0; time < 3; time++) {
      expect((await post('/therapist/video-production/order')).body).toMatchObject({
        status: 'ordered',
        price: 10,
      })
    }
    app.clock.advance(days(60))
    token = await signInPractitioner(app, practitioner)
    await saveTherapistCard(app, token, cards.alsoSucceeds)
    expect((await post('/therapist/video-production/order')).body).toMatchObject({ price: 10 })
    expect(await ledger(app)).toEqual({ gateway_balance: 1000, video_production_income: -1000 })
  })

  test('is not charged at another price than the page has shown', async () => {
    await saveTherapistCard(app, token)
    const shown = (await read()).price
    app.clock.set('2026-07-01T08:00:00Z')
    token = await signInPractitioner(app, practitioner)
    const refused = await post('/therapist/video-production/order', { price: shown })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      'price_changed',
      { fee: 60 },
    ])
    expect(await read()).toMatchObject({ status: 'not_ordered' })
    expect(await ledger(app)).toEqual({})
    expect((await post('/therapist/video-production/order', { price: 60 })).body).toMatchObject({ price: 60 })
    // A repetition of an order from before is no other order.
    expect((await post('/therapist/video-production/order', { price: shown })).status).toBe(200)
    expect(await ledger(app)).toEqual({ gateway_balance: 6000, video_production_income: -6000 })
  })

  test('takes a card, and a good one: otherwise nothing is charged', async () => {
    const before = await fingerprint(app.db)
    const without = await post('/therapist/video-production/order')
    expect([without.status, without.body.code]).toEqual([404, 'no_card'])
    expect(await fingerprint(app.db)).toEqual(before)
    await saveTherapistCard(app, token, cards.declined)
    const declined = await post('/therapist/video-production/order')
    expect([declined.status, declined.body.code]).toEqual([402, 'card_declined'])
    expect(await read()).toMatchObject({ status: 'not_ordered' })
    await saveTherapistCard(app, token, cards.authentication)
    const asked = await post('/therapist/video-production/order')
    expect([asked.status, asked.body.code]).toEqual([402, 'authentication_required'])
    expect(await ledger(app)).toEqual({})
    expect((await get('/therapist/invoices')).body).toEqual([])
    await app.queue.drain()
    expect(app.mails().filter((mail) => mail.includes('<billing-'))).toEqual([])
    expect(
      (await post('/therapist/payment/confirm-authentication', { purpose: 'video_production' })).body,
    ).toBe('success')
    expect(await read()).toMatchObject({ status: 'ordered' })
    expect(await ledger(app)).toEqual({ gateway_balance: 1000, video_production_income: -1000 })
  })
})

describe('an invoice', () => {
  const list = async () => (await get('/therapist/invoices')).body as unknown as Json[]

  test('is a PDF that names seller, buyer and amount, for its practitioner alone', async () => {
    const payment_method_id = await saveTherapistCard(app, token)
    await post('/therapist/subscription/subscribe', { payment_method_id })
    await post('/therapist/video-production/order')
    const [video, month, ...others] = await list()
    expect(others).toEqual([])
    expect(month).toMatchObject({
      number: '2026-0001',
      description: 'Hearth subscription, 1 June 2026 to 30 June 2026',
      amount: 30,
      issued_at: '2026-06-01T08:00:00.000Z',
    })
    expect(video).toMatchObject({ number: '2026-0002', amount: 10 })
    const path = `/therapist/invoices/${month?.id}/pdf`
    const { response, bytes } = await file(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="hearth-invoice-2026-0001.pdf"',
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const words = wordsOf(bytes)
    // Letters outside the built-in font are replaced by similar ones.
    for (const said of [
      'Invoice 2026-0001',
      '1 June 2026',
      'Lucja Smiala',
      '£30.00',
      'Nothing is left to pay',
    ])
      expect(words).toContain(said)
    expect(words).not.toMatch(/VAT|tax/i)

    const other = await signInPractitioner(app, await createPractitioner(app))
    expect((await get(path, other)).status).toBe(404)
    expect((await get('/therapist/invoices', other)).body).toEqual([])
    const client = await createClient(app)
    expect((await get(path, client.token)).status).toBe(403)
    expect((await app.call('GET', path)).status).toBe(401)
    expect((await get(`/therapist/invoices/${crypto.randomUUID()}/pdf`)).status).toBe(404)
  })

  test('says what became of its payment after a dispute', async () => {
    const payment_method_id = await saveTherapistCard(app, token)
    await post('/therapist/subscription/subscribe', { payment_method_id })
    const [invoice] = await list()
    const words = async () => wordsOf((await file(`/therapist/invoices/${invoice?.id}/pdf`)).bytes)
    const { id, gateway_ref } = await app.db
      .selectFrom('platform_charges')
      .select(['id', 'gateway_ref'])
      .executeTakeFirstOrThrow()
    const dashboard = sandboxDashboard(app.db)
    expect(await words()).not.toMatch(/Disputed|Taken back/)
    const dispute = await dashboard.dispute(String(gateway_ref))
    await app.services.payments.lookAgain(id)
    expect(await words()).toContain('Disputed through your bank, which has not decided yet.')
    expect(await words()).not.toContain('Taken back')
    await dashboard.closeDispute(String(dispute), 'lost')
    await app.services.payments.lookAgain(id)
    expect(await words()).toContain('Taken back by your bank –£30.00')
    expect(await words()).not.toContain('Disputed')
  })

  test.each([
    ['marks apart from their letters', 'Zoë Nguyễn'.normalize('NFD'), 'Zoë Nguyen'],
    ['Maltese and Sami letters', 'Ġorġ Ħaż Biŋŋá Ŧ', 'Gorg Haz Binná T'],
    ['hyphens and apostrophes of other kinds', 'Anne‑Marie Kaʻanāʻanā Olʼha', 'Anne-Marie Ka‘ana‘ana Ol’ha'],
    ['signs that have no shape of their own', 'Al\u200dma \u202eNoor\u202c ❤\ufe0f', 'Alma Noor ?'],
  ])('writes a name with %s', async (_what, buyer, written) => {
    const facts = { number: '2026-0001', seller: 'Hearth', description: 'Month', amountPence: 3000 }
    const since = { refundedPence: 0, takenBackPence: 0, isDisputed: false }
    const words = wordsOf(await invoicePdf({ ...facts, ...since, buyer, issuedAt: app.clock.now() }))
    expect(words).toContain(`To ${written} Description`)
  })

  test('is never changed: the database refuses it', async () => {
    const payment_method_id = await saveTherapistCard(app, token)
    await post('/therapist/subscription/subscribe', { payment_method_id })
    await expect(app.db.updateTable('invoices').set({ amount_pence: 1 }).execute()).rejects.toThrow()
    await expect(app.db.deleteFrom('invoices').execute()).rejects.toThrow()
  })
})

describe('the balance', () => {
  test('is nothing at first', async () => {
    expect((await get('/therapist/balance')).body).toEqual({
      paid_by_clients: 0,
      refunded: 0,
      returned_after_disputes: 0,
      discounts_borne_by_us: 0,
      paid_out: 0,
      owed: 0,
      held: 0,
      payouts_withheld: false,
      months: [],
    })
  })

  /** A statement of as many payments as `rows` says. */
  const longStatement = (rows: number) => {
    const at = new Date('2026-06-08T09:00:00Z')
    const entry = { at, what: 'Payment', clientPence: 6000, discountPence: 0, owedPence: 6000 }
    const about = { kind: 'Payment', sessionAt: null, service: '', reference: '', clientInitials: '' }
    return statementPdf({
      month: '2026-06',
      seller: 'Hearth',
      practitioner: 'Grace Holloway',
      openingPence: -123456,
      closingPence: 116544,
      lines: Array.from({ length: rows }, () => ({ ...entry, ...about })),
      madeAt: at,
      isOver: true,
    })
  }

  test('a long statement is drawn a few rows at a time, and others are served in between', async () => {
    // Loads the library and its fonts.
    await longStatement(1)
    const drawn = longStatement(300)
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const words = wordsOf(await drawn)
    clearImmediate(timer)
    expect(words.match(/Payment £60.00 £0.00 £60.00/g)).toHaveLength(300)
    expect(turns).toBeGreaterThanOrEqual(50)
  })

  test('a long statement has its head on each page, and large amounts have commas', async () => {
    const words = wordsOf(await longStatement(40))
    expect(words.match(/Date What Client Our share Owed to you/g)).toHaveLength(2)
    expect(words.match(/Payment £60.00 £0.00 £60.00/g)).toHaveLength(40)
    expect(words).toContain('Owed at the start –£1,234.56')
    expect(words).toContain('Balance at the end £1,165.44')
  })

  test('is what clients paid, less refunds, with discounts borne by the platform; a statement has each movement', async () => {
    const friend = await createClient(app)
    const client = await createClient(app, { name: 'Morgan Wells', referral_code: friend.referralCode })
    const { name: service } = await app.db
      .selectFrom('services')
      .select('name')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const first = await bookSession(app, { practitioner, client, startsAt: '2026-06-08T09:00:00Z' })
    const second = await bookSession(app, { practitioner, client, startsAt: '2026-06-09T09:00:00Z' })
    await app.call('POST', '/appointment/cancel-session', {
      token: client.token,
      body: { appointment_id: second },
    })
    // The statement leaves out other practitioners' sessions and the platform's charges.
    const other = await createPractitioner(app)
    await bookSession(app, { practitioner: other, client, startsAt: '2026-06-10T09:00:00Z' })
    const payment_method_id = await saveTherapistCard(app, token)
    await post('/therapist/subscription/subscribe', { payment_method_id })
    expect((await get('/therapist/balance')).body).toEqual({
      paid_by_clients: 108,
      refunded: 60,
      returned_after_disputes: 0,
      discounts_borne_by_us: 12,
      paid_out: 0,
      owed: 60,
      // The session is ahead.
      held: 60,
      payouts_withheld: false,
      months: ['2026-06'],
    })
    const { response, bytes } = await file('/therapist/statements/2026-06')
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const words = wordsOf(bytes)
    for (const said of [
      'Statement for June 2026 so far',
      'Owed so far £60.00',
      'session of 8 June 2026',
      '£48.00',
      '£12.00',
      '–£60.00',
    ])
      expect(words).toContain(said)
    const table = (await file('/therapist/statements/2026-06?format=csv')).bytes.toString()
    // Without it, Excel reads the file as Windows-1252.
    expect(table.startsWith('\uFEFF')).toBe(true)
    expect(table.trim().split('\r\n')).toEqual([
      '"Date","Time","What","Session date","Session time","Service","Reference","Client","Paid by client","Our share","Owed to you"',
      '"2026-06-01","","Balance at the start","","","","","","","","0.00"',
      `"2026-06-01","09:00","Payment","2026-06-08","10:00","${service}","${first}","M.W.","48.00","12.00","60.00"`,
      `"2026-06-01","09:00","Payment","2026-06-09","10:00","${service}","${second}","M.W.","60.00","0.00","60.00"`,
      `"2026-06-01","09:00","Refund","2026-06-09","10:00","${service}","${second}","M.W.","-60.00","0.00","-60.00"`,
      '"","","Balance so far","","","","","","","","60.00"',
    ])
    // The next month opens with this month's closing balance.
    app.clock.set('2026-07-02T09:00:00Z')
    token = await signInPractitioner(app, practitioner)
    const whole = await file('/therapist/statements/2026-06?format=csv')
    expect(whole.bytes.toString()).toContain('"","","Balance at the end","","","","","","","","60.00"')
    expect(wordsOf((await file('/therapist/statements/2026-06')).bytes)).toMatch(
      /Statement for June 2026 .*Owed at the end £60.00/,
    )
    expect((await file('/therapist/statements/2026-07?format=csv')).bytes.toString()).toContain(
      '"2026-07-01","","Balance at the start","","","","","","","","60.00"',
    )
    expect((await get('/therapist/statements/2026-08')).status).toBe(404)
    expect((await get('/therapist/statements/2026-13')).status).toBe(404)
    expect((await get('/therapist/statements/2026-07?format=doc')).status).toBe(422)
  })
})
