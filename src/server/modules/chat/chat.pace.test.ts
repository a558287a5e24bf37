import { describe, expect, test } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import { movableClock } from '#test/movable-clock.ts'
import { createPace } from './chat.pace.ts'

function setUp() {
  const clock = movableClock('2026-06-01T08:00:30Z')
  const pace = createPace({ allowed: 60, window: minutes(1), clock })
  /** How many of so many are counted. */
  const take = (accountId: string, times: number) =>
    Array.from({ length: times }, () => pace.take(accountId)).filter((wait) => wait === undefined).length
  return { clock, pace, take }
}

describe('the pace of an account', () => {
  test('is so many in any stretch, each account by itself', () => {
    const { clock, take } = setUp()
    expect(take('a', 40)).toBe(40)
    clock.advance(seconds(45))
    expect([take('a', 40), take('b', 40)]).toEqual([20, 40])
    clock.advance(seconds(15) - 1)
    expect(take('a', 1)).toBe(0)
    clock.advance(1)
    expect(take('a', 100)).toBe(40)
  })

  test('says when one is free, and it is', () => {
    const { clock, pace, take } = setUp()
    take('a', 1)
    clock.advance(seconds(20.5))
    take('a', 59)
    expect(pace.take('a')).toBe(40)
    clock.advance(seconds(39.4))
    expect(pace.take('a')).toBe(1)
    clock.advance(seconds(0.1))
    expect([pace.take('a'), pace.take('a')]).toEqual([undefined, 21])
  })

  test('does not count what is taken back', () => {
    const { pace, take } = setUp()
    take('a', 60)
    pace.giveBack('a')
    pace.giveBack('of nobody')
    expect(take('a', 5)).toBe(1)
  })

  test('is not held up by a clock that is put back, and forgets nothing of the minute', () => {
    const { clock, pace, take } = setUp()
    take('a', 40)
    clock.advance(-minutes(30))
    expect(take('a', 100)).toBe(20)
    expect(pace.take('a')).toBe(60)
    clock.advance(minutes(1))
    expect(take('a', 100)).toBe(60)
  })

  test('holds over an hour of drawn moments, as counting them one by one says', () => {
    const { clock, pace } = setUp()
    const counted: number[] = []
    for (let index = 0; index < 5000; index++) {
      clock.advance(Math.floor(1400 * Math.abs(Math.sin(index * index))))
      const now = clock.now().getTime()
      const inWindow = counted.filter((time) => time > now - minutes(1)).length
      const wait = pace.take('a')
      expect(wait === undefined).toBe(inWindow < 60)
      if (wait === undefined) counted.push(now)
    }
    expect(counted.length).toBeGreaterThan(1000)
    expect(counted.length).toBeLessThan(5000)
  })
})
