import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry, QueueEntry } from '#contract/back-office/back-office.ts'
import { seconds } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createNewAdmin,
  createPractitioner,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { registerTherapist, uploadFile } from '#test/onboarding.ts'
import { pdf } from '#test/upload-samples.ts'
import { addAcceptedFacts, addDocument, addLicence, backOfficeAs } from '#test/vetting.ts'

let test: TestApp
let token: string
let backOffice: ReturnType<typeof backOfficeAs>
beforeEach(async () => {
  test = await buildTestApp()
  token = (await createAdmin(test)).token
  backOffice = backOfficeAs(test, token)
})
afterEach(() => test.close())

const found = async () => (await test.call('GET', '/practitioner/get-practitioners')).body.meta?.total
const audit = async (query = '') => {
  const { body } = await test.call('GET', `/admin/audit${query}`, { token })
  return body as unknown as { data: AuditEntry[]; meta: { total: number; actions: string[] } }
}
const log = () => test.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
const mails = () =>
  test.db.selectFrom('outgoing_mails').selectAll().where('template', 'like', 'vetting.%').execute()
const queue = async (query: string) => {
  const { body } = await test.call('GET', `/admin/practitioners${query}`, { token })
  return body as unknown as {
    data: QueueEntry[]
    meta: { total: number; counts: Record<string, number> }
  }
}
const idsIn = async (query: string) => (await queue(query)).data.map((each) => each.practitioner_id)
const statusAndCode = ({ status, body }: Answer) => [status, body?.code]

