import { expect, test } from 'vitest'
import { durationFault, entriesOf, feeFault, offeredOf } from './service-entries.ts'

test('saved services make one list, and the list the two that are sent', () => {
  const saved = {
    online: [{ service_id: 2, duration: 50, fee: 65.5 }],
    face_to_face: [{ service_id: 2, duration: 60, fee: 80 }],
  }
  const entries = entriesOf(saved)
  expect(entries).toEqual([
    { service_id: '2', format: 'online', duration: '50', fee: '65.50' },
    { service_id: '2', format: 'face_to_face', duration: '60', fee: '80' },
  ])
  expect(offeredOf(entries, 'online')).toEqual(saved.online)
  expect(offeredOf(entries, 'face_to_face')).toEqual(saved.face_to_face)
})

test.each(['14', '241', '', '50.5', '1e2', ' 50'])('a length of %j minutes is refused', (text) => {
  expect(durationFault(text)).toBeDefined()
})

test.each(['0', '1000.01', '', '5.555', '1e2', '-5'])('a price of %j pounds is refused', (text) => {
  expect(feeFault(text)).toBeDefined()
})

test('parts of a penny are named as what is wrong', () => {
  expect(feeFault('65.555')).toBe('Enter pounds and whole pence.')
  expect(feeFault('1000.01')).toBe('Enter a price between £1 and £1,000.')
})

test('a length and a price within the bounds are taken, the pence after a point or a comma', () => {
  expect([durationFault('15'), durationFault('240')]).toEqual([undefined, undefined])
  expect(['1', '1000', '65,50', '65.5'].map(feeFault)).toEqual([undefined, undefined, undefined, undefined])
})
