import { describe, expect, test } from 'vitest'
import { profileSteps } from '#contract/practitioners/profile-steps.ts'
import {
  type Filled,
  insuranceEndFault,
  isAdult,
  licenceChanges,
  missingSteps,
  readVersions,
  stepsOf,
} from './onboarding.rules.ts'

const complete: Filled = {
  gender_id: 1,
  date_of_birth: '1980-01-01',
  phone_number: '7700900001',
  languages: 1,
  licences: ['waiting'],
  years_of_experience: 0,
  documents: [
    { kind: 'identity', state: 'waiting' },
    { kind: 'dbs', state: 'accepted' },
    { kind: 'insurance_certificate', state: 'waiting' },
  ],
  approaches: 1,
  issues: 1,
  age_groups: ['Adults (18 to 64)'],
  has_portrait: true,
  about: 'Words.',
  short_description: 'A few.',
  video_choice: 'none',
  video_url: null,
  has_video_file: false,
  has_indemnity: true,
  online_services: 1,
  room_services: 1,
  room: 'own',
  meeting_link: 'https://rooms.example.test/a',
  locations: 1,
  works_with_insurance: true,
  insurance_companies: 1,
}
const missing = (changes: Partial<Filled>) =>
  missingSteps({ ...complete, ...changes }).map(({ step }) => step)

describe('what is missing of a profile', () => {
  test('is nothing of one that is complete, and something of every step of an empty one but the last two', () => {
    expect(missing({})).toEqual([])
    const empty: Filled = {
      gender_id: null,
      date_of_birth: null,
      phone_number: null,
      languages: 0,
      licences: [],
      years_of_experience: null,
      documents: [],
      approaches: 0,
      issues: 0,
      age_groups: [],
      has_portrait: false,
      about: '',
      short_description: ' ',
      video_choice: null,
      video_url: null,
      has_video_file: false,
      has_indemnity: null,
      online_services: 0,
      room_services: 0,
      room: 'hearth',
      meeting_link: null,
      locations: 0,
      works_with_insurance: false,
      insurance_companies: 0,
    }
    expect(missingSteps(empty).map(({ step }) => step)).toEqual(
      profileSteps.filter((step) => step !== 'locations' && step !== 'insurers'),
    )
  })

  test.each<[string, Partial<Filled>, string[]]>([
    ['a refused document has to be sent again', { documents: [] }, ['identity', 'dbs', 'insurance']],
    [
      'a refused document counts for no step',
      { documents: complete.documents.map(({ kind }) => ({ kind, state: 'refused' })) },
      ['identity', 'dbs', 'insurance'],
    ],
    [
      'a document counts for its own step alone',
      { documents: complete.documents.slice(1, 2) },
      ['identity', 'insurance'],
    ],
    [
      'a refused document is made up for by a newer one',
      { documents: [{ kind: 'dbs', state: 'refused' }, ...complete.documents] },
      [],
    ],
    [
      'no certificate is asked of somebody without insurance',
      { has_indemnity: false, documents: complete.documents.slice(0, 2) },
      [],
    ],
    ['a refused licence is none', { licences: ['refused'] }, ['licences']],
    ['one licence that is not refused is enough', { licences: ['refused', 'accepted'] }, []],
    ['a licence needs the years of experience beside it', { years_of_experience: null }, ['licences']],
    ['a gender is needed', { gender_id: null }, ['about_you']],
    ['a date of birth is needed', { date_of_birth: null }, ['about_you']],
    ['a phone number is needed', { phone_number: null }, ['about_you']],
    ['an issue is needed', { issues: 0 }, ['issues']],
    ['an age group is needed', { age_groups: [] }, ['issues']],
    ['a bio of spaces is none', { about: ' ' }, ['bio']],
    ['a short description of spaces is none', { short_description: ' ' }, ['bio']],
    ['an own room needs its link', { meeting_link: null }, ['services']],
    ['an own room needs no link without online services', { meeting_link: null, online_services: 0 }, []],
    ['the room on Hearth needs no link', { room: 'hearth', meeting_link: null }, []],
    ['a place is asked of whoever sees people in person', { locations: 0 }, ['locations']],
    ['no place is asked of whoever works online alone', { locations: 0, room_services: 0 }, []],
    ['an own video has to be there', { video_choice: 'own' }, ['video']],
    ['an own video that is uploaded is enough', { video_choice: 'own', has_video_file: true }, []],
    ['a link has to be there', { video_choice: 'link' }, ['video']],
    ['a link that is there is enough', { video_choice: 'link', video_url: 'https://a.example' }, []],
    ['a link without a choice is enough', { video_choice: null, video_url: 'https://a.example' }, []],
    ['a video over a call is arranged later', { video_choice: 'call' }, []],
    ['insurers are asked of whoever works with them', { insurance_companies: 0 }, ['insurers']],
  ])('%s', (_name, changes, steps) => {
    expect(missing(changes)).toEqual(steps)
  })
})

