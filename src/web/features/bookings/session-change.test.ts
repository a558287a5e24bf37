import { expect, test } from 'vitest'
import { changedPrice, isChange, unpaidPrice } from './session-change.ts'

const booked = {
  fee: 60,
  full_fee: 60,
  discount: 0,
  service_id: 1,
  appointment_type: 'online' as const,
  starts_at: '2027-03-04T14:00:00+00:00',
  location_id: null,
}
const discounted = { ...booked, fee: 48, discount: 12 }

test('another time for the same service costs nothing, even when its price has changed since', () => {
  expect(changedPrice(booked, { service_id: 1, appointment_type: 'online', fee: 75 })).toEqual({
    due: 6000,
    difference: 0,
  })
})

test.each([
  [85.5, 8550, 2550],
  [40, 4000, -2000],
  [60, 6000, 0],
  [60.3, 6030, 30],
  [59.99, 5999, -1],
])('another service at £%d is due %i pence, a difference of %i', (fee, due, difference) => {
  expect(changedPrice(booked, { service_id: 2, appointment_type: 'online', fee })).toEqual({
    due,
    difference,
  })
})

test('what is dearer by less than a card can be charged costs what was agreed', () => {
  const agreed = { due: 6000, difference: 0 }
  expect(changedPrice(booked, { service_id: 2, appointment_type: 'online', fee: 60.29 })).toEqual(agreed)
  expect(changedPrice(booked, { service_id: 2, appointment_type: 'online', fee: 60.01 })).toEqual(agreed)
})

test('another format of the same service counts as another choice', () => {
  const price = changedPrice(booked, { service_id: 1, appointment_type: 'face_to_face', fee: 70 })
  expect(price.difference).toBe(1000)
})

test('a discounted session keeps its discount, to the nearest penny', () => {
  expect(changedPrice(discounted, { service_id: 1, appointment_type: 'online', fee: 99 }).difference).toBe(0)
  expect(changedPrice(discounted, { service_id: 2, appointment_type: 'online', fee: 100 }).due).toBe(8000)
  expect(changedPrice(discounted, { service_id: 2, appointment_type: 'online', fee: 52.53 }).due).toBe(4202)
})

test('the same instant in another offset is no change; another time, service, format or place is', () => {
  const same = {
    serviceId: 1,
    type: 'online' as const,
    startsAt: '2027-03-04T15:00:00+01:00',
    locationId: null,
  }
  expect(isChange(booked, same)).toBe(false)
  expect(isChange(booked, { ...same, startsAt: '2027-03-04T15:00:00Z' })).toBe(true)
  expect(isChange(booked, { ...same, serviceId: 2 })).toBe(true)
  expect(isChange(booked, { ...same, type: 'face_to_face' })).toBe(true)
  expect(isChange({ ...booked, location_id: 4 }, { ...same, locationId: 5 })).toBe(true)
})

test.each([
  ['2027-03-02T13:59:59Z', 0],
  ['2027-03-02T14:00:00Z', 7500],
])('an unpaid session moved to two days ahead at %s is due %i pence now', (now, difference) => {
  expect(unpaidPrice({ due: 7500, difference: 1500 }, '2027-03-04T14:00:00Z', Date.parse(now))).toEqual({
    due: 7500,
    difference,
  })
})
