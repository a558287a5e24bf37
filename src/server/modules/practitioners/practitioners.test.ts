import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { weekNames } from '#contract/common.ts'
import { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { PractitionerList } from '#contract/search.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  signInPractitioner,
} from '#test/factories.ts'

describe('a public profile', () => {
  let test: TestApp
  beforeEach(async () => {
    test = await buildTestApp()
  })
  afterEach(() => test.close())

  const profileOf = async (id: number) => {
    const answer = await test.call('GET', `/practitioner/${id}/profile`)
    expect(answer.status).toBe(200)
    return { raw: JSON.stringify(answer.body), profile: PractitionerProfile.parse(answer.body) }
  }

  it('tells everything that a client chooses by', async () => {
    const { id } = await createPractitioner(test, { firstName: 'Niamh', lastName: "O'Hara" })
    const { db } = test
    await db
      .insertInto('practitioner_licenses')
      .values({
        practitioner_id: id,
        provider_type_id: 1,
        license_body_id: 1,
        license_number: '9123456',
        state: 'accepted',
        created_at: test.clock.now(),
      })
      .execute()
    await db
      .insertInto('reviews')
      .values([
        {
          practitioner_id: id,
          reviewer: 'J.',
          rating: 5,
          comment: 'Kind.',
          created_at: new Date('2026-01-02'),
        },
        {
          practitioner_id: id,
          reviewer: 'M.',
          rating: 4,
          comment: 'Clear.',
          created_at: new Date('2026-03-02'),
        },
      ])
      .execute()
    const { profile } = await profileOf(id)
    expect(profile).toMatchObject({
      practitioner_id: id,
      id,
      full_name: "Niamh O'Hara",
      min_fee: 60,
      max_fee: 80,
      reviews_rating: 4.5,
      reviews_total: 2,
      licence_number: '9123456',
      session_types: ['online', 'face_to_face'],
      languages_list: ['English'],
      next_available: { online: '2026-06-01T09:00:00.000Z' },
    })
    expect(profile.reviews_list.map((review) => review.reviewer)).toEqual(['M.', 'J.'])
    expect(profile.services.online).toEqual([
      { service_id: 1, service_name: expect.any(String), duration: 50, fee: 60, appointment_type: 'online' },
    ])
    const services = await test.call('GET', `/practitioner/${id}/service-types`)
    expect(services.body).toEqual(profile.services)
  })

  it('carries every public field of a practitioner that the specification names', async () => {
    const { id, locationId, ...practitioner } = await createPractitioner(test)
    await test.db
      .insertInto('practitioner_therapy_types')
      .values({ practitioner_id: id, therapy_type_id: 1 })
      .execute()
    await test.db
      .updateTable('practitioners')
      .set({ insurance_certificate_expires: '2027-01-31' })
      .where('id', '=', id)
      .execute()
    const token = await signInPractitioner(test, { id, locationId, ...practitioner })
    const saved = await test.call('POST', '/therapist/setup-schedule', {
      token,
      body: weekNames.map((week_name) => ({
        week_name,
        online: week_name === 'Mon' ? [{ timeslot: '11:00' }, { timeslot: '10:00' }] : [],
        face_to_face: week_name === 'Mon' ? [{ timeslot: '11:00', location_id: locationId }] : [],
      })),
    })
    expect(saved.body).toBe('success')

    const hours = { Mon: ['10:00', '11:00'], Tue: [], Wed: [], Thr: [], Fri: [], Sut: [], Sun: [] }
    const issues = await test.db
      .selectFrom('practitioner_issues')
      .innerJoin('issues', 'issues.id', 'issue_id')
      .select(['issue_id', 'issues.name as issue_name'])
      .where('practitioner_id', '=', id)
      .orderBy('issue_id')
      .execute()
    expect(issues).not.toEqual([])
    const { profile } = await profileOf(id)
    expect(profile).toMatchObject({
      available_hours: hours,
      insurance_certificates: [{ expires: '2027-01-31' }],
      insurance_certificate: { expires: '2027-01-31' },
      issue: issues,
      issues,
    })
    expect(profile.therapist_approaches).toEqual([
      {
        therapy_approach_id: 1,
        therapy_approach_name: expect.any(String),
        therapy_type_id: 1,
        therapy_type_name: profile.therapist_approaches[0]?.therapy_approach_name,
      },
    ])
    for (const field of fieldsOfSpecification) expect(profile).toHaveProperty(field)
    const withoutTimes = await test.call('GET', `/therapist/${id}/get-profile`)
    const { next_available: _free, ...lasting } = profile
    expect(withoutTimes.body).toEqual(lasting)
    const found = await test.call('GET', '/practitioner/get-practitioners')
    const [card] = PractitionerList.parse(found.body).data
    expect(card).toMatchObject({ practitioner_id: id, available_hours: hours })
  })

  it('a public profile shows the district of a practice, and only the town of an online-only practitioner', async () => {
    const practice = await createPractitioner(test)
    const shown = await profileOf(practice.id)
    expect(shown.profile.addresses).toEqual([
      {
        id: practice.locationId,
        location_id: practice.locationId,
        location_name: 'Rosewood House',
        country: 'United Kingdom',
        city: 'Leeds',
        street: '',
        home_number: '',
        postal_code: 'LS1',
        latitude: 53.7974,
        longitude: -1.5438,
        district: 'Leeds',
        show_street: false,
      },
    ])
    expect(shown.raw).not.toMatch(/Park Row|5HD|53\.8,/)
    const online = {
      service_id: 1,
      appointment_type: 'online',
      duration_minutes: 50,
      fee_pence: 6000,
    } as const
    const home = await createPractitioner(test, { services: [online] })
    const place = test.db.updateTable('locations').where('id', '=', home.locationId)
    await place.set({ postal_code: 'LS6 1AA' }).execute()
    await place.set({ district_name: 'Headingley, Leeds' }).execute()
    const { raw, profile } = await profileOf(home.id)
    expect(profile.addresses[0]).toMatchObject({
      city: 'Leeds',
      street: '',
      latitude: null,
      district: 'Leeds',
    })
    for (const secret of ['Park Row', 'LS6', '53.8', 'Rosewood', 'Headingley'])
      expect(raw).not.toContain(secret)
  })

  it('the full address is read by the practitioner, admins and clients who meet them in person, and by no others', async () => {
    const practice = await createPractitioner(test)
    const [visitor, meeting, online, held, cancelled] = [
      undefined,
      await createClient(test),
      await createClient(test),
      await createClient(test),
      await createClient(test),
    ]
    const other = await createPractitioner(test)
    const at = (hour: number) => `2026-06-08T${String(hour).padStart(2, '0')}:00:00Z`
    const practitioner = practice
    const inPerson = { practitioner, type: 'face_to_face' } as const
    await bookSession(test, { ...inPerson, client: meeting, startsAt: at(9) })
    await bookSession(test, { practitioner, client: online, startsAt: at(11) })
    // A session in person with another practitioner opens no other address.
    await bookSession(test, { practitioner: other, type: 'face_to_face', client: online, startsAt: at(15) })
    const hold = await test.call('POST', '/appointment/create-session', {
      token: held.token,
      body: {
        practitioner_id: practice.id,
        booking_type: 'schedule',
        service_id: 1,
        datetime: at(13),
        appointment_type: 'face_to_face',
      },
    })
    expect(hold.status).toBe(201)
    const ended = await bookSession(test, { ...inPerson, client: cancelled, startsAt: at(17) })
    const readers = [
      ['visitor', visitor, 'LS1'],
      ['client with a confirmed session in person', meeting.token, 'LS1 5HD'],
      ['client with an online session', online.token, 'LS1'],
      ['client with a hold', held.token, 'LS1'],
      ['client before cancelling', cancelled.token, 'LS1 5HD'],
      ['owner', await signInPractitioner(test, practice), 'LS1 5HD'],
      ['other practitioner', await signInPractitioner(test, other), 'LS1'],
      ['admin', (await createAdmin(test)).token, 'LS1 5HD'],
    ] as const
    const addressFor = async (path: string, token: string | undefined) => {
      const answer = await test.call('GET', path, token ? { token } : {})
      expect(answer.status).toBe(200)
      const { addresses } = answer.body as unknown as PractitionerProfile
      const [address] = addresses
      const isFull =
        address?.street === 'Park Row' && address.home_number === '12' && address.latitude === 53.8
      expect(isFull || (address?.street === '' && address.home_number === '')).toBe(true)
      return isFull ? `full ${address.postal_code}` : address?.postal_code
    }
    for (const path of [`/practitioner/${practice.id}/profile`, `/therapist/${practice.id}/get-profile`]) {
      for (const [who, token, code] of readers) {
        const expected = code === 'LS1' ? 'LS1' : `full ${code}`
        expect([who, path, await addressFor(path, token)]).toEqual([who, path, expected])
      }
    }
    const session = await test.call('GET', `/appointment/${String(hold.body.session_id)}`, {
      token: held.token,
    })
    expect(session.body.location).toEqual({ location_name: 'Rosewood House', address: 'Leeds, LS1' })
    const stopped = await test.call('POST', '/appointment/cancel-session', {
      token: cancelled.token,
      body: { appointment_id: ended, reason: 'I am ill.' },
    })
    expect(stopped.status).toBe(200)
    expect(await addressFor(`/practitioner/${practice.id}/profile`, cancelled.token)).toBe('LS1')
    await test.db.updateTable('locations').set({ show_street: true }).execute()
    expect(await addressFor(`/practitioner/${practice.id}/profile`, undefined)).toBe('full LS1 5HD')
    const compared = await test.call('POST', '/practitioner/compare', {
      body: { practitioner_ids: [practice.id] },
    })
    expect(JSON.stringify(compared.body)).toContain('Park Row')
    await test.db.updateTable('locations').set({ show_street: false }).execute()
    const hidden = await test.call('POST', '/practitioner/compare', {
      token: meeting.token,
      body: { practitioner_ids: [practice.id] },
    })
    expect(JSON.stringify(hidden.body)).not.toMatch(/Park Row|5HD/)
  })

  it('never holds what is private', async () => {
    const { id, email } = await createPractitioner(test)
    await test.db
      .updateTable('practitioners')
      .set({ date_of_birth: '1971-02-03', phone_code: '+44', phone_number: '7700900123' })
      .where('id', '=', id)
      .execute()
    const { raw } = await profileOf(id)
    for (const secret of ['1971', '7700900123', email, 'rooms.example.test'])
      expect(raw).not.toContain(secret)
  })

  it('is there only for those who are approved and subscribed', async () => {
    const states = ['draft', 'submitted', 'rejected', 'suspended'] as const
    const unlisted = [
      ...(await Promise.all(states.map((state) => createPractitioner(test, { state })))),
      await createPractitioner(test, { subscribedUntil: null }),
      await createPractitioner(test, { subscribedUntil: test.clock.now() }),
    ]
    for (const { id } of unlisted) {
      for (const path of ['profile', 'service-types']) {
        const answer = await test.call('GET', `/practitioner/${id}/${path}`)
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    }
    expect((await test.call('GET', '/practitioner/99999999/profile')).status).toBe(404)
    expect((await test.call('GET', '/practitioner/nobody/profile')).status).toBe(404)
    const found = await test.call('GET', '/practitioner/get-practitioners')
    expect(found.body.meta?.total).toBe(0)
  })
})

/** Of a practitioner in a list and a profile, section 3. */
const fieldsOfSpecification = [
  'practitioner_id',
  'id',
  'full_name',
  'first_name',
  'last_name',
  'main_image',
  'profile_image',
  'provider_types',
  'experience',
  'reviews_rating',
  'reviews_total',
  'min_fee',
  'max_fee',
  'short_description',
  'available_hours',
  'cc_id',
  'works_with_insurance',
  'addresses',
  'profile_video_link',
  'licence',
  'licence_number',
  'about',
  'insurance_certificates',
  'insurance_certificate',
  'languages_list',
  'therapist_approaches',
  'issue',
  'reviews_list',
]

describe('reference lists', () => {
  it('are public', async () => {
    const test = await buildTestApp()
    const issues = await test.call('GET', '/issue/get-issues')
    expect(issues.body[0]).toEqual({
      issue_id: 1,
      issue_name: 'Anxiety',
      description: expect.stringContaining('Worry'),
    })
    const languages = await test.call('GET', '/language/get-languages')
    expect(languages.body).toContainEqual({ language_id: 1, language_name: 'English' })
    await test.close()
  })
})
