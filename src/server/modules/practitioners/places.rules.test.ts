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
    'the stored postcode, with a space that does not break',
    imported,
    { postal_code: 'LS6\u00a02AB', ...none },
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

test('coordinates that were sent keep the source of the stored point only where they and the postcode are the same', () => {
  const atTown = { postal_code: 'LS99 1AA', city: 'Leeds', ...leeds, point_source: 'town' as const }
  const sourceOf = (change: Partial<typeof atTown>) =>
    lookUpSent(known, { ...atTown, ...change }, atTown).point_source
  expect(lookUpSent(known, atTown, atTown)).toEqual({
    outward_code: 'LS99',
    district_name: 'Leeds',
    ...leeds,
    point_source: 'town',
  })
  expect(sourceOf({ latitude: 53.8 })).toBeNull()
  expect(sourceOf({ longitude: -1.55 })).toBeNull()
  expect(sourceOf({ postal_code: 'LS98 1AA' })).toBeNull()
})

test('a stored point that stays has the district of its postcode beside it', () => {
  expect(lookUpSent(imported, { ...stored, ...none, postal_code: 'ls62ab' }, stored)).toMatchObject({
    outward_code: 'LS6',
    ...typed,
  })
})

test('a coordinate alone is no point, and a stored address without a point is looked up again', () => {
  const alone = { postal_code: 'LS6 2AB', city: 'Leeds', latitude: 50, longitude: null }
  expect(lookUpSent(known, alone, undefined)).toMatchObject(headingley)
  expect(lookUpSent(known, { ...alone, latitude: null, longitude: 1 }, undefined)).toMatchObject(headingley)
  expect(lookUpSent(known, { ...alone, ...none }, { ...stored, ...none })).toMatchObject({
    outward_code: 'LS6',
    ...headingley,
    point_source: 'postcode',
  })
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

test.each([
  ['TF10 7AA', 'Newport', 'Newport, near Telford'],
  ['PO30 1AA', 'Newport', 'Newport, near Gosport'],
  ['NP20 1AA', 'newport', 'Newport, Wales'],
  ['TW15 1AA', 'Ashford', 'Ashford, near Staines'],
  ['BT29 4AA', 'Crumlin', 'Crumlin, near Lisburn'],
  ['BT33 0AA', 'Newcastle', 'Newcastle, near Lisburn'],
  ['BT48 6AA', 'Londonderry', 'Derry'],
  ['LS99 1AA', 'Newport, near Telford', 'Newport, near Telford'],
  ['NE1 4AA', 'Newcastle', 'Newcastle upon Tyne'],
  ['ST5 1AA', 'Newcastle', 'Newcastle under Lyme'],
  ['PE32 1TE', 'Narborough', "Narborough, near King's Lynn"],
  ['HP18 9QE', 'Oakley', 'Oakley, near Oxford'],
  ['PE32 1AA', 'Grimston', "Grimston, near King's Lynn"],
  ['PE20 3AA', 'Swineshead', 'Swineshead, near Boston'],
  ['WA15 9AA', 'Hale', 'Hale, near Altrincham'],
  ['none', 'Newport', 'Newport, Wales'],
] as const)('a postcode such as %s tells namesakes of %s apart', (postal_code, city, label) => {
  const town = known.towns().find((each) => each.label === label)
  expect(town).toBeDefined()
  const point = { latitude: town?.latitude, longitude: town?.longitude }
  const address = { postal_code, city }
  expect(lookUpSent(known, { ...address, ...none }, undefined)).toMatchObject({
    ...point,
    point_source: 'town',
  })
  expect(publicPoint(known, address, undefined)).toEqual(point)
})

test('the point of another town of the name, stored before, goes as the address is sent again', () => {
  const address = { postal_code: 'IM8 1AA', city: 'Ramsey' }
  const wrong = { ...address, latitude: 52.4506, longitude: -0.1093, point_source: 'town' as const }
  expect(lookUpSent(known, { ...address, ...none }, wrong)).toMatchObject({ ...none, point_source: null })
  const own = { ...wrong, point_source: null }
  expect(lookUpSent(known, { ...address, ...none }, own)).toMatchObject({
    latitude: 52.4506,
    point_source: null,
  })
})

test.each([
  ['E15 1AA', 'Stratford'],
  ['IP12 1AA', 'Melton'],
])('an address with %s is not in a far town whose name only begins with %s', (postal_code, city) => {
  expect(lookUpSent(known, { postal_code, city, ...none }, undefined)).toMatchObject({
    ...none,
    point_source: null,
  })
})

test.each([
  ['IM8 1AA', 'Ramsey'],
  ['IM1 1AA', 'Douglas'],
  ['GY6 8AA', 'St Andrews'],
  ['BT1 1AA', 'Leeds'],
  ['BT20 4AA', 'Richmond'],
] as const)('an address with %s is in no town called %s that has other postcodes', (postal_code, city) => {
  const address = { postal_code, city }
  expect(known.town(city)).toBeDefined()
  expect(lookUpSent(known, { ...address, ...none }, undefined)).toEqual({
    outward_code: postal_code.split(' ')[0],
    district_name: city,
    ...none,
    point_source: null,
  })
  expect(publicPoint(known, address, undefined)).toBeUndefined()
})

test('a full postcode is stored in its usual form', () => {
  const sent = ['ls62ab', 'EC1A1BB', 'LS6\u00a02AB', 'LS6\u20092AB\t', '75001', 'LS6']
  expect(sent.map(formatPostcode)).toEqual(['LS6 2AB', 'EC1A 1BB', 'LS6 2AB', 'LS6 2AB', '75001', 'LS6'])
})
