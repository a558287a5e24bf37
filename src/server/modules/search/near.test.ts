import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { milesBetween, type Point } from '#contract/places.ts'
import { PractitionerList } from '#contract/search.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import type { DemoPractitioner } from '#server/db/seed/demo/types.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { systemRandom } from '#server/ids.ts'
import { openGazetteer } from '#server/integrations/gazetteer/gazetteer.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'

let app: TestApp
let people: DemoPractitioner[]
const gazetteer = openGazetteer()

beforeAll(async () => {
  app = await buildTestApp()
  const now = app.clock.now()
  people = [...demoPractitioners({ count: 120, seed: 3, today: now.toISOString().slice(0, 10) })]
  await insertPractitioners(app.db, people, 1, { now, random: systemRandom, passwordHashes: new Map() })
  await app.services.search.rebuild(app.db)
})
afterAll(() => app.close())

const search = async (query: Record<string, string>) => {
  const inPerson = { session_type: 'face_to_face', per_page: '50', ...query }
  const answer = await app.call(
    'GET',
    `/practitioner/get-practitioners?${new URLSearchParams(inPerson).toString()}`,
  )
  expect(answer.status).toBe(200)
  return PractitionerList.parse(answer.body)
}

/** The middles of the districts that a practitioner sees clients in; Northern Ireland's towns. */
const pointsOf = (person: DemoPractitioner): Point[] =>
  person.locations.flatMap(({ postalCode, latitude, longitude }) => {
    const district = gazetteer.district(postalCode.split(' ')[0] ?? '')
    const middle = (degrees: number) => (Math.floor(degrees / 0.02) + 0.5) * 0.02
    return district ?? { latitude: middle(latitude), longitude: middle(longitude) }
  })

const seesInPerson = (person: DemoPractitioner) =>
  person.services.some(({ appointmentType }) => appointmentType === 'face_to_face')

test.each([
  ['Leeds', '1'],
  ['LS6', '3'],
  ['leeds LS6 2AB', '10'],
  ['London', '5'],
  ['EH1', '25'],
  ['Belfast', '10'],
] as const)(
  'near %s within %s miles finds who brute force finds, the nearest first',
  async (near, within) => {
    const found = gazetteer.find(near)
    if (!('place' in found)) throw new Error(`${near} is no place.`)
    const distances = new Map<number, number>()
    for (const [index, person] of people.entries()) {
      const miles = Math.min(...pointsOf(person).map((point) => milesBetween(found.place, point)))
      if (seesInPerson(person) && miles <= Number(within)) distances.set(index + 1, miles)
    }
    const list = await search({ near, within, sort: 'nearest' })
    expect(list.meta).toMatchObject({ total: distances.size, near: found.place.label })
    expect(list.data.length).toBeGreaterThan(0)
    expect(new Set(list.data.map((card) => card.id))).toEqual(new Set(distances.keys()))
    const shown = list.data.map((card) => card.distance_miles ?? Number.NaN)
    expect(shown).toEqual(shown.toSorted((a, b) => a - b))
    for (const card of list.data) expect(card.distance_miles).toBeCloseTo(distances.get(card.id) ?? -1, 1)
    expect(list.data.every((card) => typeof card.district === 'string')).toBe(true)
  },
)

test('equal distances are ordered by rank, and pages neither repeat nor skip', async () => {
  const all = await search({ near: 'London', within: '25', sort: 'nearest' })
  const ranked = await search({ near: 'London', within: '25' })
  const rank = new Map(ranked.data.map((card, place) => [card.id, place]))
  const keys = all.data.map((card) => [card.district, rank.get(card.id) ?? 0] as const)
  const districts = Map.groupBy(keys, ([district]) => district)
  expect(Math.max(...[...districts.values()].map((group) => group.length))).toBeGreaterThan(1)
  for (const group of districts.values()) {
    expect(group.map(([, place]) => place)).toEqual(group.map(([, place]) => place).toSorted((a, b) => a - b))
  }
  const paged: number[] = []
  for (let page = 1; page <= Math.ceil(all.meta.total / 7); page++) {
    const next = await search({
      near: 'London',
      within: '25',
      sort: 'nearest',
      per_page: '7',
      page: `${page}`,
    })
    paged.push(...next.data.map((card) => card.id))
  }
  expect(paged).toEqual(all.data.map((card) => card.id))
})

