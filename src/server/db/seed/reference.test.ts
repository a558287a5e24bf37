import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { zoneNameOfToday } from '#contract/zone-names.ts'
import { languageId } from './reference/lists.ts'
import { referenceData } from './reference.ts'

const publicFolder = fileURLToPath(new URL('../../../web/public', import.meta.url))

/** Each list as id, name pairs, although its fields have other names on the wire. */
const lists: Record<string, [number, string][]> = {
  providerTypes: referenceData.providerTypes.map((row) => [row.provider_id, row.provider_type]),
  issues: referenceData.issues.map((row) => [row.issue_id, row.issue_name]),
  therapyTypes: referenceData.therapyTypes.map((row) => [row.therapy_type_id, row.therapy_type_name]),
  languages: referenceData.languages.map((row) => [row.language_id, row.language_name]),
  insuranceCompanies: referenceData.insuranceCompanies.map((row) => [
    row.insurance_company_id,
    row.insurance_company,
  ]),
  licenseBodies: referenceData.licenseBodies.map((row) => [row.license_body_id, row.name]),
  titles: referenceData.titles.map((row) => [row.id, row.name]),
  genders: referenceData.genders.map((row) => [row.id, row.name]),
  timezones: referenceData.timezones.map((row) => [row.timezone_id, row.timezone_name]),
  phoneCodes: referenceData.phoneCodes.map((row) => [row.phone_code_id, `${row.phone_code} ${row.country}`]),
  services: referenceData.services.map((row) => [row.service_id, row.name]),
  guidedSearch: referenceData.guidedSearch.map((row) => [row.category_id, row.name]),
}

test.each(Object.entries(referenceData))(
  '%s has ids that run from 1 and names that are all different',
  (name, data) => {
    const rows = lists[name] ?? []
    expect(rows.length).toBe(data.length)
    expect(rows.map(([id]) => id)).toEqual(rows.map((_, index) => index + 1))
    expect(new Set(rows.map(([, label]) => label)).size).toBe(rows.length)
    expect(rows.every(([, label]) => label.trim() === label && label.length > 1)).toBe(true)
  },
)

describe('time zones', () => {
  test('are all known to the runtime, Europe/London first', () => {
    expect(referenceData.timezones[0]?.timezone_name).toBe('Europe/London')
    for (const zone of referenceData.timezones) {
      expect(() => new Intl.DateTimeFormat('en-GB', { timeZone: zone.timezone_name })).not.toThrow()
      expect(zone.label).not.toBe('')
    }
  })

  test('hold every zone that a browser may report, by its name of today', () => {
    const known = new Set(referenceData.timezones.map((zone) => zone.timezone_name))
    const missing = Intl.supportedValuesOf('timeZone').filter((name) => !known.has(zoneNameOfToday(name)))
    expect(missing).toEqual([])
  })
})

test('phone codes begin with the United Kingdom and are a plus and one to six digits', () => {
  expect(referenceData.phoneCodes[0]).toMatchObject({ phone_code: '+44', country_code: 'GB' })
  for (const row of referenceData.phoneCodes) {
    expect(row.phone_code).toMatch(/^\+[1-9]\d{0,5}$/)
    expect(row.country_code).toMatch(/^[A-Z]{2}$/)
  }
})

test('every profession has a licensing body and a service of its own', () => {
  for (const { provider_id } of referenceData.providerTypes) {
    expect(referenceData.licenseBodies.some((body) => body.provider_ids.includes(provider_id))).toBe(true)
    expect(referenceData.services.some((service) => service.provider_ids.includes(provider_id))).toBe(true)
  }
})

test('service lengths are within what can be offered', () => {
  for (const minutes of referenceData.services.flatMap((service) => service.usual_minutes)) {
    expect(minutes).toBeGreaterThanOrEqual(15)
    expect(minutes).toBeLessThanOrEqual(240)
  }
})

test('every issue belongs to at least one way into the questionnaire, and each way has issues', () => {
  expect(referenceData.issues.filter((issue) => issue.categories.length === 0)).toEqual([])
  for (const category of [0, 1, 2, 3] as const) {
    expect(
      referenceData.issues.filter((issue) => issue.categories.includes(category)).length,
    ).toBeGreaterThan(4)
  }
})

test('descriptions are plain sentences that promise nothing', () => {
  const texts = [
    ...referenceData.issues.map((row) => row.description),
    ...referenceData.therapyTypes.map((row) => row.therapy_type_description),
  ]
  for (const text of texts) {
    expect(text).toMatch(/^[A-Z].*\.$/s)
    expect(text).not.toMatch(/!|\b(cure|cures|guarantee|guaranteed|heal|heals|proven)\b/i)
  }
})

test('every therapy type has a picture of its own, small and without script or outside links', () => {
  const pictures = referenceData.therapyTypes.map((row) => row.image)
  expect(new Set(pictures).size).toBe(pictures.length)
  for (const picture of pictures) {
    expect(picture).toMatch(/^\/illustrations\/therapy\/[a-z-]+\.svg$/)
    expect(existsSync(publicFolder + picture), picture).toBe(true)
    const svg = readFileSync(publicFolder + picture, 'utf8')
    expect(svg.length).toBeLessThan(40_000)
    expect(svg).not.toMatch(/<script|<image|<foreignObject|xlink:href|\bon[a-z]+=/i)
  }
})

test('a language is found by its name', () => {
  expect(languageId('English')).toBe(1)
  expect(referenceData.languages[languageId('Polish') - 1]?.language_name).toBe('Polish')
})
