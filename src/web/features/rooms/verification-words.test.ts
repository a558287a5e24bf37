import { describe, expect, test } from 'vitest'
import {
  commitmentOf,
  fingerprintBytes,
  fingerprintIn,
  fromHex,
  toHex,
  verificationWords,
  wordsOfBits,
} from './verification-words.ts'
import { wordList } from './word-list.ts'

const share = (fill: number) => ({
  fingerprint: new Uint8Array(32).fill(fill),
  nonce: new Uint8Array(32).fill(fill + 1),
})
const appointmentId = '11111111-1111-4111-8111-111111111111'

/** Stems that frighten, or that a person in distress should not be shown. */
const frightening =
  /^(abus|ache|alarm|ash(es)?$|attack|blood|bomb|bruis|burn|cancer|cry$|curs|cut$|dead|death|demon|die|drown|drug|evil|fail|fear|fire$|fight|gun|harm$|hate|hell$|horror|hurt|jail|kill|knife|loss|mad$|murder|noose|pain$|panic|poison|rage|rope|sad$|scar$|scream|shot|sick|slay|stab$|suffer|suicid|terror|threat|trauma|ugly|victim|war$|weapon|weep|worry|wound)/

describe('the list of words', () => {
  test('has 2,048 different plain words of three to eight letters, in order', () => {
    expect(wordList).toHaveLength(2048)
    expect(new Set(wordList).size).toBe(2048)
    expect(wordList.filter((word) => !/^[a-z]{3,8}$/.test(word))).toEqual([])
    expect(wordList).toEqual([...wordList].sort())
  })

  test('has no word that frightens', () => {
    expect(wordList.filter((word) => word !== 'ash' && frightening.test(word))).toEqual([])
  })
})

describe('the words of a connection', () => {
  test.each([
    ['the first word, four times', '000000000000', [0, 0, 0, 0]],
    ['the last word, four times', 'fffffffffff0', [2047, 2047, 2047, 2047]],
    ['the last four bits of six bytes are left out', '00000000000f', [0, 0, 0, 0]],
    ['eleven bits for each word', '002008020080', [1, 2, 4, 8]],
  ])('%s', (_, hex, indexes) => {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    expect(wordsOfBits(bytes)).toEqual(indexes.map((index) => wordList[index]))
  })

  test('are the same for the same shares, and depend on each part of them', async () => {
    const words = await verificationWords(appointmentId, share(1), share(5))
    expect(words).toHaveLength(4)
    expect(await verificationWords(appointmentId.toUpperCase(), share(1), share(5))).toEqual(words)
    const others = [
      verificationWords(appointmentId.replace('1', '2'), share(1), share(5)),
      verificationWords(appointmentId, share(5), share(1)),
      verificationWords(appointmentId, { ...share(1), nonce: share(9).nonce }, share(5)),
      verificationWords(appointmentId, share(1), { ...share(5), fingerprint: share(9).fingerprint }),
    ]
    for (const other of await Promise.all(others)) expect(other).not.toEqual(words)
  })

  test('stay the same from release to release', async () => {
    expect(await verificationWords(appointmentId, share(1), share(5))).toMatchInlineSnapshot(`
      [
        "treetop",
        "tennis",
        "unpack",
        "bicycle",
      ]
    `)
  })

  test('a commitment is the hash of fingerprint and nonce', async () => {
    const { createHash } = await import('node:crypto')
    const { fingerprint, nonce } = share(3)
    const expected = createHash('sha256').update(fingerprint).update(nonce).digest('hex')
    expect(toHex(await commitmentOf(share(3)))).toBe(expected)
  })
})

describe('fingerprints', () => {
  const text = Array.from({ length: 32 }, (_, index) =>
    index.toString(16).padStart(2, '0').toUpperCase(),
  ).join(':')

  test('are read from a description', () => {
    expect(fingerprintIn(`v=0\r\na=fingerprint:sha-256 ${text}\r\na=setup:actpass\r\n`)).toBe(text)
    expect(fingerprintIn('v=0\r\na=fingerprint:sha-1 AB:CD\r\n')).toBeUndefined()
    expect([...fingerprintBytes(text)]).toEqual(Array.from({ length: 32 }, (_, index) => index))
  })

  test.each(['', 'AB:CD', text.replace('00', 'zz'), `${text}:00`])(
    'are refused when malformed: %s',
    (wrong) => {
      expect(() => fingerprintBytes(wrong)).toThrow('fingerprint')
    },
  )

  test.each(['', 'ab', 'z'.repeat(64), 'A'.repeat(64), 5, null])(
    'a nonce is refused when malformed: %s',
    (wrong) => {
      expect(() => fromHex(wrong)).toThrow('32 bytes')
    },
  )
})
