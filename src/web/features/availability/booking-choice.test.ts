import { expect, test } from 'vitest'
import type { Service, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { bookingPath, formatsOf, pickService } from './booking-choice.ts'

const service = (service_id: number, appointment_type: Service['appointment_type']): Service => ({
  service_id,
  service_name: 'Individual therapy',
  duration: 50,
  fee: 60,
  appointment_type,
})
const both: ServiceTypes = {
  online: [service(1, 'online'), service(2, 'online')],
  face_to_face: [service(2, 'face_to_face'), service(3, 'face_to_face')],
}

test('the service asked for is kept in the other format where it is offered there', () => {
  expect(pickService(both)).toEqual(service(1, 'online'))
  expect(pickService(both, 'face_to_face', 2)).toEqual(service(2, 'face_to_face'))
  expect(pickService(both, 'face_to_face', 1)).toEqual(service(2, 'face_to_face'))
})

test('a format that is not offered gives way to the one that is', () => {
  const inPerson = { ...both, online: [] }
  expect(formatsOf(inPerson)).toEqual(['face_to_face'])
  expect(pickService(inPerson, 'online', 3)).toEqual(service(3, 'face_to_face'))
  expect(pickService({ online: [], face_to_face: [] })).toBeUndefined()
})

test('a chosen time leads to its booking with the instant and its offset', () => {
  const path = bookingPath(7, service(2, 'face_to_face'), { starts_at: '2026-06-09T10:00:00+01:00' })
  const { pathname, searchParams } = new URL(path, 'http://hearth.test')
  expect(pathname).toBe('/book-therapist')
  expect(Object.fromEntries(searchParams)).toEqual({
    practitionerId: '7',
    service: '2',
    datetime: '2026-06-09T10:00:00+01:00',
    type: 'face_to_face',
  })
})