describe('the life of a profile', () => {
  it('is approved, suspended and reinstated; the search follows at once and everything is written down', async () => {
    const practitioner = await createPractitioner(test, { state: 'submitted' })
    const { id } = practitioner
    await addAcceptedFacts(test, practitioner)
    expect(await found()).toBe(0)
    expect((await backOffice.act(id, 'approve')).body).toMatchObject({
      status: 'approved',
      reason: null,
      subscribed: true,
      listed: true,
    })
    expect(await found()).toBe(1)
    const suspended = await backOffice.act(id, 'suspend', { reason: 'A complaint is being looked into.' })
    expect(suspended.body).toMatchObject({
      status: 'suspended',
      reason: 'A complaint is being looked into.',
      listed: false,
    })
    expect(await found()).toBe(0)
    expect((await test.call('GET', `/practitioner/${id}/profile`)).status).toBe(404)
    expect((await backOffice.act(id, 'reinstate')).body).toMatchObject({ status: 'approved', reason: null })
    expect(await found()).toBe(1)
    const { data, meta } = await audit()
    expect(meta.total).toBe(3)
    expect(data.map((entry) => entry.action)).toEqual(['reinstate', 'suspend', 'approve'])
    expect(data[1]).toMatchObject({
      subject: `practitioner ${id}`,
      practitioner_id: id,
      reason: 'A complaint is being looked into.',
      actor: expect.stringContaining('Ada Admin'),
    })
  })

  it('goes no other way, and then nothing changes', async () => {
    const refused = {
      draft: ['approve', 'reject', 'suspend', 'reinstate'],
      submitted: ['suspend', 'reinstate'],
      approved: ['approve', 'reject', 'reinstate'],
      rejected: ['approve', 'reject', 'suspend', 'reinstate'],
      suspended: ['approve', 'reject', 'suspend'],
    } as const
    for (const [state, actions] of Object.entries(refused)) {
      const { id } = await createPractitioner(test, { state: state as keyof typeof refused })
      const before = await fingerprint(test.db)
      for (const action of actions) {
        const answer = await backOffice.act(id, action, { reason: 'Because.' })
        expect([state, action, ...statusAndCode(answer)]).toEqual([state, action, 409, 'transition_refused'])
      }
      expect(await fingerprint(test.db)).toEqual(before)
    }
    expect(await log()).toEqual([])
  })

  it('needs every fact accepted before it is approved, and says in words what is missing', async () => {
    const practitioner = await createPractitioner(test, { state: 'submitted' })
    const { id } = practitioner
    await test.db.updateTable('practitioners').set({ has_indemnity: true }).where('id', '=', id).execute()
    const approve = () => backOffice.act(id, 'approve')
    const before = await fingerprint(test.db)
    const refused = await approve()
    expect(statusAndCode(refused)).toEqual([409, 'facts_missing'])
    expect(refused.body.details?.missing).toEqual([
      'There is no identity document.',
      'There is no DBS certificate.',
      'There is no licence.',
      'There is no insurance certificate.',
    ])
    expect(await fingerprint(test.db)).toEqual(before)

    const identity = await addDocument(test, practitioner, 'identity')
    const dbs = await addDocument(test, practitioner, 'dbs')
    const licence = await addLicence(test, practitioner)
    const insurance = await addDocument(test, practitioner, 'insurance_certificate')
    await backOffice.document(id, dbs, 'refuse', { reason: 'It is cut off.' })
    expect((await approve()).body.details?.missing).toEqual([
      'The identity document is waiting for your decision.',
      'The DBS certificate was refused, and no other has been sent.',
      'A licence is waiting for your decision.',
      'The insurance certificate is waiting for your decision.',
    ])
    const another = await addDocument(test, practitioner, 'dbs')
    const undated = await backOffice.document(id, insurance, 'accept')
    expect([undated.status, Object.keys(undated.body.errors ?? {})]).toEqual([422, ['expires_on']])
    for (const document of [identity, another, insurance]) {
      const body = document === insurance ? { expires_on: '2030-01-01' } : undefined
      expect((await backOffice.document(id, document, 'accept', body)).status).toBe(200)
      expect(statusAndCode(await approve())).toEqual([409, 'facts_missing'])
    }
    await backOffice.licence(id, licence, 'accept')
    expect((await approve()).body).toMatchObject({ status: 'approved', missing: [] })
    expect(await found()).toBe(1)
  })

  it('is about the profile as it was read', async () => {
    const { id } = await createPractitioner(test, { state: 'submitted' })
    const read = (await backOffice.file(id)).body.status_since
    await backOffice.act(id, 'reject', { reason: 'The photograph is blurred.', status_since: read })
    test.clock.advance(seconds(60))
    // Sent again, with another photograph.
    const change = { state: 'submitted', state_changed_at: test.clock.now() } as const
    await test.db.updateTable('practitioners').set(change).where('id', '=', id).execute()
    for (const act of ['reject', 'approve']) {
      const refused = await backOffice.act(id, act, { reason: 'It is blurred.', status_since: read })
      expect([refused.status, refused.body.code]).toEqual([409, 'changed_elsewhere'])
    }
    expect((await backOffice.file(id)).body).toMatchObject({ status: 'submitted' })
    const { status_since } = (await backOffice.file(id)).body
    const decided = await backOffice.act(id, 'reject', { reason: 'It shows two people.', status_since })
    expect(decided.body.status).toBe('rejected')
  })

  it.each(['suspend', 'close'])(
    '%s changes nothing of a profile that was decided on meanwhile',
    async (act) => {
      const practitioner = await createPractitioner(test)
      const { id } = practitioner
      const client = await createClient(test)
      const card = await saveCard(test, client)
      await bookSession(test, { practitioner, client, card, startsAt: '2026-06-20T12:00:00Z' })
      const reason = 'A complaint was made.'
      const read = (await backOffice.file(id)).body.status_since
      // Another admin freezes the sessions, clears it up and reinstates.
      test.clock.advance(seconds(60))
      await backOffice.act(id, 'suspend', { reason })
      await backOffice.act(id, 'reinstate')
      const before = await fingerprint(test.db)
      const wanted = { reason, ...(act === 'suspend' && { sessions: 'cancel' }) }
      const refused = await backOffice.act(id, act, { ...wanted, status_since: read })
      expect(statusAndCode(refused)).toEqual([409, 'changed_elsewhere'])
      expect(await fingerprint(test.db)).toEqual(before)
      const { status_since } = (await backOffice.file(id)).body
      const decided = await backOffice.act(id, act, { ...wanted, status_since })
      expect(decided.body).toMatchObject({
        status: act === 'suspend' ? 'suspended' : 'closed',
        sessions: { cancelled: 1 },
      })
    },
  )

  it('ends in a refusal only with a reason', async () => {
    const { id } = await createPractitioner(test, { state: 'submitted' })
    for (const body of [{}, { reason: '  ' }, { reason: 7 }, { reason: 'x'.repeat(2001) }]) {
      expect((await backOffice.act(id, 'reject', body)).status).toBe(422)
    }
    expect(await log()).toEqual([])
    expect((await backOffice.act(id, 'reject', { reason: 'No such registration.' })).body).toMatchObject({
      status: 'rejected',
      reason: 'No such registration.',
    })
  })
})

