import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/chat/live.ts'
import { createLines } from './rooms.lines.ts'
import type { Line } from './rooms.rules.ts'

const line: Line = {
  clientId: 'client',
  practitionerAccountId: 'practitioner',
  clientPeer: 'phone',
  practitionerPeer: 'desk',
  isAdmitted: true,
  isOpen: true,
  closesAt: new Date('2026-06-08T10:20:00Z'),
}

let hear: (event: LiveEvent) => void
let hearsOthers: boolean
let lines: ReturnType<typeof createLines>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  hearsOthers = true
  lines = createLines({ onNotice: (given) => (hear = given), hearsOthers: () => hearsOthers })
})
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => void vi.advanceTimersByTime(ms)
const change = (id: string) => hear({ type: 'room.changed', appointment_id: id })

test('a line is kept for a second, by its room', () => {
  expect(lines.get('a')).toBeUndefined()
  lines.keep('a', line, performance.now())
  after(999)
  expect(lines.get('a')).toBe(line)
  expect(lines.get('b')).toBeUndefined()
  after(1)
  expect(lines.get('a')).toBeUndefined()
})

test('a change of its room drops a line, and no other', () => {
  for (const id of ['a', 'b']) lines.keep(id, line, performance.now())
  after(10)
  change('a')
  hear({ type: 'chat.changed' })
  expect(lines.get('a')).toBeUndefined()
  expect(lines.get('b')).toBe(line)
})

test('a line that was read before a change is not kept, and one that was read after it is', () => {
  const before = performance.now()
  after(1)
  change('a')
  expect(lines.isUnchanged('a', before)).toBe(false)
  expect(lines.isUnchanged('b', before)).toBe(true)
  lines.keep('a', line, before)
  expect(lines.get('a')).toBeUndefined()
  after(1)
  lines.keep('a', line, performance.now())
  expect(lines.get('a')).toBe(line)
})

test('a line that took five seconds to read is not kept, as changes are forgotten', () => {
  const before = performance.now()
  after(1)
  change('a')
  after(5000)
  change('b')
  lines.keep('a', line, before)
  expect(lines.get('a')).toBeUndefined()
})

test('a refusal is never kept', () => {
  lines.keep('a', { ...line, isAdmitted: false }, performance.now())
  lines.keep('b', { ...line, isOpen: false }, performance.now())
  expect([lines.get('a'), lines.get('b')]).toEqual([undefined, undefined])
})

test('while changes of other instances do not arrive, none is kept and none is used', () => {
  lines.keep('a', line, performance.now())
  hearsOthers = false
  lines.keep('b', line, performance.now())
  expect(lines.get('a')).toBeUndefined()
  hearsOthers = true
  expect(lines.get('b')).toBeUndefined()
})
