import { expect, test } from 'vitest'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { addCardPath, chosenBefore, readBookingRequest } from './booking-address.ts'

const request = {
  practitionerId: 12,
  serviceId: 3,
  startsAt: '2027-03-04T14:00:00.000Z',
  type: 'online' as const,
}
const read = (query: string) => readBookingRequest(new URLSearchParams(query))

test('what is written into an address is read out of it', () => {
  const [, query = ''] = bookTherapistPath(request).split('?')
  expect(read(query)).toEqual(request)
})

test('the way to add a card carries the session and the way back', () => {
  const [path, query = ''] = addCardPath({ session_id: 'abc', fee: 52.5 }, request).split('?')
  const search = new URLSearchParams(query)
  expect(path).toBe('/add-card')
  expect(Object.fromEntries(search)).toMatchObject({
    session: 'abc',
    price: '52.5',
    process: 'booking-process',
  })
  expect(readBookingRequest(search)).toEqual(request)
})

test.each(['2027-03-04T15:00:00+01:00', '2027-03-04T15:00:00%2B01:00', '2027-03-04T14:00Z'])(
  'the time %s is the same instant',
  (datetime) => {
    expect(read(`practitionerId=12&service=3&datetime=${datetime}&type=online`)).toEqual(request)
  },
)

test.each([
  ['', { missing: 'practitioner' }],
  ['practitionerId=0&service=3', { missing: 'practitioner' }],
  ['practitionerId=12x', { missing: 'practitioner' }],
  ['practitionerId=12', { missing: 'service', practitionerId: 12 }],
  ['practitionerId=12&service=-1', { missing: 'service', practitionerId: 12 }],
  ['practitionerId=12&service=3', { missing: 'time', practitionerId: 12 }],
  ['practitionerId=12&service=3&datetime=tomorrow', { missing: 'time', practitionerId: 12 }],
  ['practitionerId=12&service=3&datetime=2027-03-04 14:00', { missing: 'time', practitionerId: 12 }],
  ['practitionerId=12&service=3&datetime=2027-13-44T14:00Z', { missing: 'time', practitionerId: 12 }],
])('"%s" says what it lacks', (query, lack) => {
  expect(read(query)).toEqual(lack)
})

test('an unknown format is left to what the practitioner offers', () => {
  expect(read('practitionerId=12&service=3&datetime=2027-03-04T14:00Z&type=phone')).toEqual({
    ...request,
    type: undefined,
  })
})

test('the path that sign-in leads back to says what was chosen', () => {
  expect(chosenBefore(bookTherapistPath(request))).toEqual({ practitionerId: 12, request })
  expect(chosenBefore('/book-therapist?practitionerId=12')).toEqual({ practitionerId: 12 })
  expect(chosenBefore('/chats?with=12')).toEqual({ practitionerId: 12 })
})

test.each(['/', '/my-sessions', '/chats', '/chats?with=x', '/book-therapist', '/account?with=12'])(
  'the path %s says nothing of a choice',
  (path) => {
    expect(chosenBefore(path)).toBeUndefined()
  },
)