describe('the name of a practitioner', () => {
  const married = { first_name: 'Priya', last_name: 'Shah', reason: 'A new passport, seen today.' }

  it.each(['submitted', 'approved', 'suspended'] as const)(
    'is changed by an admin once %s',
    async (state) => {
      const practitioner = await createPractitioner(test, { state, firstName: 'Priya', lastName: 'Patel' })
      const { id } = practitioner
      await addAcceptedFacts(test, practitioner)
      const facts = async () => (await backOffice.file(id)).body.documents
      const before = await facts()
      expect((await backOffice.act(id, 'rename', married)).body).toMatchObject({
        full_name: 'Priya Shah',
        status: state,
      })
      expect((await backOffice.act(id, 'rename', { ...married, reason: 'Again.' })).status).toBe(200)
      expect(await facts()).toEqual(before)
      expect(
        (await log()).map(({ action, practitioner_id, reason }) => [action, practitioner_id, reason]),
      ).toEqual([['rename', id, married.reason]])
      if (state !== 'approved') return
      const profile = await test.call('GET', `/practitioner/${id}/profile`)
      expect(profile.body.full_name).toBe('Priya Shah')
      const byName = await test.call('GET', '/practitioner/get-practitioners?name=Shah')
      expect(byName.body.meta?.total).toBe(1)
    },
  )

  it.each([
    ['a draft', { state: 'draft' }, married, [409, 'not_changeable']],
    ['a rejected profile', { state: 'rejected' }, married, [409, 'not_changeable']],
    ['no name', { state: 'approved' }, { ...married, last_name: ' ' }, [422, 'validation_failed']],
    ['no reason', { state: 'approved' }, { ...married, reason: ' ' }, [422, 'validation_failed']],
  ] as const)('is left of %s', async (_what, profile, body, refusal) => {
    const { id } = await createPractitioner(test, profile)
    const before = await fingerprint(test.db)
    expect(statusAndCode(await backOffice.act(id, 'rename', body))).toEqual(refusal)
    expect((await backOffice.act(id + 100, 'rename', married)).status).toBe(404)
    expect(await fingerprint(test.db)).toEqual(before)
  })

  it('is left of a closed profile', async () => {
    const { id } = await createPractitioner(test)
    expect((await backOffice.act(id, 'close', { reason: 'They have left.' })).status).toBe(200)
    const before = await fingerprint(test.db)
    expect(statusAndCode(await backOffice.act(id, 'rename', married))).toEqual([409, 'not_changeable'])
    expect(await fingerprint(test.db)).toEqual(before)
  })
})

describe('the queue', () => {
  it('lists practitioners who wait for a decision, longest first, with counts', async () => {
    const submitted = await createPractitioner(test, { state: 'submitted' })
    test.clock.advance(seconds(1))
    const changed = await createPractitioner(test)
    await addLicence(test, changed)
    test.clock.advance(seconds(1))
    const suspended = await createPractitioner(test, { state: 'suspended' })
    await addDocument(test, suspended, 'dbs')
    for (const state of ['draft', 'rejected', 'approved'] as const) {
      const other = await createPractitioner(test, { state })
      if (state !== 'approved') await addDocument(test, other, 'dbs')
    }
    const { data, meta } = await queue('?waiting=true')
    expect(data.map((each) => [each.practitioner_id, each.waiting_facts])).toEqual([
      [submitted.id, 0],
      [changed.id, 1],
      [suspended.id, 1],
    ])
    expect(data.map((each) => each.waiting_since)).toEqual([
      '2026-06-01T08:00:00.000Z',
      '2026-06-01T08:00:01.000Z',
      '2026-06-01T08:00:02.000Z',
    ])
    expect(meta).toMatchObject({
      total: 3,
      counts: { waiting: 3, draft: 1, submitted: 1, approved: 2, rejected: 1, suspended: 1 },
    })
    expect(await idsIn('?status=submitted')).toEqual([submitted.id])
    expect((await queue('')).meta.total).toBe(6)
  })

  it('is searched by part of a name or email, taken as it is written', async () => {
    const one = await createPractitioner(test, { firstName: 'Niamh', lastName: "O'Hara_100%" })
    const two = await createPractitioner(test, { firstName: 'Bob', lastName: 'Stone' })
    expect(await idsIn(`?search=${encodeURIComponent("niamh o'h")}`)).toEqual([one.id])
    expect(await idsIn(`?search=${encodeURIComponent('_100%')}`)).toEqual([one.id])
    expect(await idsIn(`?search=${two.email.slice(0, -4)}`)).toEqual([two.id])
    expect(await idsIn('?search=%25')).toEqual([one.id])
    expect(await idsIn('?search=nobody')).toEqual([])
  })

  it('leads to what vetting needs', async () => {
    const practitioner = await createPractitioner(test, { state: 'submitted' })
    const document = await addDocument(test, practitioner, 'dbs', { expiresOn: '2028-01-31' })
    await addLicence(test, practitioner)
    await test.db
      .updateTable('practitioners')
      .set({ date_of_birth: '1980-05-06', phone_code: '+44', phone_number: '7700900001' })
      .where('id', '=', practitioner.id)
      .execute()
    const file = await backOffice.file(practitioner.id)
    expect(file.body).toMatchObject({
      email: practitioner.email,
      date_of_birth: '1980-05-06',
      phone: '+44 7700900001',
      provider_types: ['Psychiatrist'],
      languages: ['English'],
      cities: ['Leeds'],
      documents: [{ document_id: document, kind: 'dbs', status: 'waiting', expires_on: '2028-01-31' }],
      licences: [{ status: 'waiting', provider_type: 'Psychiatrist' }],
      vetted_until: null,
      listed: false,
    })
    expect((await backOffice.file(99_999_999)).status).toBe(404)
    expect((await backOffice.act(99_999_999, 'approve')).status).toBe(404)
  })
})

