import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createAdmin, createClient, createPractitioner, signInPractitioner } from '#test/factories.ts'

describe('the back office', () => {
  let test: TestApp
  let token: string
  beforeEach(async () => {
    test = await buildTestApp()
    token = (await createAdmin(test)).token
  })
  afterEach(() => test.close())

  const found = async () => (await test.call('GET', '/practitioner/get-practitioners')).body.meta?.total
  const act = (id: number, action: string, body?: unknown) =>
    test.call('POST', `/admin/practitioners/${id}/${action}`, { token, body })
  const audit = async () => (await test.call('GET', '/admin/audit', { token })).body
  const log = () => test.db.selectFrom('audit_log').selectAll().execute()

  it('approves, suspends and reinstates; the search follows at once and everything is written down', async () => {
    const { id } = await createPractitioner(test, { state: 'submitted' })
    expect(await found()).toBe(0)
    expect((await act(id, 'approve')).body).toMatchObject({
      status: 'approved',
      reason: null,
      subscribed: true,
    })
    expect(await found()).toBe(1)
    const suspended = await act(id, 'suspend', { reason: 'A complaint is being looked into.' })
    expect(suspended.body).toMatchObject({ status: 'suspended', reason: 'A complaint is being looked into.' })
    expect(await found()).toBe(0)
    expect((await test.call('GET', `/practitioner/${id}/profile`)).status).toBe(404)
    expect((await act(id, 'reinstate')).body).toMatchObject({ status: 'approved', reason: null })
    expect(await found()).toBe(1)
    const { data, meta } = await audit()
    expect(meta).toEqual({ total: 3, page: 1, per_page: 50 })
    const entries = data as unknown as { action: string; subject: string; actor: string; reason: string }[]
    expect(entries.map((entry) => entry.action)).toEqual(['reinstate', 'suspend', 'approve'])
    expect(entries[1]).toMatchObject({
      subject: `practitioner ${id}`,
      reason: 'A complaint is being looked into.',
      actor: expect.stringContaining('Ada Admin'),
    })
  })

  it('refuses every other way and then changes nothing', async () => {
    const refused = {
      draft: ['approve', 'reject', 'suspend', 'reinstate'],
      submitted: ['suspend', 'reinstate'],
      approved: ['approve', 'reject', 'reinstate'],
      rejected: ['approve', 'reject', 'suspend', 'reinstate'],
      suspended: ['approve', 'reject', 'suspend'],
    } as const
    for (const [state, actions] of Object.entries(refused)) {
      const { id } = await createPractitioner(test, { state: state as keyof typeof refused })
      const before = await test.db.selectFrom('practitioners').selectAll().where('id', '=', id).execute()
      const listed = await found()
      for (const action of actions) {
        const answer = await act(id, action, { reason: 'Because.' })
        expect([state, action, answer.status, answer.body.code]).toEqual([
          state,
          action,
          409,
          'transition_refused',
        ])
      }
      expect(await test.db.selectFrom('practitioners').selectAll().where('id', '=', id).execute()).toEqual(
        before,
      )
      expect(await found()).toBe(listed)
    }
    expect(await log()).toEqual([])
  })

  it('rejects only with a reason', async () => {
    const { id } = await createPractitioner(test, { state: 'submitted' })
    for (const body of [{}, { reason: '  ' }, { reason: 7 }, { reason: 'x'.repeat(2001) }]) {
      expect((await act(id, 'reject', body)).status).toBe(422)
    }
    expect(await log()).toEqual([])
    expect((await act(id, 'reject', { reason: 'No such registration.' })).body).toMatchObject({
      status: 'rejected',
      reason: 'No such registration.',
    })
  })

  it('lists by state, longest waiting first, and shows what vetting needs', async () => {
    const first = await createPractitioner(test, { state: 'submitted' })
    test.clock.advance(1000)
    const second = await createPractitioner(test, { state: 'submitted' })
    await createPractitioner(test, { state: 'draft' })
    const list = await test.call('GET', '/admin/practitioners?status=submitted', { token })
    expect(list.body.meta?.total).toBe(2)
    expect(
      (list.body.data as unknown as { practitioner_id: number }[]).map((each) => each.practitioner_id),
    ).toEqual([first.id, second.id])
    const all = await test.call('GET', '/admin/practitioners', { token })
    expect(all.body.meta?.total).toBe(3)
    await test.db
      .updateTable('practitioners')
      .set({ date_of_birth: '1980-05-06', phone_code: '+44', phone_number: '7700900001' })
      .where('id', '=', first.id)
      .execute()
    const file = await test.call('GET', `/admin/practitioners/${first.id}`, { token })
    expect(file.body).toMatchObject({
      email: first.email,
      date_of_birth: '1980-05-06',
      phone: '+44 7700900001',
      provider_types: ['Psychiatrist'],
    })
    expect((await test.call('GET', '/admin/practitioners/99999999', { token })).status).toBe(404)
    expect((await act(99_999_999, 'approve')).status).toBe(404)
  })

  it('is closed to everybody else', async () => {
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
})
