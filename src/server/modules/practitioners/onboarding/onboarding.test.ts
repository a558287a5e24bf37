import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { type NewTherapist, registerTherapist } from '#test/onboarding.ts'

let app: TestApp
let therapist: NewTherapist
beforeEach(async () => {
  app = await buildTestApp()
  therapist = await registerTherapist(app)
})
afterEach(async () => app.close())

const profileOf = (answer: Answer) => answer.body as unknown as TherapistProfile
const read = async (token = therapist.token) =>
  profileOf(await app.call('GET', '/therapist/profile', { token }))
const save = (path: string, body: unknown, versions?: string, token = therapist.token) =>
  app.call(path === '/therapist/update-profile' ? 'PUT' : 'POST', path, {
    token,
    body,
    ...(versions ? { headers: { 'if-match': versions } } : {}),
  })
const stepOf = (profile: TherapistProfile, step: ProfileStep) =>
  profile.steps.find((each) => each.step === step)

const place = {
  location_name: 'Rosewood House',
  country: 'United Kingdom',
  city: 'Leeds',
  street: 'Park Row',
  home_number: '12',
  postal_code: 'LS1 5HD',
  latitude: 53.8,
  longitude: -1.55,
}

/** Each step that is saved as JSON: what is sent, and what comes back when it is read again. */
const steps: {
  step: ProfileStep
  path: string
  body: Record<string, unknown>
  stored: Partial<Record<keyof TherapistProfile, unknown>>
  /** Values that are refused, by the field that is then named. */
  refused: [field: string, body: Record<string, unknown>][]
}[] = [
  {
    step: 'about_you',
    path: '/therapist/update-profile',
    body: {
      gender: 'Non-binary',
      pronouns: 'they/them',
      title_id: 1,
      date_of_birth: '1980-05-06',
      phone_code: '+44',
      phone_number: '07400 123456',
      timezone_id: 1,
    },
    stored: {
      gender: 'Non-binary',
      pronouns: 'they/them',
      title_id: 1,
      date_of_birth: '1980-05-06',
      dob: '1980-05-06',
      phone_code: '+44',
      phone_number: '7400123456',
    },
    refused: [
      ['gender', { gender: 'Whatever' }],
      ['pronouns', { pronouns: 'Whatever' }],
      ['title_id', { title_id: 99 }],
      ['date_of_birth', { date_of_birth: '2010-01-01' }],
      ['date_of_birth', { date_of_birth: '1980-02-30' }],
      ['dob', { dob: '1850-01-01' }],
      ['dob', { dob: '2010-01-01' }],
      ['phone_code', { phone_code: '+999' }],
      ['phone_code', { phone_number: '7400123456' }],
      ['phone_number', { phone_code: '+44', phone_number: '123' }],
      ['phone_number', { phone_code: '+44', phone_number: 'not a number' }],
      ['timezone_id', { timezone_id: 99999 }],
    ],
  },
  {
    step: 'languages',
    path: '/therapist/add-language-list',
    body: { language_list: [2, 1, 2] },
    stored: {
      languages_list: [
        { language_id: 1, language_name: 'English' },
        { language_id: 2, language_name: 'Welsh' },
      ],
    },
    refused: [
      ['language_list', { language_list: [9999] }],
      ['language_list', { language_list: 'English' }],
    ],
  },
  {
    step: 'licences',
    path: '/therapist/add-license-list',
    body: {
      license_list: JSON.stringify([{ specialization_id: 5, license_id: 7, license_number: ' 123456 ' }]),
      years_of_experience: 8,
    },
    stored: {
      license_list: [
        expect.objectContaining({
          specialization_id: 5,
          license_id: 7,
          license_number: '123456',
          specialization: 'Counsellor',
          status: 'waiting',
          reason: null,
        }),
      ],
      years_of_experience: 8,
    },
    refused: [
      ['license_list', { license_list: [{ specialization_id: 99, license_id: 7, license_number: '1' }] }],
      ['license_list', { license_list: [{ specialization_id: 5, license_id: 999, license_number: '1' }] }],
      [
        'license_list.0.license_number',
        { license_list: [{ specialization_id: 5, license_id: 7, license_number: ' ' }] },
      ],
      ['license_list', { license_list: 'broken [' }],
      ['years_of_experience', { license_list: [], years_of_experience: 71 }],
    ],
  },
  {
    step: 'approaches',
    path: '/therapist/add-therapy-approach-list',
    body: { therapy_approach_list: [{ therapy_approach_id: 2 }, 1] },
    stored: {
      therapist_approaches: [
        expect.objectContaining({ therapy_approach_id: 1 }),
        expect.objectContaining({ therapy_approach_id: 2 }),
      ],
    },
    refused: [['therapy_approach_list', { therapy_approach_list: [12345] }]],
  },
  {
    step: 'issues',
    path: '/therapist/add-issue-list',
    body: { issue_list: '[3, 1]', age_groups: ['Adults (18 to 64)'] },
    stored: {
      issues: [expect.objectContaining({ issue_id: 1 }), expect.objectContaining({ issue_id: 3 })],
      age_groups: ['Adults (18 to 64)'],
    },
    refused: [
      ['issue_list', { issue_list: [12345] }],
      ['age_groups.0', { issue_list: [1], age_groups: ['Dogs'] }],
    ],
  },
  {
    step: 'bio',
    path: '/therapist/update-profile',
    body: { about: 'A long story.\n\nWith two paragraphs.', short_description: ' A calm place. ' },
    stored: {
      about: 'A long story.\n\nWith two paragraphs.',
      bio: 'A long story.\n\nWith two paragraphs.',
      short_description: 'A calm place.',
    },
    refused: [
      ['about', { about: 'x'.repeat(30_001) }],
      ['short_description', { short_description: 'x'.repeat(301) }],
    ],
  },
  {
    step: 'video',
    path: '/therapist/update-profile',
    body: { video_choice: 2, video_url_link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
    stored: { video_choice: 2, video_url_link: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
    refused: [
      ['video_choice', { video_choice: 4 }],
      ['video_url_link', { video_choice: 2 }],
      ['video_url_link', { video_choice: 2, video_url_link: 'javascript:alert(1)' }],
      ['video_url_link', { video_choice: 2, video_url_link: 'http://example.test/v' }],
      ['video_url_link', { video_choice: 2, video_url_link: 'https://vimeo.com/76979871' }],
    ],
  },
  {
    step: 'insurance',
    path: '/therapist/update-profile',
    body: { has_insurance: false },
    stored: { has_insurance: false },
    refused: [['has_insurance', { has_insurance: 'yes' }]],
  },
  {
    step: 'services',
    path: '/therapist/add-service-list',
    body: {
      online: [
        { service_id: 2, duration: 50, fee: 60.5 },
        { service_id: 3, active: false, duration: 60, fee: 90 },
      ],
      face_to_face: [{ service_id: 2, duration: 60, fee: 80 }],
      meeting_link: 'https://rooms.example.test/mary',
    },
    stored: {
      services: {
        online: [{ service_id: 2, duration: 50, fee: 60.5 }],
        face_to_face: [{ service_id: 2, duration: 60, fee: 80 }],
      },
      room: 'own',
      meeting_link: 'https://rooms.example.test/mary',
    },
    refused: [
      ['meeting_link', { online: [{ service_id: 2, duration: 50, fee: 60 }], room: 'own' }],
      ['room', { online: [], room: 'elsewhere' }],
      ['meeting_link', { online: [], meeting_link: 'http://rooms.example.test/mary' }],
      ['online.0.duration', { online: [{ service_id: 2, duration: 14, fee: 60 }] }],
      ['online.0.duration', { online: [{ service_id: 2, duration: 241, fee: 60 }] }],
      ['face_to_face.0.fee', { face_to_face: [{ service_id: 2, duration: 50, fee: 0.5 }] }],
      ['face_to_face.0.fee', { face_to_face: [{ service_id: 2, duration: 50, fee: 1000.01 }] }],
      ['face_to_face.0.fee', { face_to_face: [{ service_id: 2, duration: 50, fee: 50.005 }] }],
      ['online', { face_to_face: [{ service_id: 99, duration: 50, fee: 50 }] }],
    ],
  },
  {
    step: 'locations',
    path: '/therapist/add-location-list',
    body: { location_list: JSON.stringify([place]) },
    stored: { locations: [expect.objectContaining(place)] },
    refused: [
      ['location_list.0.city', { location_list: [{ ...place, city: '' }] }],
      ['location_list.0.latitude', { location_list: [{ ...place, latitude: 91 }] }],
      ['location_list', { location_list: [{ ...place, id: 2_000_000 }] }],
    ],
  },
  {
    step: 'insurers',
    path: '/therapist/add-insurance-company-list',
    body: { insurance_company_list: [2, 1, 1], works_with_insurance: true },
    stored: {
      works_with_insurance: true,
      insurance_companies: [
        expect.objectContaining({ insurance_company_id: 2 }),
        expect.objectContaining({ insurance_company_id: 1 }),
      ],
    },
    refused: [['insurance_company_list', { insurance_company_list: [999] }]],
  },
]

describe('each step', () => {
  test.each(steps)('$step is stored as it was sent and comes back', async ({ step, path, body, stored }) => {
    const before = await read()
    expect(stepOf(before, step)).toMatchObject({ version: 0, saved_at: null })
    const answer = await save(path, body)
    expect([answer.status, answer.body.errors]).toEqual([200, undefined])
    expect(profileOf(answer)).toMatchObject(stored)
    const after = await read()
    expect(after).toEqual(profileOf(answer))
    expect(stepOf(after, step)).toEqual({
      step,
      version: 1,
      saved_at: app.clock.now().toISOString(),
      missing: [],
    })
    // The other steps are as they were.
    expect(after.steps.filter((each) => each.step !== step && each.version > 0)).toEqual([])
  })

  test.each(steps)('$step refuses what is wrong, by field, and stores nothing', async ({ path, refused }) => {
    const before = await fingerprint(app.db)
    for (const [field, body] of refused) {
      const answer = await save(path, body)
      expect([field, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([field, 422, [field]])
    }
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test.each(steps)(
    '$step is not overwritten by a window that has not seen the last save',
    async ({ step, path, body }) => {
      expect((await save(path, body, `"${step}-0"`)).status).toBe(200)
      const before = await fingerprint(app.db)
      const late = await save(path, body, `"${step}-0"`)
      expect([late.status, late.body.code, late.body.details?.steps]).toEqual([
        409,
        'changed_elsewhere',
        [step],
      ])
      expect(await fingerprint(app.db)).toEqual(before)
      expect((await save(path, body, `"${step}-1"`)).status).toBe(200)
      expect(stepOf(await read(), step)?.version).toBe(2)
    },
  )

  test('is saved by one of two windows that save at once', async () => {
    const answers = await Promise.all(
      ['First.', 'Second.'].map((about) => save('/therapist/update-profile', { about }, '"bio-0"')),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const kept = answers.find(({ status }) => status === 200)
    expect((await read()).about).toBe(kept && profileOf(kept).about)
  })
})

test('a profile that is read and sent back whole stays as it is, its fields without a value too', async () => {
  const path = '/therapist/update-profile'
  const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  for (const body of [
    {},
    { video_choice: 2, video_url_link: link },
    { video_choice: 0 },
    { video_choice: 3 },
  ]) {
    const before = profileOf(await save(path, body))
    const again = await save(path, before)
    expect([again.status, again.body.errors]).toEqual([200, undefined])
    const { steps: _, ...fields } = profileOf(again)
    expect(fields).toEqual({ ...before, steps: undefined })
    // Older clients know of the link alone.
    const { video_choice: choice, video_url_link: address } = before
    const withoutChoice = profileOf(await save(path, { video_url_link: address }))
    expect([withoutChoice.video_choice, withoutChoice.video_url_link]).toEqual([choice, address])
  }
  await save(path, { video_choice: 2, video_url_link: link })
  expect(profileOf(await save(path, { video_choice: '' })).video_url_link).toBe(link)
  expect((await save(path, { video_url_link: '' })).body.errors).toHaveProperty('video_url_link')
})

test('fields that are left out stay as they are, and a blank one is emptied', async () => {
  await save('/therapist/update-profile', { gender: 'Male', phone_code: '+44', phone_number: '7400123456' })
  await save('/therapist/update-profile', { gender: '' })
  expect(await read()).toMatchObject({ gender: null, phone_number: '7400123456' })
  await save('/therapist/update-profile', { phone_number: '7400 123457' })
  expect(await read()).toMatchObject({ phone_code: '+44', phone_number: '7400123457' })
})

test('a phone number is stored without its country code, however it was typed', async () => {
  const path = '/therapist/update-profile'
  for (const [phone_code, phone_number, stored] of [
    ['+44', '07911 123456', '7911123456'],
    ['+44', '+44 7911 123450', '7911123450'],
    ['+44', '0044 7911 123451', '7911123451'],
    ['+44', '447911123452', '7911123452'],
    ['+44', '+44 (0)7911 123453', '7911123453'],
    ['+44', '\u202a+44 7911\u2011123454\u202c', '7911123454'],
    ['+33', '+33 6 12 34 56 78', '612345678'],
  ] as const) {
    const answer = await save(path, { phone_code, phone_number })
    expect([phone_number, answer.status, answer.body.errors]).toEqual([phone_number, 200, undefined])
    expect(await read()).toMatchObject({ phone_code, phone_number: stored })
  }
  for (const phone_number of ['+33 6 12 34 56 79', '0033612345679', '+44 +33 612345679', '+', '00']) {
    const answer = await save(path, { phone_code: '+44', phone_number })
    expect([phone_number, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
      phone_number,
      422,
      ['phone_number'],
    ])
  }
  expect(await read()).toMatchObject({ phone_code: '+33', phone_number: '612345678' })
})

test('a meeting link is stored with https:// before it, and one that has it as it was typed', async () => {
  const path = '/therapist/add-service-list'
  const online = [{ service_id: 2, duration: 50, fee: 60 }]
  for (const [link, stored] of [
    ['Https://zoom.us/j/1', 'https://zoom.us/j/1'],
    ['https:/zoom.us/j/2', 'https://zoom.us/j/2'],
    ['https:zoom.us/j/3', 'https://zoom.us/j/3'],
    ['https://Zoom.us', 'https://Zoom.us'],
  ]) {
    const answer = await save(path, { online, meeting_link: link })
    expect([link, answer.status, answer.body.errors]).toEqual([link, 200, undefined])
    expect((await read()).meeting_link).toBe(stored)
  }
})

test('a service that is not offered needs neither duration nor fee', async () => {
  const offered = { service_id: 2, active: true, duration: 50, fee: 60 }
  const other = { service_id: 3, active: false, duration: 0, fee: null }
  const saved = await save('/therapist/add-service-list', { online: [other, offered], face_to_face: [other] })
  expect([saved.status, saved.body.errors]).toEqual([200, undefined])
  const { services } = profileOf(saved)
  const ids = (type: 'online' | 'face_to_face') => services[type].map(({ service_id }) => service_id)
  expect([ids('online'), ids('face_to_face')]).toEqual([[2], []])
  const refused = await save('/therapist/add-service-list', { online: [{ ...other, active: true }] })
  expect(refused.status).toBe(422)
})

test('a new practitioner holds online sessions on Hearth and needs no link', async () => {
  const online = [{ service_id: 2, duration: 50, fee: 60 }]
  expect(profileOf(await save('/therapist/add-service-list', { online }))).toMatchObject({
    room: 'hearth',
    meeting_link: null,
  })
})

test('a link that is sent alone is where sessions are held, and is kept with the room on Hearth', async () => {
  const online = [{ service_id: 2, duration: 50, fee: 60 }]
  const link = 'https://rooms.example.test/mary'
  const roomAfter = async (body: object) => {
    const { room, meeting_link } = profileOf(await save('/therapist/add-service-list', { online, ...body }))
    return { room, meeting_link }
  }
  expect(await roomAfter({ meeting_link: link })).toEqual({ room: 'own', meeting_link: link })
  expect(await roomAfter({})).toEqual({ room: 'own', meeting_link: link })
  expect(await roomAfter({ room: 'hearth' })).toEqual({ room: 'hearth', meeting_link: link })
  expect(await roomAfter({})).toEqual({ room: 'hearth', meeting_link: link })
  expect(await roomAfter({ room: 'own' })).toEqual({ room: 'own', meeting_link: link })
  expect(await roomAfter({ room: 'hearth', meeting_link: null })).toEqual({
    room: 'hearth',
    meeting_link: null,
  })
})

test('places keep their ids, and those of others are out of reach', async () => {
  const first = profileOf(await save('/therapist/add-location-list', { location_list: [place] })).locations[0]
  const again = profileOf(
    await save('/therapist/add-location-list', {
      location_list: [
        { ...place, location_id: first?.id, city: 'York' },
        { ...place, location_name: 'Other' },
      ],
    }),
  )
  expect(again.locations.map(({ id, city }) => [id === first?.id, city])).toEqual([
    [true, 'York'],
    [false, 'Leeds'],
  ])
  const stranger = await registerTherapist(app)
  const before = await fingerprint(app.db)
  const taken = await save(
    '/therapist/add-location-list',
    { location_list: [{ ...place, id: first?.id, city: 'Hull' }] },
    undefined,
    stranger.token,
  )
  expect(taken.status).toBe(422)
  expect(await fingerprint(app.db)).toEqual(before)
})

test('a place that is given up takes its hours out of the schedule and stays with booked sessions', async () => {
  const practitioner = await createPractitioner(app, { password })
  const token = await signInPractitioner(app, practitioner)
  const hours = async () =>
    (
      await app.db
        .selectFrom('weekly_hours')
        .select('appointment_type')
        .distinct()
        .where('practitioner_id', '=', practitioner.id)
        .execute()
    ).map((row) => row.appointment_type)
  expect((await hours()).toSorted()).toEqual(['face_to_face', 'online'])
  const answer = await save('/therapist/add-location-list', { location_list: [] }, undefined, token)
  expect([answer.status, profileOf(answer).locations]).toEqual([200, []])
  expect(await hours()).toEqual(['online'])
  const location = await app.db
    .selectFrom('locations')
    .select('removed_at')
    .where('id', '=', practitioner.locationId)
    .executeTakeFirstOrThrow()
  expect(location.removed_at).toEqual(app.clock.now())
})

describe('an approved practitioner', () => {
  const licence = (number: string) => ({ specialization_id: 5, license_id: 7, license_number: number })

  test('is found by what they change on the next request', async () => {
    const practitioner = await createPractitioner(app, { password })
    const token = await signInPractitioner(app, practitioner)
    const foundBy = async (query: string) =>
      (await app.call('GET', `/practitioner/get-practitioners?${query}`)).body.meta?.total
    expect(await foundBy('language_id=2')).toBe(0)
    await save('/therapist/add-language-list', { language_list: [1, 2] }, undefined, token)
    expect(await foundBy('language_id=2')).toBe(1)
    await save('/therapist/update-profile', { short_description: 'Quite new.' }, undefined, token)
    const list = await app.call('GET', '/practitioner/get-practitioners')
    expect(JSON.stringify(list.body)).toContain('Quite new.')
    const services = { online: [{ service_id: 2, duration: 50, fee: 77 }] }
    expect((await save('/therapist/add-service-list', services, undefined, token)).status).toBe(200)
    expect(await foundBy('min_price=77&max_price=77')).toBe(1)
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body).toMatchObject({ min_fee: 77, short_description: 'Quite new.' })
  })

  test('sends a new licence alone to be checked, and keeps the one that counts meanwhile', async () => {
    const practitioner = await createPractitioner(app, { password })
    const token = await signInPractitioner(app, practitioner)
    await save('/therapist/add-license-list', { license_list: [licence('111111')] }, undefined, token)
    await app.db
      .updateTable('practitioner_licenses')
      .set({ state: 'accepted' })
      .where('practitioner_id', '=', practitioner.id)
      .execute()
    const both = await save(
      '/therapist/add-license-list',
      { license_list: [licence('111111'), { ...licence('222222'), specialization_id: 4 }] },
      undefined,
      token,
    )
    expect(profileOf(both).license_list.map(({ status }) => status)).toEqual(['accepted', 'waiting'])
    expect(profileOf(both).status).toBe('approved')
    const shown = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(shown.body).toMatchObject({ provider_types: ['Counsellor'], licence_number: '111111' })
    expect(JSON.stringify(shown.body)).not.toContain('222222')
    const before = await fingerprint(app.db)
    const without = await save(
      '/therapist/add-license-list',
      { license_list: [licence('333333')] },
      undefined,
      token,
    )
    expect([without.status, Object.keys(without.body.errors ?? {})]).toEqual([422, ['license_list']])
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('whose only licence has run out is not listed again by another number, or by none', async () => {
    const practitioner = await createPractitioner(app, { password })
    const token = await signInPractitioner(app, practitioner)
    await save('/therapist/add-license-list', { license_list: [licence('111111')] }, undefined, token)
    await app.db
      .updateTable('practitioner_licenses')
      .set({ state: 'accepted', expires_on: '2026-01-31' })
      .where('practitioner_id', '=', practitioner.id)
      .execute()
    await app.db
      .updateTable('practitioners')
      .set({ vetted_until: new Date('2026-02-01T00:00:00Z') })
      .where('id', '=', practitioner.id)
      .execute()
    const before = await fingerprint(app.db)
    for (const license_list of [[licence('222222')], []]) {
      const refused = await save('/therapist/add-license-list', { license_list }, undefined, token)
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['license_list']])
    }
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await app.call('GET', `/practitioner/${practitioner.id}/profile`)).status).toBe(404)

    const list = [licence('111111'), { ...licence('222222'), specialization_id: 4 }]
    const both = await save('/therapist/add-license-list', { license_list: list }, undefined, token)
    expect(profileOf(both).license_list.map(({ status }) => status)).toEqual(['accepted', 'waiting'])
    expect((await app.call('GET', `/practitioner/${practitioner.id}/profile`)).status).toBe(404)
  })
})

describe('handing in', () => {
  test('says what is missing, step by step, and changes nothing', async () => {
    const before = await fingerprint(app.db)
    const answer = await app.call('POST', '/therapist/complete', { token: therapist.token })
    expect([answer.status, answer.body.code]).toEqual([409, 'incomplete_profile'])
    const missing = answer.body.details?.missing as unknown as { step: string; missing: string[] }[]
    expect(missing.length).toBeGreaterThan(8)
    for (const { missing: sentences } of missing) expect(sentences.length).toBeGreaterThan(0)
    expect(await fingerprint(app.db)).toEqual(before)
  })

  test('again, after the answer was lost, returns the profile that is being checked', async () => {
    await app.db
      .updateTable('practitioners')
      .set({ state: 'submitted' })
      .where('id', '=', therapist.id)
      .execute()
    const before = await fingerprint(app.db)
    const answer = await app.call('POST', '/therapist/complete', { token: therapist.token })
    expect([answer.status, answer.body.status]).toEqual([200, 'submitted'])
    expect(await fingerprint(app.db)).toEqual(before)
  })
})

describe('what is public of a practitioner', () => {
  test('a visitor reads a public profile without its private details', async () => {
    const practitioner = await createPractitioner(app)
    await app.db
      .updateTable('practitioners')
      .set({ date_of_birth: '1980-05-06', phone_code: '+44', phone_number: '7400123456' })
      .where('id', '=', practitioner.id)
      .execute()
    const answer = await app.call('GET', `/therapist/${practitioner.id}/get-profile`)
    expect(answer.body).toMatchObject({ practitioner_id: practitioner.id, timezone: 'Europe/London' })
    for (const secret of ['1980-05-06', '7400123456', practitioner.email, 'rooms.example.test']) {
      expect(JSON.stringify(answer.body)).not.toContain(secret)
    }
  })

  test('the practitioner and admins read a profile that is not listed; others get a 404', async () => {
    const path = `/therapist/${therapist.id}/get-profile`
    const admin = await createAdmin(app)
    for (const { token } of [therapist, admin]) {
      const answer = await app.call('GET', path, { token })
      expect([answer.status, answer.body.full_name]).toEqual([200, 'Mary Okafor'])
      expect((await app.call('GET', '/therapist/99999999/get-profile', { token })).status).toBe(404)
    }
    const other = await signInPractitioner(app, await createPractitioner(app))
    for (const token of [other, (await createClient(app)).token]) {
      expect((await app.call('GET', path, { token })).body).toMatchObject({ code: 'not_found' })
    }
  })

  test('is nothing while they are not listed; they see it themselves', async () => {
    expect((await app.call('GET', `/therapist/${therapist.id}/get-profile`)).status).toBe(404)
    const preview = await app.call('GET', '/therapist/profile-preview', { token: therapist.token })
    expect(preview.body).toMatchObject({
      full_name: 'Mary Okafor',
      services: { online: [], face_to_face: [] },
    })
  })
})

test('the lists and the single values of the specification answer as it names them', async () => {
  await save('/therapist/update-profile', { gender: 'Female', title_id: 2, timezone_id: 1 })
  const get = async (name: string) =>
    (await app.call('GET', `/therapist/${name}`, { token: therapist.token })).body as unknown
  expect(await get('get-gender')).toEqual({ gender: 'Female' })
  expect(await get('get-title')).toEqual({ title_id: 2 })
  expect(await get('get-phone-code')).toEqual({ phone_code: null })
  expect(await get('get-phone-number')).toEqual({ phone_number: null })
  expect(await get('get-timezone')).toMatchObject({ timezone_id: 1 })
  expect(await get('get-gender-list')).toEqual([
    { id: 1, name: 'Male' },
    { id: 2, name: 'Female' },
    { id: 3, name: 'Non-binary' },
  ])
  for (const [name, fields] of Object.entries({
    'get-title-list': ['id', 'name'],
    'get-phone-code-list': ['country', 'phone_code'],
    'get-timezone-list': ['timezone_id', 'timezone_name'],
    'get-specialization-list': ['provider_id', 'provider_type'],
    'get-licensing-body-list': ['license_body_id', 'name'],
    'get-therapy-approach-list': ['therapy_approach_id', 'therapy_approach_name'],
    'get-issue-list': ['issue_id', 'issue_name'],
    'get-insurance-company-list': ['insurance_company', 'insurance_company_id'],
    services: ['active', 'duration', 'fee', 'name', 'service_id'],
  })) {
    const list = (await get(name)) as Record<string, unknown>[]
    expect([name, list.length > 2]).toEqual([name, true])
    for (const entry of list) expect([name, Object.keys(entry).toSorted()]).toEqual([name, fields])
  }
  expect(await get('get-services')).toEqual({ online: [], face_to_face: [] })
  for (const name of ['get-languages', 'get-therapy-approaches', 'get-issues', 'get-locations']) {
    expect([name, await get(name)]).toEqual([name, []])
  }
})