describe('a private document', () => {
  it('is shown for a minute by a link, and each look is written down', async () => {
    const therapist = await registerTherapist(test)
    const content = pdf()
    const sent = await uploadFile(test, '/therapist/upload-profile-dbs', { token: therapist.token, content })
    const document = String(sent.body.documents[0].document_id)
    const link = await backOffice.document(therapist.id, document, 'link')
    expect(link.body).toMatchObject({ content_type: 'application/pdf' })
    const show = () => fetch(`${test.origin}${String(link.body.url)}`)
    const shown = await show()
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(Buffer.from(await shown.arrayBuffer()).equals(Buffer.from(content))).toBe(true)
    test.clock.advance(seconds(60))
    expect((await show()).status).toBe(404)
    expect(await log()).toMatchObject([
      {
        action: 'look at document',
        practitioner_id: therapist.id,
        subject: `DBS certificate (${document}) of practitioner ${therapist.id}`,
      },
    ])
    await backOffice.document(therapist.id, document, 'link')
    expect(await log()).toHaveLength(2)
  })

  it('is not found under another practitioner and is refused to all but admins; nothing is written then', async () => {
    const practitioner = await createPractitioner(test)
    const other = await createPractitioner(test)
    const document = await addDocument(test, practitioner, 'identity')
    const licence = await addLicence(test, practitioner)
    const therapist = await signInPractitioner(test, practitioner)
    const client = (await createClient(test)).token
    const unproven = (await createNewAdmin(test)).token
    const before = await fingerprint(test.db)
    for (const action of ['link', 'accept', 'refuse', 'reopen']) {
      const body = { reason: 'Because.' }
      expect((await backOffice.document(other.id, document, action, body)).status).toBe(404)
      expect((await backOffice.document(practitioner.id, crypto.randomUUID(), action, body)).status).toBe(404)
      if (action !== 'link') {
        expect((await backOffice.licence(other.id, licence, action, body)).status).toBe(404)
      }
      for (const [stranger, status] of [
        [therapist, 403],
        [client, 403],
        [unproven, 403],
        ['', 401],
      ] as const) {
        const answer = await backOfficeAs(test, stranger).document(practitioner.id, document, action, body)
        expect([action, stranger, answer.status]).toEqual([action, stranger, status])
      }
    }
    expect(await fingerprint(test.db)).toEqual(before)
  })
})

