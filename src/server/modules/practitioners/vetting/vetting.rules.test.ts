import { describe, expect, test } from 'vitest'
import {
  type FactState,
  holdsOn,
  isSameLicence,
  isSpareLicence,
  missingFacts,
  reminderDue,
} from './vetting.rules.ts'

const today = '2026-06-10'
const now = new Date('2026-06-10T12:00:00Z')
const fact = (state: FactState, expires_on: string | null = null) => ({ state, expires_on })

test('a fact holds up to its last good day, while it is accepted', () => {
  expect(holdsOn(fact('accepted', today), today)).toBe(true)
  expect(holdsOn(fact('accepted', '2026-06-09'), today)).toBe(false)
  expect(holdsOn(fact('accepted'), today)).toBe(true)
  for (const state of ['waiting', 'refused', 'replaced'] as const) {
    expect(holdsOn(fact(state), today)).toBe(false)
  }
})

describe('what keeps a profile from being approved', () => {
  const documents = [
    { kind: 'identity' as const, ...fact('accepted') },
    { kind: 'dbs' as const, ...fact('accepted', today) },
  ]
  const certificate = { kind: 'insurance_certificate' as const, ...fact('accepted', today) }
  const complete = { has_indemnity: false, documents, licences: [fact('accepted', today)] }

  test('is nothing while each fact that is required holds', () => {
    expect(missingFacts(complete, now)).toEqual([])
    expect(
      missingFacts({ ...complete, has_indemnity: true, documents: [...documents, certificate] }, now),
    ).toEqual([])
  })

  test('is each fact that is not there, a certificate of those alone who say that they are insured', () => {
    const none = { documents: [], licences: [] }
    const usual = ['There is no identity document.', 'There is no DBS certificate.', 'There is no licence.']
    expect(missingFacts({ ...none, has_indemnity: false }, now)).toEqual(usual)
    expect(missingFacts({ ...none, has_indemnity: null }, now)).toEqual(usual)
    expect(missingFacts({ ...none, has_indemnity: true }, now)).toEqual([
      ...usual,
      'There is no insurance certificate.',
    ])
  })

  test('is no document of another kind', () => {
    expect(missingFacts({ ...complete, has_indemnity: true }, now)).toEqual([
      'There is no insurance certificate.',
    ])
  })

  test.each<[string, ReturnType<typeof fact>[], string[]]>([
    ['waits', [fact('waiting')], ['A licence is waiting for your decision.']],
    ['has run out', [fact('accepted', '2026-06-09')], ['A licence has run out.']],
    [
      'has run out while a renewal waits',
      [fact('accepted', '2026-06-09'), fact('waiting')],
      ['A licence is waiting for your decision.'],
    ],
    [
      'was refused',
      [fact('replaced'), fact('refused')],
      ['A licence was refused, and no other has been sent.'],
    ],
    ['was replaced by none', [fact('replaced')], ['There is no licence.']],
    ['holds beside a refused one', [fact('refused'), fact('accepted')], []],
  ])('is a licence that %s, or not', (_, licences, missing) => {
    expect(missingFacts({ ...complete, licences }, now)).toEqual(missing)
  })

  test('is a DBS certificate that has run out, and no identity document that has', () => {
    const expired = documents.map((document) => ({ ...document, expires_on: '2026-06-09' }))
    expect(missingFacts({ ...complete, documents: expired }, now)).toEqual([
      'The DBS certificate has run out.',
    ])
  })

  test('is counted by the days of London', () => {
    expect(missingFacts(complete, new Date('2026-06-10T22:59:59Z'))).toEqual([])
    expect(missingFacts(complete, new Date('2026-06-10T23:00:00Z'))).toHaveLength(2)
  })
})

test('a licence may run out without hiding the profile only if another one holds longer', () => {
  const isSpare = (...others: ReturnType<typeof fact>[]) => isSpareLicence('2026-06-20', others, today)
  expect(isSpare()).toBe(false)
  expect(isSpare(fact('accepted', '2026-06-20'))).toBe(false)
  expect(isSpare(fact('accepted', '2026-06-21'))).toBe(true)
  expect(isSpare(fact('accepted'))).toBe(true)
  expect(isSpare(fact('waiting'))).toBe(false)
  expect(isSpareLicence('2026-06-01', [fact('accepted', '2026-06-09')], today)).toBe(false)
})

test.each([
  ['2026-07-11', undefined],
  ['2026-07-10', 30],
  ['2026-06-18', 30],
  ['2026-06-17', 7],
  ['2026-06-12', 7],
  ['2026-06-11', 1],
  ['2026-06-10', 1],
  ['2026-06-09', 0],
  ['2026-01-01', 0],
])('on 10 June, the reminder due of a fact that is good until %s is %s', (expiresOn, due) => {
  expect(reminderDue(expiresOn, today)).toBe(due)
})

test('a reminder is due by the calendar, also over a change of the clocks', () => {
  expect(reminderDue('2026-04-05', '2026-03-06')).toBe(30)
  expect(reminderDue('2026-11-01', '2026-10-25')).toBe(7)
})

test('licences have one number only of one body in one profession', () => {
  const licence = { provider_type: 'Counsellor', body: 'BACP', license_number: '123' }
  expect(isSameLicence(licence, { ...licence })).toBe(true)
  expect(isSameLicence(licence, { ...licence, provider_type: 'Psychologist' })).toBe(false)
  expect(isSameLicence(licence, { ...licence, body: 'UKCP' })).toBe(false)
  expect(isSameLicence(licence, { ...licence, license_number: '124' })).toBe(false)
})
