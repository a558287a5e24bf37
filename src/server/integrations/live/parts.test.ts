import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createParts, partsOf } from './parts.ts'

const longest = 100

test('a text is whole again once all of its parts have come, in any order and mixed with others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 500 }), { maxLength: 5 }).chain((texts) => {
        const all = texts.flatMap((text) => partsOf(text, longest))
        return fc.record({
          texts: fc.constant(texts),
          sent: fc.shuffledSubarray(all, { minLength: all.length }),
        })
      }),
      ({ texts, sent }) => {
        const parts = createParts(12)
        for (const each of sent) expect(each.length).toBeLessThanOrEqual(longest)
        const whole = sent.map((each) => parts.add(each, 0)).filter((each) => each !== undefined)
        expect(whole.toSorted()).toEqual(texts.toSorted())
      },
    ),
  )
})

test('a text that misses a part is forgotten after 30 seconds, and when 200 others do', () => {
  const [first = '', second = ''] = partsOf('x'.repeat(110), longest)
  const parts = createParts(12)
  expect(parts.add(first, 0)).toBe(undefined)
  parts.add(partsOf('y'.repeat(110), longest)[0] ?? '', 31_000)
  expect(parts.add(second, 31_000)).toBe(undefined)

  const patient = createParts(12)
  patient.add(first, 0)
  expect(patient.add(second, 30_000)).toBe('x'.repeat(110))

  const crowded = createParts(12)
  crowded.add(first, 0)
  for (let other = 0; other < 200; other++) crowded.add(partsOf('y'.repeat(110), longest)[0] ?? '', 0)
  expect(crowded.add(second, 0)).toBe(undefined)
})

test('parts that contradict each other, or are too many, make no text', () => {
  const [first = '', second = ''] = partsOf('x'.repeat(110), longest)
  const parts = createParts(12)
  const otherCount = second.replace('.1.2:', '.1.3:')
  for (const each of [first, first, otherCount, first.replace('.0.2:', '.7.2:')]) {
    expect(parts.add(each, 0)).toBe(undefined)
  }
  expect(parts.add(second, 0)).toBe('x'.repeat(110))
  const long = partsOf('z'.repeat(5000), longest)
  expect(long.length).toBeGreaterThan(12)
  expect(long.map((each) => parts.add(each, 0)).filter((each) => each !== undefined)).toEqual([])
})
