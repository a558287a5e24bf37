import { expect, test } from 'vitest'
import { openGazetteer } from '#server/integrations/gazetteer/gazetteer.ts'
import type { Gazetteer } from '#server/integrations/gazetteer/port.ts'
import { formatPostcode, lookUpSent, publicPoint } from './places.rules.ts'

const known = openGazetteer()
const exact = { latitude: 53.81871, longitude: -1.56999 }
/** As after an import of postcodes. */
const imported: Gazetteer = {
  ...known,
  postcode: (text) => (text === 'LS6 2AB' ? exact : undefined),
}
const none = { latitude: null, longitude: null }
const typed = { latitude: 53.8, longitude: -1.55 }
const headingley = { latitude: 53.8194, longitude: -1.579 }
const leeds = { latitude: 53.7965, longitude: -1.5478 }
const stored = { postal_code: 'LS6 2AB', city: 'Leeds', ...typed, point_source: null }

test.each([
  ['a known postcode', imported, { postal_code: 'LS6 2AB', ...none }, undefined, exact, 'postcode'],
  [
    'a known postcode with coordinates',
    imported,
    { postal_code: 'LS6 2AB', ...typed },
    undefined,
    exact,
    'postcode',
  ],
  ['a known outward code', known, { postal_code: 'LS6 2AB', ...none }, undefined, headingley, 'postcode'],
  ['an unknown postcode', known, { postal_code: 'LS99 1AA', ...none }, undefined, leeds, 'town'],
  [
    'coordinates without a known postcode',
    known,
    { postal_code: 'LS6 2AB', ...typed },
    undefined,
    typed,
    null,
  ],
  [
    'the stored postcode, otherwise written',
    imported,
    { postal_code: 'ls62ab', ...none },
    stored,
    typed,
    null,
  ],
  [
    'another postcode than the stored one',
    known,
    { postal_code: 'LS6 3AA', ...none },
    stored,
    headingley,
    'postcode',
  ],
] as const)('a place with %s gets its point', (_, gazetteer, sent, before, point, source) => {
  const found = lookUpSent(gazetteer, { city: 'Leeds', ...sent }, before)
  expect(found).toMatchObject({ ...point, point_source: source })
})

test("a town's point follows the town, and a typed one does not", () => {
  const atTown = { postal_code: 'LS99 1AA', city: 'Leeds', ...leeds, point_source: 'town' as const }
  const moved = { postal_code: 'LS99 1AA', city: 'Bradford', ...none }
  expect(lookUpSent(known, moved, atTown)).toMatchObject({ longitude: -1.7521, point_source: 'town' })
  expect(lookUpSent(known, moved, { ...atTown, ...typed, point_source: null })).toMatchObject(typed)
})

test('a place that is not known anywhere has no point', () => {
  const abroad = { postal_code: '75001', city: 'Paris sur Mer', ...none }
  expect(lookUpSent(known, abroad, undefined)).toEqual({
    outward_code: null,
    district_name: 'Paris sur Mer',
    ...none,
    point_source: null,
  })
})

test('the public sees the middle of a district, and without one a coarse point or the town', () => {
  expect(publicPoint(known, { postal_code: 'LS6 2AB', city: 'Leeds' }, typed)).toEqual(headingley)
  expect(publicPoint(known, { postal_code: 'LS99 1AA', city: 'Leeds' }, typed)).toEqual({
    latitude: 53.81,
    longitude: -1.55,
  })
  expect(publicPoint(known, { postal_code: 'LS99 1AA', city: 'Leeds' }, undefined)).toEqual(leeds)
  expect(publicPoint(known, { postal_code: '75001', city: 'Nowhere' }, undefined)).toBeUndefined()
})

test('a full postcode is stored in its usual form', () => {
  expect(['ls62ab', 'EC1A1BB', '75001', 'LS6'].map(formatPostcode)).toEqual([
    'LS6 2AB',
    'EC1A 1BB',
    '75001',
    'LS6',
  ])
})