test('fields belong to steps', () => {
  expect(stepsOf({ about: 'x', gender: null, has_insurance: true })).toEqual([
    'about_you',
    'bio',
    'insurance',
  ])
  expect(stepsOf({})).toEqual([])
})

test('a window says which versions it has seen', () => {
  expect(readVersions('"bio-3", "about_you-12"')).toEqual({ bio: 3, about_you: 12 })
  for (const header of [undefined, '', '*', '"bio"', 'bio-3', '"nothing-1"', '"bio--1"']) {
    expect(readVersions(header)).toEqual({})
  }
})

describe('licences that are saved', () => {
  const gmc = { specialization_id: 1, license_id: 1, license_number: '9 123 456' }
  const bacp = { specialization_id: 5, license_id: 7, license_number: 'ab12' }

  test('keep their standing when they are the same, however they are written', () => {
    const kept = [{ ...gmc, id: 4, state: 'accepted' as const }]
    expect(licenceChanges(kept, [{ ...gmc, license_number: '9123456' }])).toEqual({
      remove: [],
      reopen: [],
      add: [],
    })
  })

  test('go and come one by one, and are added once', () => {
    const kept = [{ ...gmc, id: 4, state: 'accepted' as const }]
    expect(licenceChanges(kept, [bacp, { ...bacp, license_number: 'AB12' }])).toEqual({
      remove: [4],
      reopen: [],
      add: [{ ...bacp, license_number: 'AB12' }],
    })
  })

  const again = [{ ...gmc, license_number: '9123456', check_again: true }]
  test.each([
    ['a new one once', [], { add: [{ ...gmc, license_number: '9123456' }] }],
    ['nothing that waits', ['waiting'], {}],
    ['a refused one again', ['refused'], { reopen: [1] }],
    ['the renewal of an accepted one beside it', ['accepted'], { add: [gmc] }],
    ['no second renewal', ['accepted', 'waiting'], {}],
    ['a refused renewal again', ['accepted', 'refused'], { reopen: [2] }],
  ] as const)('bring %s to the back office where another check is asked for', (_, states, expected) => {
    const kept = states.map((state, index) => ({ ...gmc, id: index + 1, state }))
    expect(licenceChanges(kept, again)).toEqual({ remove: [], reopen: [], add: [], ...expected })
    expect(licenceChanges(kept, [gmc]).reopen).toEqual([])
  })
})

test('a practitioner is an adult from midnight of the 18th birthday in London', () => {
  expect(isAdult('2008-06-02', new Date('2026-06-01T22:59:00Z'))).toBe(false)
  expect(isAdult('2008-06-02', new Date('2026-06-01T23:00:00Z'))).toBe(true)
  expect(isAdult('2008-02-29', new Date('2026-02-28T12:00:00Z'))).toBe(false)
  expect(isAdult('2008-02-29', new Date('2026-03-01T12:00:00Z'))).toBe(true)
})

test('an insurance that is sent ends on a day after today', () => {
  const today = '2026-06-01'
  expect(insuranceEndFault('2026-06-02', today)).toBeUndefined()
  expect(insuranceEndFault('2026-06-01', today)).toContain('ends today or has ended')
  expect(insuranceEndFault('2026-05-31', today)).toContain('ends today or has ended')
  expect(insuranceEndFault('2026-06-31', today)).toBe('Enter the day on which the insurance ends.')
})