describe('a fact', () => {
  it('is decided once, and the second decision is refused as a conflict', async () => {
    const practitioner = await createPractitioner(test)
    const { id } = practitioner
    const document = await addDocument(test, practitioner, 'dbs')
    const licence = await addLicence(test, practitioner)
    const decisions = await Promise.all([
      backOffice.document(id, document, 'accept'),
      backOffice.document(id, document, 'refuse', { reason: 'It is cut off.' }),
      backOffice.licence(id, licence, 'accept'),
      backOffice.licence(id, licence, 'accept'),
    ])
    expect(decisions.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    expect(await log()).toHaveLength(2)
    expect(await mails()).toHaveLength(2)
  })

  it('that was accepted by mistake waits again until the profile is approved, with a reason in the audit log', async () => {
    const practitioner = await createPractitioner(test, { state: 'submitted' })
    const { id } = practitioner
    const document = await addDocument(test, practitioner, 'dbs')
    const licence = await addLicence(test, practitioner)
    const reason = { reason: 'It is of another person.' }
    expect((await backOffice.document(id, document, 'reopen', reason)).status).toBe(409)
    await backOffice.document(id, document, 'accept', { expires_on: '2029-03-31' })
    await backOffice.licence(id, licence, 'accept')
    const unfounded = await backOffice.document(id, document, 'reopen', { reason: ' ' })
    expect(unfounded.status).toBe(422)
    // The practitioner is not told.
    expect(unfounded.body.errors).toEqual({ reason: ['Give a reason: it is kept in the audit log.'] })
    const { body } = await backOffice.document(id, document, 'reopen', reason)
    expect(body.documents).toMatchObject([{ status: 'waiting', reason: null, expires_on: '2029-03-31' }])
    expect(body.vetted_until).toBeNull()
    expect((await backOffice.licence(id, licence, 'reopen', reason)).body.licences).toMatchObject([
      { status: 'waiting', reason: null },
    ])
    expect((await audit()).data.slice(0, 2)).toMatchObject([
      { action: 'reopen licence', practitioner_id: id, ...reason },
      { action: 'reopen document', practitioner_id: id, ...reason },
    ])
    expect(await mails()).toEqual([])
    expect((await backOffice.document(id, document, 'refuse', reason)).status).toBe(200)

    const second = await addDocument(test, practitioner, 'identity', { state: 'accepted' })
    await addDocument(test, practitioner, 'identity')
    const before = await fingerprint(test.db)
    expect((await backOffice.document(id, second, 'reopen', reason)).body.message).toContain('A newer one')
    expect(await fingerprint(test.db)).toEqual(before)
    const approved = await createPractitioner(test)
    const counted = await addDocument(test, approved, 'dbs', { state: 'accepted' })
    const unchanged = await fingerprint(test.db)
    expect(statusAndCode(await backOffice.document(approved.id, counted, 'reopen', reason))).toEqual([
      409,
      'transition_refused',
    ])
    expect(await fingerprint(test.db)).toEqual(unchanged)
  })

  it('is not decided while the profile is a draft', async () => {
    const practitioner = await createPractitioner(test, { state: 'draft' })
    const document = await addDocument(test, practitioner, 'dbs')
    const before = await fingerprint(test.db)
    expect((await backOffice.document(practitioner.id, document, 'accept')).status).toBe(409)
    expect(await fingerprint(test.db)).toEqual(before)
  })

  it('takes the place of the one before once it is accepted; refused, the one before still counts', async () => {
    const practitioner = await createPractitioner(test)
    const { id } = practitioner
    const old = await addDocument(test, practitioner, 'dbs', { state: 'accepted', expiresOn: '2026-12-31' })
    const cutOff = await addDocument(test, practitioner, 'dbs')
    await backOffice.document(id, cutOff, 'refuse', { reason: 'It is cut off.' })
    const states = async () =>
      Object.fromEntries(
        (await test.db.selectFrom('practitioner_documents').select(['id', 'state']).execute()).map((row) => [
          row.id,
          row.state,
        ]),
      )
    expect(await states()).toEqual({ [old]: 'accepted', [cutOff]: 'refused' })
    test.clock.advance(seconds(1))
    const newer = await addDocument(test, practitioner, 'dbs')
    const { body } = await backOffice.document(id, newer, 'accept', { expires_on: '2029-03-31' })
    expect(await states()).toEqual({ [old]: 'replaced', [cutOff]: 'replaced', [newer]: 'accepted' })
    expect(body.documents).toMatchObject([{ document_id: newer, expires_on: '2029-03-31' }])
    expect(body.vetted_until).toBe('2029-03-31T23:00:00.000Z')
    // Their files go, and with them what is left of the old ones.
    await test.services.documents.tidy()
    expect(await states()).toEqual({ [newer]: 'accepted' })
  })

  it('that has run out already is not accepted', async () => {
    const practitioner = await createPractitioner(test)
    const document = await addDocument(test, practitioner, 'dbs', { expiresOn: '2026-05-31' })
    const before = await fingerprint(test.db)
    for (const body of [{}, { expires_on: '2026-05-31' }]) {
      const answer = await backOffice.document(practitioner.id, document, 'accept', body)
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['expires_on']])
    }
    expect(await fingerprint(test.db)).toEqual(before)
    expect(
      (await backOffice.document(practitioner.id, document, 'accept', { expires_on: '2026-06-01' })).status,
    ).toBe(200)
  })
})

