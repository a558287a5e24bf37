import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance } from '#test/edit-distance.ts'
import { fragmentsOf, matchWord, nameWords, typedWords, withinOneMistake } from './names.rules.ts'

// Few letters, so that chance makes near misses.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 9 })

describe('words of names', () => {
  it('are folded: case, accents, apostrophes, letters of other alphabets', () => {
    expect(nameWords("Siân O'Neill-Łukasz")).toEqual(['sian', 'oneill', 'lukasz'])
    expect(nameWords('İrem Åse Strauß')).toEqual(['irem', 'ase', 'strauss'])
    expect(nameWords('  -- % _ ')).toEqual([])
  })

  it('that are typed lose the titles before them while another word remains', () => {
    const words = ['Dr Ann Bell', 'prof. dr. bell', 'DR.BELL', 'Bell Dr', 'Miss', 'Dr Mrs', 'Drew Bell', '--']
    expect(words.map(typedWords)).toEqual([
      ['ann', 'bell'],
      ['bell'],
      ['bell'],
      ['bell', 'dr'],
      ['miss'],
      ['mrs'],
      ['drew', 'bell'],
      [],
    ])
  })

  it('are within one mistake exactly when their distance is at most one', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(withinOneMistake(a, b)).toBe(distance(a, b) <= 1)
      }),
      { numRuns: 3000 },
    )
  })

  it('match as a part, or after one mistake: from three letters in a whole word, from five in a part of one', () => {
    fc.assert(
      fc.property(word, word, (typed, name) => {
        const parts = new Set<string>()
        for (let from = 0; from <= name.length; from++) {
          for (let to = from; to <= name.length; to++) parts.add(name.slice(from, to))
        }
        const near = [...parts].some((part) => distance(typed, part) <= 1)
        const expected = name.includes(typed)
          ? 'exact'
          : (typed.length >= 3 && distance(typed, name) <= 1) || (typed.length >= 5 && near)
            ? 'close'
            : undefined
        expect(matchWord(typed, name)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
  })

  it('that match always hold one of the fragments looked for', () => {
    fc.assert(
      fc.property(word, word, (typed, name) => {
        if (matchWord(typed, name)) {
          expect(fragmentsOf(typed).some((fragment) => name.includes(fragment))).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('are looked for by whole letters, also those that take two places in a text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '𠮷', '𠮸'), minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(letters, letters, (typed, name) => {
        const fragments = fragmentsOf(typed)
        expect(fragments.filter((fragment) => fragment === '' || !fragment.isWellFormed())).toEqual([])
        if (matchWord(typed, name)) {
          expect(fragments.some((fragment) => name.includes(fragment))).toBe(true)
        }
      }),
      { numRuns: 10_000 },
    )
  })

  it('forgive a slip of the fingers and no more', () => {
    expect(matchWord('sarha', 'sarah')).toBe('close')
    expect(matchWord('witfield', 'whitfield')).toBe('close')
    expect(matchWord('kmi', 'kim')).toBe('close')
    expect(matchWord('wifeld', 'whitfield')).toBe(undefined)
    expect(matchWord('jo', 'ja')).toBe(undefined)
  })
})