test('the usual distance is ten miles', async () => {
  const [usual, ten] = [await search({ near: 'Leeds' }), await search({ near: 'Leeds', within: '10' })]
  expect(usual.meta.total).toBe(ten.meta.total)
})

describe('near is no filter, and cards have no distance,', () => {
  test.each([
    ['without a format', { session_type: '' }],
    ['online', { session_type: 'online' }],
  ])('%s', async (_, format) => {
    const plain = await search(format)
    const near = await search({ ...format, near: 'Leeds', within: '1', sort: 'nearest' })
    expect(near).toEqual(plain)
    expect(near.data[0]).not.toHaveProperty('distance_miles')
  })

  test.each([
    ['Newport', 'ambiguous', 'Newport, near Telford'],
    ['Pembroke', 'ambiguous', 'Pembroke, near Llanelli'],
    ['BD23 1AA', 'postcode', 'Leeds'],
    ['HA1 2AB', 'postcode', 'Harrow'],
    ['BT7', 'northern_ireland', 'Belfast'],
    ['Sheffeild', 'town', 'Sheffield'],
  ])('near %s, which is answered with towns to choose', async (near, reason, town) => {
    const { meta, data } = await search({ near, sort: 'nearest' })
    expect(meta.near_unknown).toEqual({ reason, towns: expect.arrayContaining([town]) })
    expect(meta.near).toBeUndefined()
    expect(meta.total).toBe((await search({})).meta.total)
    expect(data[0]).not.toHaveProperty('distance_miles')
    expect((await search({ near: town })).meta.near).toBe(town)
  })
})

test('without matches, dropping the format is counted without the place, and dropping the place with the format', async () => {
  const none = await search({ near: 'Lerwick', within: '1' })
  expect(none.meta.total).toBe(0)
  const totals = new Map(none.meta.relax?.map(({ filter, total }) => [filter, total]))
  expect(totals.get('session_type')).toBe((await search({ session_type: '' })).meta.total)
  expect(totals.get('near')).toBe((await search({})).meta.total)
})

test.each(['within=2', 'within=-1', 'within=x', `near=${'a'.repeat(61)}`])('%s is 422', async (query) => {
  const answer = await app.call('GET', `/practitioner/get-practitioners?session_type=face_to_face&${query}`)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors ?? {})).toEqual([query.split('=')[0]])
})

test('a practitioner whose place is not known comes last, with an unknown distance', async () => {
  const [first] = (await search({ near: 'Leeds', within: '10', sort: 'nearest' })).data
  if (!first) throw new Error('Nobody is near Leeds.')
  const movedTo = (address: { postal_code: string; city: string }) =>
    app.db
      .updateTable('locations')
      .set({ ...address, latitude: null, longitude: null })
      .set({ outward_code: null, district_name: null, point_source: null })
      .where('practitioner_id', '=', first.id)
      .execute()
  await movedTo({ postal_code: 'unknown', city: 'Nowhere at all' })
  // Until the job has looked the address up, its place is unknown.
  for (const step of ['unknown', 'computed'] as const) {
    if (step === 'computed') await app.services.search.refresh()
    await app.services.search.catchUp()
    const list = await search({ near: 'Leeds', within: '10', sort: 'nearest' })
    expect(list.data.at(-1)).toMatchObject({ id: first.id, distance_miles: null, district: null })
  }
  await movedTo({ postal_code: 'LS6 2AB', city: 'Leeds' })
  await app.services.search.refresh()
  await app.services.search.catchUp()
  const again = await search({ near: 'LS6', within: '1', sort: 'nearest' })
  expect(again.data.find((card) => card.id === first.id)).toMatchObject({
    distance_miles: 0,
    district: 'Headingley, Leeds',
  })
  const stored = await app.db
    .selectFrom('locations')
    .select(['outward_code', 'district_name', 'point_source'])
    .where('practitioner_id', '=', first.id)
    .executeTakeFirst()
  expect(stored).toEqual({
    outward_code: 'LS6',
    district_name: 'Headingley, Leeds',
    point_source: 'postcode',
  })
})

test('a full postcode is in no log', async () => {
  await search({ near: 'LS6 2ZQ', sort: 'nearest' })
  expect(app.logged()).not.toMatch(/2ZQ/i)
})
