import { describe, expect, test } from 'vitest'
import { openGazetteer } from './gazetteer.ts'
import { postTowns } from './postcode-areas.ts'

const gazetteer = openGazetteer()
const labelOf = (text: string) => {
  const found = gazetteer.find(text)
  return 'place' in found ? found.place.label : found.unknown
}

describe('a place', () => {
  test.each([
    ['Leeds', 'Leeds'],
    ['  leeds ', 'Leeds'],
    ['saint albans', 'St Albans'],
    ['HULL', 'Kingston upon Hull'],
    ['stoke on trent', 'Stoke-on-Trent'],
    ['Preston', 'Preston'],
    ['Newport, near Telford', 'Newport, near Telford'],
    ['Headingley', 'Headingley, Leeds'],
    ['LS6', 'LS6'],
    ['ls6 2ab', 'LS6'],
    ['Leeds LS6 2AB', 'LS6'],
    // Its population is not known, so Harrow on the Hill is not known to be larger.
    ['Harrow', 'Harrow'],
    ['Pembroke, near Llanelli', 'Pembroke, near Llanelli'],
  ])('is found by %s as %s', (text, label) => {
    expect(labelOf(text)).toBe(label)
  })

  test('of a name that several towns have is asked for', () => {
    expect(labelOf('Newport')).toMatchObject({ reason: 'ambiguous' })
    expect(labelOf('Richmond')).toEqual({
      reason: 'ambiguous',
      towns: ['Richmond, near Darlington', 'Richmond, near Hounslow'],
    })
    expect(labelOf('Clapham')).toMatchObject({
      reason: 'ambiguous',
      towns: expect.arrayContaining(['Clapham, London']),
    })
  })

  test('of a short name is asked for where a larger town has a longer one', () => {
    expect(labelOf('Newcastle')).toMatchObject({
      reason: 'ambiguous',
      towns: expect.arrayContaining([
        'Newcastle upon Tyne',
        'Newcastle under Lyme',
        'Newcastle, near Lisburn',
      ]),
    })
    expect(labelOf('Ince')).toMatchObject({ reason: 'ambiguous' })
    expect(labelOf('Newbiggin')).toMatchObject({ reason: 'ambiguous' })
    expect(labelOf('Stoke')).toEqual({
      reason: 'ambiguous',
      towns: ['Stoke-on-Trent', 'Stoke Gifford', 'Stoke, near Ellesmere Port'],
    })
  })

  test('with a mistake is not guessed: towns of a like name are offered', () => {
    expect(labelOf('Sheffeild')).toEqual({ reason: 'town', towns: ['Sheffield'] })
    expect(labelOf('Xyzzyville')).toEqual({ reason: 'town', towns: [] })
    expect(labelOf(`L${'e'.repeat(10_000)}ds`)).toEqual({ reason: 'town', towns: [] })
  })

  test('is compared with all towns without folding their names again', () => {
    const { normalize } = String.prototype
    let folds = 0
    // oxlint-disable-next-line no-extend-native -- counts, and is put back
    String.prototype.normalize = function (form?: string) {
      folds++
      return normalize.call(this, form)
    }
    try {
      for (const text of ['Leeds', 'Newcastle', 'Sheffeild', 'Xyzzyville']) gazetteer.find(text)
    } finally {
      // oxlint-disable-next-line no-extend-native -- as it was
      String.prototype.normalize = normalize
    }
    expect(folds).toBe(4)
  })

  test('with an outward code that is not known is offered the towns of its area', () => {
    const found = labelOf('BD23')
    expect(found).toMatchObject({ reason: 'postcode' })
    expect(typeof found === 'string' ? [] : found.towns.slice(0, 2)).toEqual(['Bradford', 'Leeds'])
    expect(labelOf('QQ9')).toEqual({ reason: 'postcode', towns: [] })
  })

  test('with a part of a known district of London stands for that district', () => {
    expect(labelOf('W1T 4AB')).toBe('W1T')
    expect(labelOf('W1')).toBe('W1')
    expect(labelOf('N1C')).toBe('N1C')
    expect(gazetteer.find('W1T')).toMatchObject({ place: { latitude: 51.5203, longitude: -0.15 } })
    // Neither its name nor its postcodes are those of a neighbour.
    expect(gazetteer.district('W1T')).toBeUndefined()
    // No part of these is known, or no district has such a part.
    for (const outward of ['E14', 'SW12', 'SE22', 'W11', 'M1', 'LS6A', 'G1', 'WD1']) {
      expect(labelOf(outward)).toMatchObject({ reason: 'postcode' })
    }
  })

  test.each(['SW1A 1AA', 'SW1', 'E1W', 'E1', 'SE1P', 'NW1W', 'EC1A', 'EC4', 'EC2', 'WC2N', 'WC1'])(
    'with %s, which is of central London, is London, under that name',
    (outward) => {
      expect(gazetteer.find(outward)).toMatchObject({
        place: { label: 'London', latitude: 51.5085, longitude: -0.1257 },
      })
      expect(gazetteer.district(outward)).toBeUndefined()
    },
  )

  test('with a postcode in Northern Ireland is offered the towns there', () => {
    expect(labelOf('BT1 5GS')).toMatchObject({
      reason: 'northern_ireland',
      towns: expect.arrayContaining(['Belfast', 'Derry']),
    })
    expect(gazetteer.district('BT1')).toBeUndefined()
    expect(labelOf('Belfast')).toBe('Belfast')
  })
})

test('towns have labels of their own, by which they are found', () => {
  const labels = gazetteer.towns().map((town) => town.label)
  expect(labels.length).toBeGreaterThan(4000)
  expect(new Set(labels).size).toBe(labels.length)
  const lost = gazetteer.towns().filter((town) => gazetteer.town(town.label)?.label !== town.label)
  expect(lost).toEqual([])
  // Otherwise a label that is offered to choose leads back to the same choice.
  expect(labels.filter((label) => labelOf(label) !== label)).toEqual([])
})

test('every postcode area has a town in the list', () => {
  expect(postTowns.size).toBe(120)
  const missing = [...postTowns].filter(([, label]) => gazetteer.town(label)?.label !== label)
  expect(missing).toEqual([])
})

test('an outward code of the demo has the name of its neighbourhood', () => {
  expect(gazetteer.district('LS6')).toMatchObject({ name: 'Headingley, Leeds' })
  expect(gazetteer.district('EH3')).toMatchObject({ name: 'Edinburgh' })
  expect(gazetteer.postcode('LS6 2AB')).toBeUndefined()
})
