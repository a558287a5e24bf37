import { expect, test } from 'vitest'
import { nextFree, noTimesLabel, startLabel, waitingIn, whenLabel } from './free-time.ts'

const london = 'Europe/London'
const now = '2026-06-09T22:30:00Z'

test.each([
  ['2026-06-09T22:45:00Z', london, 'today at 23:45', 'Today 23:45'],
  ['2026-06-10T08:00:00Z', london, 'tomorrow at 09:00', 'Wed 09:00'],
  ['2026-06-15T08:00:00Z', london, 'on Monday at 09:00', 'Mon 09:00'],
  ['2026-06-16T08:00:00Z', london, 'on Tuesday 16 June at 09:00', '16 Jun 09:00'],
  ['2027-01-05T09:00:00Z', london, 'on Tuesday 5 January 2027 at 09:00', '5 Jan 09:00'],
  ['2026-06-10T01:00:00Z', 'America/New_York', 'today at 21:00', 'Today 21:00'],
])('%s in %s is %s, in short %s', (startsAt, zone, words, short) => {
  expect(whenLabel(startsAt, zone, now)).toBe(words)
  expect(startLabel(startsAt, zone, now)).toBe(short)
})

test('the night the clocks go forward is still one night', () => {
  expect(whenLabel('2026-03-29T08:00:00Z', london, '2026-03-28T23:30:00Z')).toBe('tomorrow at 09:00')
})

test('the earliest time counts, or the earliest in the format asked for', () => {
  const next = { online: '2026-06-11T09:00:00Z', face_to_face: '2026-06-10T09:00:00Z' }
  expect(nextFree(next)).toEqual({ startsAt: next.face_to_face, type: 'face_to_face' })
  expect(nextFree(next, 'online')).toEqual({ startsAt: next.online, type: 'online' })
  expect(nextFree({ online: null, face_to_face: null })).toBeUndefined()
  expect(nextFree({ online: null, face_to_face: next.online }, 'online')).toBeUndefined()
})

test('the number of those who wait is read back out of the words of a card', () => {
  const labels = [null, 0, 1, 3].map(noTimesLabel)
  expect(labels).toEqual([
    'No free times in the coming weeks',
    'Full. You can join the waitlist',
    'Full. 1 is waiting',
    'Full. 3 are waiting',
  ])
  expect(labels.map(waitingIn)).toEqual([null, 0, 1, 3])
})
