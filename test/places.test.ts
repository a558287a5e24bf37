import { expect, test } from 'vitest'
import { milesBetween, parsePostcode, withoutInward } from '#contract/places.ts'

const towns = {
  london: { latitude: 51.50853, longitude: -0.12574 },
  leeds: { latitude: 53.79648, longitude: -1.54785 },
  bradford: { latitude: 53.79391, longitude: -1.75206 },
  edinburgh: { latitude: 55.95206, longitude: -3.19648 },
  glasgow: { latitude: 55.86515, longitude: -4.25763 },
  penzance: { latitude: 50.11861, longitude: -5.53715 },
  lerwick: { latitude: 60.15459, longitude: -1.14827 },
}

test.each([
  ['london', 'leeds', 169.2],
  ['leeds', 'bradford', 8.3],
  ['edinburgh', 'glasgow', 41.6],
  ['london', 'edinburgh', 331.9],
  ['penzance', 'lerwick', 714.4],
  ['leeds', 'leeds', 0],
] as const)('%s and %s are %d miles apart', (from, to, miles) => {
  expect(milesBetween(towns[from], towns[to])).toBeCloseTo(miles, 0)
  expect(milesBetween(towns[to], towns[from])).toBeCloseTo(milesBetween(towns[from], towns[to]), 9)
})

test.each([
  ['LS6 2AB', 'LS6', '2AB'],
  ['ls62ab', 'LS6', '2AB'],
  ['ec1a 1bb', 'EC1A', '1BB'],
  ['W1A 0AX', 'W1A', '0AX'],
  ['M1 1AE', 'M1', '1AE'],
  ['CR2 6XH', 'CR2', '6XH'],
  ['DN55 1PT', 'DN55', '1PT'],
  [' m 2 1 9 q q ', 'M21', '9QQ'],
  ['LS6', 'LS6', null],
  ['sw1a', 'SW1A', null],
])('reads %s as a postcode', (text, outward, inward) => {
  expect(parsePostcode(text)).toEqual({ outward, inward })
})

test.each(['', 'Leeds', 'LS', '6', 'LS6 2A', 'LS6-2AB', 'LS6 2AB7', 'A1B2C3', '١١', 'LS6 2AB'.repeat(50)])(
  'reads no postcode in %j',
  (text) => {
    expect(parsePostcode(text)).toBeUndefined()
  },
)

test.each([
  ['LS6 2AB', 'LS6'],
  ['ls62ab', 'LS6'],
  ['LS6 2A', 'LS6'],
  ['LS62A', 'LS6'],
  ['EC1A1B', 'EC1A'],
  ['M219', 'M21'],
  ['LS6 2', 'LS6'],
  ['12 Ash Grove, Leeds LS6 2AB', 'LS6'],
  ['Leeds, ls6  2ab', 'LS6'],
  ['LS6\u00a02AB', 'LS6'],
  ['Leeds', 'Leeds'],
  ['  Newport, near Telford ', 'Newport, near Telford'],
  ['   ', ''],
])('of %j, %j may be sent', (typed, sent) => {
  expect(withoutInward(typed)).toBe(sent)
})