describe('the audit log', () => {
  it('is paged, and filtered by action, practitioner and who it was', async () => {
    const [one, two] = [await createPractitioner(test), await createPractitioner(test)]
    const bob = await createAdmin(test)
    await test.db.updateTable('accounts').set({ first_name: 'Bob' }).where('id', '=', bob.id).execute()
    for (let round = 0; round < 26; round++) {
      await backOffice.act(one.id, 'suspend', { reason: `Round ${round}` })
      await backOffice.act(one.id, 'reinstate')
    }
    await backOfficeAs(test, bob.token).act(two.id, 'suspend', { reason: 'By Bob' })
    expect(await audit()).toMatchObject({ meta: { total: 53, actions: ['reinstate', 'suspend'] } })
    expect((await audit('?page=2')).data.map((entry) => entry.reason)).toEqual(['Round 1', null, 'Round 0'])
    expect((await audit('?action=suspend')).meta.total).toBe(27)
    expect((await audit(`?practitioner_id=${two.id}`)).data.map((entry) => entry.reason)).toEqual(['By Bob'])
    expect((await audit('?actor=bob')).meta.total).toBe(1)
    expect((await audit('?actor=nobody')).data).toEqual([])
  })

  it('names who acted without an account by a word, and always one of the two', async () => {
    const entry = { action: 'reset sign-in', subject: 'ada@example.test' }
    await inTransaction(test.db, (tx) =>
      test.services.backOffice.note(tx, { operator: 'operator on the server' }, entry),
    )
    expect((await audit('?actor=operator')).data).toMatchObject([
      { ...entry, actor: 'operator on the server', practitioner_id: null },
    ])
    expect((await audit()).meta.total).toBe(1)
    const { id } = await createAdmin(test)
    for (const nobody of [
      { actor_id: null, actor_name: null },
      { actor_id: id, actor_name: 'operator' },
    ]) {
      const insertion = test.db
        .insertInto('audit_log')
        .values({ at: test.clock.now(), ...entry, ...nobody })
        .execute()
      await expect(insertion).rejects.toThrow('audit_log_actor_known')
    }
    expect(await log()).toHaveLength(1)
  })

  it('cannot be changed, not even by the database’s own owner', async () => {
    const { id } = await createPractitioner(test)
    await backOffice.act(id, 'suspend', { reason: 'Because.' })
    const before = await log()
    for (const statement of [
      sql`update audit_log set action = 'nothing'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ]) {
      await expect(statement.execute(test.db)).rejects.toThrow('append-only')
    }
    expect(await log()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  it('has no entry of what did not happen', async () => {
    const { id } = await createPractitioner(test, { state: 'submitted' })
    await backOffice.act(id, 'approve')
    await backOffice.act(id, 'suspend', { reason: 'Because.' })
    expect(await log()).toEqual([])
    expect(await mails()).toEqual([])
  })
})

it('the back office is closed to visitors, clients and practitioners', async () => {
  const practitioner = await createPractitioner(test, { state: 'submitted' })
  const strangers = [
    [undefined, 401],
    [(await createClient(test)).token, 403],
    [await signInPractitioner(test, practitioner), 403],
  ] as const
  for (const [stranger, status] of strangers) {
    for (const [method, path] of [
      ['GET', '/admin/practitioners'],
      ['GET', `/admin/practitioners/${practitioner.id}`],
      ['POST', `/admin/practitioners/${practitioner.id}/approve`],
      ['GET', '/admin/audit'],
    ] as const) {
      expect((await test.call(method, path, { token: stranger })).status).toBe(status)
    }
  }
  expect(await log()).toEqual([])
})
