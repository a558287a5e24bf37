import { expect, test } from 'vitest'
import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'
import { changesOf, type WaitlistValues } from './waitlist-terms.ts'
import { usualWindows } from './windows.ts'

const newYork = 'America/New_York'
const entry = {
  service_id: 3,
  appointment_type: 'online',
  windows: usualWindows.slice(0, 1).map(({ window }) => ({ ...window, weekdays: [...window.weekdays] })),
  earliest: null,
  latest: '2026-12-01',
  lead_minutes: 720,
  timezone: 'Europe/London',
  swaps: null,
} as unknown as WaitlistEntry
const saved: WaitlistValues = {
  appointment_type: 'online',
  service_id: '3',
  usual: ['mornings'],
  own: [],
  earliest: '',
  latest: '2026-12-01',
  lead_minutes: '720',
  swaps_appointment_id: '',
}
const changes = (values: Partial<WaitlistValues>, from = entry) =>
  changesOf(from, saved, { ...saved, ...values }, newYork)

test('a change of a place that leaves its hours leaves their clock too', () => {
  expect(changes({})).toEqual({})
  expect(changes({ lead_minutes: '60' })).toEqual({ lead_minutes: 60 })
  // A first day that has passed is left out by the form, not by the client.
  expect(changes({}, { ...entry, earliest: '2026-05-01' })).toEqual({ earliest: null })
})

test('changed hours and days are on the clocks of the device', () => {
  expect(changes({ latest: '2026-12-05' })).toEqual({ latest: '2026-12-05', timezone: newYork })
  expect(changes({ earliest: '2026-11-01' })).toEqual({ earliest: '2026-11-01', timezone: newYork })
  expect(changes({ usual: ['weekends'] })).toEqual({
    windows: [{ weekdays: [6, 7], from: '08:00', to: '22:00' }],
    timezone: newYork,
  })
})
