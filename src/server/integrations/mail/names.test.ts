import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientNameForMail, fullNameForMail, greeting, nameForMail } from './names.ts'

test.each([
  ['Alex', 'Morgan', 'Alex M.'],
  ['Dr. Zoë', 'éclair', 'Dr Zoë É.'],
  ['Alex', '', 'Alex'],
  ['Alex', 'http://evil.example', 'Alex'],
  ['evil.example', 'Morgan', undefined],
])('a client %j %j is %j in mails to practitioners', (firstName, lastName, name) => {
  expect(clientNameForMail({ firstName, lastName })).toBe(name)
})

describe('a name in a mail', () => {
  test.each([
    ['Alex', 'Alex'],
    ['  Mary   Jane ', 'Mary Jane'],
    ['Zoë', 'Zoë'],
    ['Zoe\u0308', 'Zoë'],
    ['O’Hara-Smith', 'O’Hara-Smith'],
    ["D'Arcy", "D'Arcy"],
    ['Dr. J. R. Bell', 'Dr J R Bell'],
    ['Alex . Bell', 'Alex Bell'],
    ['محمد', 'محمد'],
    ['क्षितिज', 'क्षितिज'],
    ['李雷', '李雷'],
    ['Nguyễn Thị', 'Nguyễn Thị'],
    ['Al\u200bex', 'Alex'],
    ['Anna\nBell', 'Anna Bell'],
  ])('keeps %j as %j', (typed, kept) => {
    expect(nameForMail(typed)).toBe(kept)
  })

  test.each([
    ['Visit http://evil.example now'],
    ['evil.example'],
    ['www.evil.example'],
    ['evil。example'],
    ['a@evil.example'],
    ['<img/src=x>'],
    ['Call 020 7946 0000'],
    ['£100 for you'],
    ['[click](evil)'],
    ['\u3164'],
    ['\u200b\u200b'],
    ["'"],
    ['-'],
    [''],
    ['x'.repeat(41)],
    ['Z\u0335\u0321\u0352\u0300\u0345\u0301algo'],
    ['x'.repeat(4000)],
    ['. '.repeat(2000)],
  ])('is left out if it is %j', (typed) => {
    expect(nameForMail(typed)).toBeUndefined()
    expect(greeting(typed)).toBe('Hello,')
  })

  test('has its direction-changing and zero-width characters removed', () => {
    expect(greeting('\u202eelpmaxe\u2066 \u200fA\u200dB')).toBe('Hello elpmaxe AB,')
  })

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'Alex',
          ' ',
          '\n',
          '\u2028',
          '.',
          '://',
          'http',
          '<b>',
          '&#60;',
          '\u202e',
          '\u200b',
          '\u0301',
          '7',
          '@',
          '’',
          '-',
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  )

  test('consists of at most 40 letters, marks, spaces, hyphens and apostrophes for any input', () => {
    fc.assert(
      fc.property(hostile, hostile, (first, last) => {
        for (const name of [nameForMail(first), fullNameForMail(first, last, 'A client')]) {
          if (name === undefined) continue
          expect(name.length).toBeLessThanOrEqual(40)
          expect(name).toMatch(/^\p{L}[\p{L}\p{M}'’ ‐-]*$/u)
          expect(name).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cc}]| {2}/u)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('costs time in proportion to its length', () => {
    const time = (typed: string) => {
      const started = performance.now()
      nameForMail(typed)
      return performance.now() - started
    }
    for (const part of ['a', 'a\u0301', '. ', '\u200b', ' ']) {
      time(part.repeat(1000))
      expect(time(part.repeat(500_000))).toBeLessThan(1000)
    }
  })
})
