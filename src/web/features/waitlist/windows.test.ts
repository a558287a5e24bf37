import { expect, test } from 'vitest'
import {
  chosenFrom,
  faultOf,
  usualWindows,
  windowHours,
  weekdaysLabel,
  windowLabel,
  windowsLabel,
  windowsOf,
} from './windows.ts'

const own = { weekdays: [2, 4], from: '09:00', to: '12:00' }

test('chips and own windows are the same again after saving', () => {
  for (const chosen of [
    { usual: ['mornings'], own: [] },
    { usual: ['evenings', 'weekends'], own: [own] },
    { usual: [], own: [own, { weekdays: [7], from: '18:00', to: '20:00' }] },
  ]) {
    expect(chosenFrom(windowsOf(chosen))).toEqual(chosen)
  }
})

test('a window that is chosen twice is sent once, with its days in order', () => {
  const mornings = { weekdays: [5, 4, 3, 2, 1], from: '08:00', to: '12:00' }
  expect(windowsOf({ usual: ['mornings'], own: [mornings, mornings] })).toEqual([
    { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '12:00' },
  ])
})

test('windows are described in words', () => {
  expect(windowLabel(own)).toBe('Tue and Thu, 09:00 to 12:00')
  expect(windowsLabel([own, usualWindows[3].window, usualWindows[0].window])).toBe(
    'Mon–Fri mornings; weekends; Tue and Thu, 09:00 to 12:00',
  )
  expect([[3], [1, 2, 3, 4, 5], [1, 3, 5], [7, 6], [1, 2, 3, 4, 5, 6, 7]].map(weekdaysLabel)).toEqual([
    'Wed',
    'Mon to Fri',
    'Mon, Wed and Fri',
    'Sat and Sun',
    'Every day',
  ])
})

test('an own window needs a day and an end after its start', () => {
  expect(faultOf(own)).toBeUndefined()
  expect(faultOf({ ...own, weekdays: [] })).toEqual({ days: 'Choose at least one day.' })
  expect(faultOf({ ...own, to: '09:00' })).toEqual({ to: 'Choose a time after the start.' })
})

test('the chips stand for the days and hours that their words name', () => {
  expect(
    usualWindows.map(({ key, label, window }) => [
      key,
      label,
      `${weekdaysLabel(window.weekdays)}, ${window.from} to ${window.to}`,
    ]),
  ).toEqual([
    ['mornings', 'Mon–Fri mornings', 'Mon to Fri, 08:00 to 12:00'],
    ['afternoons', 'Mon–Fri afternoons', 'Mon to Fri, 12:00 to 17:00'],
    ['evenings', 'Mon–Fri evenings', 'Mon to Fri, 17:00 to 22:00'],
    ['weekends', 'Weekends', 'Sat and Sun, 08:00 to 22:00'],
  ])
  expect([windowHours[0], windowHours[1], windowHours[2], windowHours.at(-1)]).toEqual([
    '08:00',
    '09:00',
    '10:00',
    '22:00',
  ])
})

test('windows that differ in their days, start or end alone are all sent', () => {
  const windows = [
    own,
    { ...own, weekdays: [2, 5] },
    { ...own, weekdays: [2] },
    { ...own, from: '10:00' },
    { ...own, to: '13:00' },
    { weekdays: [1, 2, 3, 4, 6], from: '08:00', to: '12:00' },
  ]
  expect(windowsOf({ usual: [], own: windows })).toEqual(windows)
  expect(chosenFrom(windows)).toEqual({ usual: [], own: windows })
})

test('the days of a window are chosen in any order', () => {
  expect(weekdaysLabel([4, 2])).toBe('Tue and Thu')
  expect(windowsOf({ usual: [], own: [{ ...own, weekdays: [4, 2] }] })).toEqual([own])
})
