import { describe, expect, test } from 'vitest'
import {
  addSlots,
  copyDay,
  duplicateFromOnline,
  hoursIn,
  isSameWeek,
  placeFor,
  rangeAround,
  removeSlots,
  setPlace,
  slotsOf,
  slotTimes,
  weekNames,
  withoutPlace,
} from './schedule-draft.ts'

const empty = weekNames.map((week_name) => ({ week_name, online: [], face_to_face: [] }))
const times = (slots: readonly { timeslot: string }[]) => slots.map((slot) => slot.timeslot)

describe('the slots of a range', () => {
  test('are its hours without the last', () => {
    expect(slotTimes({ from: 10, to: 13 })).toEqual(['10:00', '11:00', '12:00'])
    expect(slotTimes({ from: 8, to: 22 })).toHaveLength(14)
    expect(slotTimes({ from: 12, to: 12 })).toEqual([])
  })

  test('hide nothing that is chosen when a week is opened', () => {
    expect(rangeAround(empty)).toEqual({ from: 10, to: 19 })
    const early = addSlots(empty, 'Sut', 'online', ['08:00'], null)
    expect(rangeAround(early)).toEqual({ from: 8, to: 19 })
    expect(rangeAround(addSlots(early, 'Sun', 'face_to_face', ['21:00'], 1))).toEqual({ from: 8, to: 22 })
  })
})

describe('choosing slots', () => {
  test('adds each once, in order, to the one day and format', () => {
    const some = addSlots(empty, 'Mon', 'online', ['12:00', '10:00'], null)
    const all = addSlots(some, 'Mon', 'online', ['10:00', '11:00', '12:00', '11:00'], null)
    expect(times(slotsOf(all, 'Mon', 'online'))).toEqual(['10:00', '11:00', '12:00'])
    expect(slotsOf(all, 'Mon', 'face_to_face')).toEqual([])
    expect(isSameWeek(removeSlots(all, 'Mon', 'online', ['10:00', '11:00', '12:00']), empty)).toBe(true)
    expect(isSameWeek(all, some)).toBe(false)
  })

  test('keeps the places of those that were there', () => {
    const one = addSlots(empty, 'Mon', 'face_to_face', ['10:00'], 7)
    const online = addSlots(one, 'Mon', 'online', ['10:00', '11:00'], null)
    const both = duplicateFromOnline(online, 'Mon', null)
    expect(slotsOf(both, 'Mon', 'face_to_face')).toEqual([
      { timeslot: '10:00', location_id: 7 },
      { timeslot: '11:00', location_id: null },
    ])
    expect(isSameWeek(duplicateFromOnline(both, 'Mon', null), both)).toBe(true)
  })

  test('finds the face-to-face hours without a place, or at a place that is gone', () => {
    const draft = addSlots(
      addSlots(empty, 'Mon', 'face_to_face', ['10:00'], null),
      'Tue',
      'face_to_face',
      ['11:00', '12:00'],
      3,
    )
    expect(withoutPlace(draft, [7])).toEqual([
      { day: 'Mon', timeslot: '10:00' },
      { day: 'Tue', timeslot: '11:00' },
      { day: 'Tue', timeslot: '12:00' },
    ])
    const placed = setPlace(setPlace(draft, 'Mon', 7), 'Tue', 7, ['12:00'])
    expect(withoutPlace(placed, [7])).toEqual([{ day: 'Tue', timeslot: '11:00' }])
  })

  test('gives the only place there is, and leaves a choice between two', () => {
    expect(placeFor('face_to_face', [7])).toBe(7)
    expect(placeFor('face_to_face', [7, 8])).toBeNull()
    expect(placeFor('face_to_face', [])).toBeNull()
    expect(placeFor('online', [7])).toBeNull()
  })
})

test('a day is copied with both formats and nothing else changes', () => {
  const monday = addSlots(
    addSlots(empty, 'Mon', 'online', ['10:00'], null),
    'Mon',
    'face_to_face',
    ['15:00'],
    7,
  )
  const friday = addSlots(monday, 'Fri', 'online', ['20:00'], null)
  const copied = copyDay(friday, 'Mon', ['Tue', 'Fri'])
  expect(slotsOf(copied, 'Fri', 'online')).toEqual(slotsOf(copied, 'Mon', 'online'))
  expect(slotsOf(copied, 'Tue', 'face_to_face')).toEqual([{ timeslot: '15:00', location_id: 7 }])
  expect(slotsOf(copied, 'Wed', 'online')).toEqual([])
  expect(copied.map((day) => day.week_name)).toEqual([...weekNames])
})

test('an hour offered online and face-to-face counts once', () => {
  const online = addSlots(empty, 'Mon', 'online', ['09:00', '10:00'], null)
  const both = addSlots(duplicateFromOnline(online, 'Mon', 7), 'Mon', 'face_to_face', ['11:00'], 7)
  expect([hoursIn(empty), hoursIn(online), hoursIn(both)]).toEqual([0, 2, 3])
  expect(hoursIn(addSlots(both, 'Tue', 'online', ['09:00'], null))).toBe(4)
})
