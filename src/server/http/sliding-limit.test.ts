import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '#server/clock.ts'
import { ProductError } from '#server/errors.ts'
import { movableClock } from '#test/movable-clock.ts'
import { createSlidingLimit } from './sliding-limit.ts'

function setUp(scale = 1) {
  const clock = movableClock('2026-06-01T08:00:00Z')
  const limit = createSlidingLimit({ hits: 60, window: minutes(1) }, { clock, rateLimitScale: scale })
  /** How many of `times` are let through, and when the first refused one may come again. */
  const use = (subject: string, times: number) => {
    let passed = 0
    let retryAfter: number | undefined
    for (let time = 0; time < times; time++) {
      try {
        limit.use(subject)
        passed++
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        expect(error.code).toBe('too_many_requests')
        retryAfter ??= error.retryAfter
      }
    }
    return { passed, retryAfter }
  }
  return { clock, use }
}

describe('a sliding limit', () => {
  it('lets through so many and no more, each subject by itself', () => {
    const { use } = setUp()
    expect(use('a', 100).passed).toBe(60)
    expect(use('b', 10).passed).toBe(10)
  })

  it('allows no second burst at the edge of a window', () => {
    const { clock, use } = setUp()
    clock.advance(seconds(59))
    expect(use('a', 100).passed).toBe(60)
    clock.advance(seconds(2))
    expect(use('a', 100).passed).toBeLessThanOrEqual(1)
    clock.advance(seconds(30))
    expect(use('a', 100).passed).toBeGreaterThanOrEqual(25)
  })

  it('says when one more will pass, and it does', () => {
    const { clock, use } = setUp()
    const { retryAfter } = use('a', 61)
    expect(retryAfter).toBeGreaterThan(0)
    clock.advance(seconds(retryAfter ?? 0))
    expect(use('a', 1).passed).toBe(1)
  })

  it('is scaled, and forgotten after two windows', () => {
    const { clock, use } = setUp(2)
    expect(use('a', 200).passed).toBe(120)
    clock.advance(minutes(2))
    expect(use('a', 200).passed).toBe(120)
  })
})
