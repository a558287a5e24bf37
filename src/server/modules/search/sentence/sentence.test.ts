import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createPractitioner } from '#test/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ rateLimitScale: 1 })
})
afterAll(() => app.close())

const parse = (q: unknown, address = '192.0.2.1') =>
  app.call('POST', '/search/parse', { body: { q }, headers: { 'x-forwarded-for': address } })

/** Sends the form of a page without scripts. */
async function sendForm(q: string, query = '', address = '192.0.2.2') {
  return app.app.inject({
    method: 'POST',
    url: `/found-therapists${query}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    payload: new URLSearchParams({ q }).toString(),
  })
}

describe('POST /search/parse', () => {
  test('reads a sentence as filters and names what it did not use', async () => {
    const answer = await parse('female CBT therapist for panic attacks under £60, evenings')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      filters: { gender: 'Female', provider_id: [4], issue_id: [4], max_price: 60 },
      used: [
        { text: 'female', filter: 'gender', id: 'Female' },
        { text: 'CBT therapist', filter: 'provider_id', id: 4 },
        { text: 'panic attacks', filter: 'issue_id', id: 4 },
        { text: 'under £60', filter: 'price', id: null },
      ],
      unused: ['evenings'],
      ask: null,
      safety: false,
    })
  })

  test('counts days by the clock of London', async () => {
    app.clock.set('2026-06-10T23:30:00Z')
    expect((await parse('tonight')).body.filters).toEqual({ date_from: '2026-06-11', date_to: '2026-06-11' })
  })

  test('finds the name of a listed practitioner, and of no other', async () => {
    await createPractitioner(app, { firstName: 'Priya', lastName: 'Nwosu' })
    await createPractitioner(app, { firstName: 'Mateo', lastName: 'Young' })
    app.clock.advance(120_000)
    const found = await parse('Priya Nwosu, online')
    expect(found.body).toMatchObject({ filters: { name: 'Priya Nwosu', session_type: 'online' }, unused: [] })
    expect((await parse('mateo young')).body.filters).toEqual({ name: 'mateo young' })
    // A name of two people, an ordinary word, a name that is not there, and a story.
    for (const sentence of [
      'Priya Young',
      'young',
      'Przemyslaw',
      'Priya from next door helped her sister once',
    ]) {
      expect((await parse(sentence)).body.filters).toEqual({})
    }
  })

  test('reads the whole name of a listed practitioner as a name, though a part is a town or a language', async () => {
    await createPractitioner(app, { firstName: 'Grace', lastName: 'Holloway' })
    await createPractitioner(app, { firstName: 'Chelsea', lastName: 'Van Hughes' })
    await createPractitioner(app, { firstName: 'Shona', lastName: 'Fraser' })
    app.clock.advance(120_000)
    expect((await parse('I would like to see grace Holloway')).body).toMatchObject({
      filters: { name: 'grace Holloway' },
      used: [{ text: 'grace Holloway', filter: 'name', id: null }],
      unused: [],
    })
    expect((await parse('Shona Fraser, online, for anxiety')).body.filters).toEqual({
      name: 'Shona Fraser',
      session_type: 'online',
      issue_id: [1],
    })
    expect((await parse('Chelsea Van Hughes')).body.filters).toEqual({ name: 'Chelsea Van Hughes' })
    expect((await parse('anyone but Shona Fraser')).body.filters).not.toHaveProperty('name', 'Shona Fraser')
    // Two people, a place that is led to, and a story.
    const near = { near: 'Holloway', session_type: 'face_to_face' }
    expect((await parse('Shona Holloway')).body.filters).toMatchObject(near)
    expect((await parse('grace, in Holloway')).body.filters).toMatchObject(near)
    const story = await parse('Grace Holloway helped my sister once when she lost her dog')
    expect(story.body.filters).not.toHaveProperty('name')
  })

  test('looks for no name in a sentence of danger', async () => {
    expect((await parse('i want to die. priya')).body).toMatchObject({ filters: {}, safety: true })
  })

  test('does not find the name of a practitioner whose listing has ended', async () => {
    const { id } = await createPractitioner(app, { firstName: 'Aurelie', lastName: 'Fontaine' })
    app.clock.advance(120_000)
    expect((await parse('Aurélie Fontaine')).body.filters).toEqual({ name: 'Aurélie Fontaine' })
    await sql`update practitioner_search set listed_until = ${app.clock.now()} where practitioner_id = ${id}`.execute(
      app.db,
    )
    expect((await parse('Aurélie Fontaine')).body).toMatchObject({
      filters: {},
      unused: ['Aurélie Fontaine'],
    })
  })

  test('takes no more than 300 characters, and 60 sentences a minute from an address', async () => {
    expect((await parse('x'.repeat(301))).body.errors).toEqual({ q: ['Keep it to 300 characters.'] })
    expect((await parse('   ')).status).toBe(422)
    const address = '192.0.2.3'
    for (let sent = 0; sent < 60; sent++) expect((await parse('anxiety', address)).status).toBe(200)
    expect((await parse('anxiety', address)).status).toBe(429)
    expect((await sendForm('anxiety', '', address)).statusCode).toBe(429)
  })
})

describe('the form of a page without scripts', () => {
  test('leads to the results of its filters, with those of the page that it does not name', async () => {
    const answer = await sendForm(
      'anxiety, max £70',
      '?issue_id=2&gender=Female&max_price=40&min_price=20&page=3',
    )
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/found-therapists?gender=Female&issue_id=1&max_price=70')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('leads back to the page where it says nothing, or is no form', async () => {
    expect((await sendForm('', '?issue_id=2')).headers.location).toBe('/found-therapists?issue_id=2')
    const other = await app.app.inject({
      method: 'POST',
      url: '/found-therapists',
      payload: { q: 'anxiety' },
    })
    expect([other.statusCode, other.headers.location]).toEqual([303, '/found-therapists'])
  })

  test('leads to the hint that words are left, and has none of them in the address', async () => {
    for (const [sentence, query] of [
      ['qwertz asdf', ''],
      ['anxiety, not a woman', '?issue_id=1'],
      ['someone in Newport', ''],
    ] as const) {
      expect((await sendForm(sentence)).headers.location).toBe(`/found-therapists${query}#left-words`)
    }
  })

  test('is answered by the emergency numbers where it speaks of danger, with the way to the results', async () => {
    const answer = await sendForm('i want to kill myself, depressed')
    expect(answer.statusCode).toBe(200)
    for (const number of ['tel:999', 'tel:111', 'tel:116123']) expect(answer.body).toContain(number)
    expect(answer.body).toContain('href="/found-therapists?issue_id=2"')
    expect(answer.body).not.toContain('kill myself')
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

test('no word of a sentence is in a log line, a table or an error', async () => {
  const marker = 'zyxwmarker'
  await createPractitioner(app)
  const sentences = [
    `anxiety ${marker}`,
    `i want to die ${marker}`,
    marker,
    `${marker} `.repeat(40),
    `\u0000${marker}`,
  ]
  const answers = await Promise.all(sentences.map((sentence) => parse(sentence)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422, 422])
  for (const { body } of answers.slice(3)) expect(JSON.stringify(body)).not.toContain(marker)
  const broken = await app.call('POST', '/search/parse', { raw: `{"q": "${marker}` })
  expect(broken.status).toBe(400)
  expect(JSON.stringify(broken.body)).not.toContain(marker)
  const form = await sendForm(`anxiety ${marker}`)
  expect(form.headers.location).not.toContain(marker)
  expect((await sendForm(`suicidal ${marker}`)).body).not.toContain(marker)

  expect(app.logged()).toContain('/search/parse')
  expect(app.logged()).not.toContain(marker)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(app.db)
  expect(tables.length).toBeGreaterThan(90)
  for (const { name } of tables) {
    const { rows } =
      await sql`select 1 from ${sql.raw(name)} t where t::text like ${`%${marker}%`} limit 1`.execute(app.db)
    expect(rows, name).toEqual([])
  }
})
