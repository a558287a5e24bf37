import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { hours, seconds } from '#server/clock.ts'
import { movableClock } from '#test/movable-clock.ts'
import { createFlow } from './socket-flow.ts'

function setUp() {
  const clock = movableClock('2026-06-01T08:00:00Z')
  const flow = createFlow({ conn: new EventEmitter(), line: undefined }, { clock, rateLimitScale: 1 })
  /** How many of so many events are let through. */
  const take = (times: number) => Array.from({ length: times }, () => flow.take()).filter(Boolean).length
  return { clock, flow, take }
}

describe('the flow of a connection', () => {
  test('lets a burst of events through, and so many a second after it', () => {
    const { clock, take } = setUp()
    expect(take(300)).toBe(200)
    clock.advance(seconds(2))
    expect(take(300)).toBe(80)
  })

  test('lets events through after the clock was put back', () => {
    const { clock, take } = setUp()
    expect(take(100)).toBe(100)
    clock.advance(-hours(1))
    expect(take(300)).toBe(100)
    clock.advance(seconds(1))
    expect(take(300)).toBe(40)
  })

  test('passes typing on every 2 seconds, also after the clock was put back', () => {
    const { clock, flow } = setUp()
    expect([flow.maySayTyping('a'), flow.maySayTyping('a'), flow.maySayTyping('b')]).toEqual([
      true,
      false,
      true,
    ])
    clock.advance(-hours(1))
    expect([flow.maySayTyping('b'), flow.maySayTyping('b')]).toEqual([true, false])
    clock.advance(seconds(2))
    expect(flow.maySayTyping('b')).toBe(true)
  })
})
