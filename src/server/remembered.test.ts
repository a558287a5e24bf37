import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

function counted(clock: { time: number }, fails = () => false) {
  let readings = 0
  const ask = remembered({ now: () => new Date(clock.time) }, 1000, async () => {
    readings += 1
    if (fails()) throw new Error('not to be had')
    return readings
  })
  return ask
}

test('what was read is answered until it is too old, and by a clock that was put back not either', async () => {
  const clock = { time: 1_000_000 }
  const ask = counted(clock)
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  clock.time += 999
  expect(await ask()).toBe(1)
  clock.time += 1
  expect(await ask()).toBe(2)
  clock.time -= 3_600_000
  expect(await ask()).toBe(3)
})

test('a reading that failed is not remembered', async () => {
  let isGone = true
  const ask = counted({ time: 0 }, () => isGone)
  await expect(ask()).rejects.toThrow('not to be had')
  isGone = false
  expect(await ask()).toBe(2)
})
