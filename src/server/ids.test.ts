import { expect, it } from 'vitest'
import { systemRandom } from './ids.ts'

it('ids are UUIDs of version 7 that carry their millisecond', () => {
  for (const at of [0, 1, Date.parse('2026-06-01T08:00:00.123Z'), 2 ** 48 - 1]) {
    const id = systemRandom.uuid(new Date(at))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at)
  }
})

it('ids of one millisecond differ, and no digit of theirs that is drawn is always the same', () => {
  const now = new Date('2026-06-01T08:00:00Z')
  const ids = Array.from({ length: 2000 }, () => systemRandom.uuid(now))
  expect(new Set(ids).size).toBe(2000)
  const drawn = ids.map((id) => id.slice(15).replaceAll('-', ''))
  for (let place = 0; place < 19; place++) {
    // The first digit of the second half has two bits alone that are drawn.
    expect(new Set(drawn.map((digits) => digits[place])).size).toBe(place === 3 ? 4 : 16)
  }
})
