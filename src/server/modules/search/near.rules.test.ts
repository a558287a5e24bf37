import fc from 'fast-check'
import { expect, test } from 'vitest'
import { milesBetween } from '#contract/places.ts'
import { cellOf, cellsAround, nearestOf } from './near.rules.ts'

const points = fc.record({
  latitude: fc.double({ min: 49.8, max: 60.9, noNaN: true }),
  longitude: fc.double({ min: -8.7, max: 1.8, noNaN: true }),
})

test('every place within a circle lies in one of its cells', () => {
  const near = fc.record({
    latitude: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
    longitude: fc.double({ min: -0.8, max: 0.8, noNaN: true }),
  })
  fc.assert(
    fc.property(points, near, fc.constantFrom(1, 3, 5, 10, 25), (middle, step, miles) => {
      const place = {
        latitude: middle.latitude + step.latitude,
        longitude: middle.longitude + step.longitude,
      }
      fc.pre(milesBetween(middle, place) <= miles)
      expect(cellsAround({ ...middle, miles })).toContain(cellOf(place))
    }),
    { numRuns: 500 },
  )
})

test('the cells of the widest circle are few enough for a statement', () => {
  expect(cellsAround({ latitude: 60.8, longitude: -1, miles: 25 }).length).toBeLessThan(3500)
})

test('the nearest place is found', () => {
  const leeds = { latitude: 53.79648, longitude: -1.54785 }
  const [bradford, york] = [
    { latitude: 53.79391, longitude: -1.75206 },
    { latitude: 53.95763, longitude: -1.08271 },
  ]
  expect(nearestOf(leeds, [york, bradford])).toEqual({
    place: bradford,
    miles: milesBetween(leeds, bradford),
  })
  expect(nearestOf(leeds, [bradford, york])?.place).toBe(bradford)
  expect(nearestOf(leeds, [])).toBeUndefined()
})
