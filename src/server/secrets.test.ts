import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addKeptKey, createSecrets, dropOldKeptKeys, openSecrets } from './secrets.ts'

const value = Buffer.from('the value that nobody may read')

describe('a sealed value', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const secrets = createSecrets([old])

  test('opens again, is never sealed alike, and shows nothing of what it holds', () => {
    const sealed = secrets.seal('second factor', 'ada', value)
    expect(secrets.open('second factor', 'ada', sealed)).toEqual(value)
    expect(secrets.seal('second factor', 'ada', value)).not.toEqual(sealed)
    expect(sealed.includes(value.subarray(0, 4))).toBe(false)
  })

  test('does not open for another owner or purpose, changed in any byte, or with another key', () => {
    const sealed = secrets.seal('second factor', 'ada', value)
    expect(() => secrets.open('second factor', 'bob', sealed)).toThrow()
    expect(() => secrets.open('recovery code', 'ada', sealed)).toThrow()
    expect(() => createSecrets([fresh]).open('second factor', 'ada', sealed)).toThrow('not held')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => secrets.open('second factor', 'ada', changed)).toThrow()
    }
  })

  test('does not open without the whole of its tag, however little it holds', () => {
    const sealed = secrets.seal('second factor', 'ada', Buffer.alloc(0))
    expect(secrets.open('second factor', 'ada', sealed)).toHaveLength(0)
    for (let length = 0; length < sealed.length; length++)
      expect(() => secrets.open('second factor', 'ada', sealed.subarray(0, length))).toThrow()
  })

  test('opens with an older key that is still held, while the newest seals', () => {
    const sealed = secrets.seal('second factor', 'ada', value)
    const both = createSecrets([fresh, old])
    expect(both.open('second factor', 'ada', sealed)).toEqual(value)
    expect(both.holds(secrets.keyId)).toBe(true)
    expect(() => secrets.open('second factor', 'ada', both.seal('second factor', 'ada', value))).toThrow(
      'not held',
    )
  })

  test('has a digest of its own per owner and purpose', () => {
    const digests = [
      secrets.digest('recovery code', 'ada', 'A'),
      secrets.digest('recovery code', 'bob', 'A'),
      secrets.digest('second factor', 'ada', 'A'),
      createSecrets([fresh]).digest('recovery code', 'ada', 'A'),
    ].map((each) => each.toString('hex'))
    expect(new Set(digests).size).toBe(4)
    expect(secrets.digest('recovery code', 'ada', 'A').toString('hex')).toBe(digests[0])
  })
})

describe('the key of an installation', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hearth-keys-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  test('is made at the first start, readable to its owner alone, and stays', () => {
    const below = join(directory, 'not', 'there yet')
    const secrets = openSecrets({ directory: below })
    expect(openSecrets({ directory: below }).keyId).toBe(secrets.keyId)
    expect(statSync(join(below, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(join(below, 'secret.key'), 'utf8'), 'base64')).toHaveLength(32)
  })

  test('is joined by one new key, however often a rotation is begun, until the old one is dropped', () => {
    const first = openSecrets({ directory })
    addKeptKey(directory)
    const second = openSecrets({ directory })
    expect([second.keyId === first.keyId, second.holds(first.keyId)]).toEqual([false, true])
    addKeptKey(directory)
    expect(openSecrets({ directory }).keyId).toBe(second.keyId)
    dropOldKeptKeys(directory)
    expect(openSecrets({ directory }).holds(first.keyId)).toBe(false)
    addKeptKey(directory)
    expect(openSecrets({ directory }).holds(second.keyId)).toBe(true)
    expect(openSecrets({ directory }).keyId).not.toBe(second.keyId)
  })

  test('comes from the configuration where one is given', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
    const secrets = openSecrets({ configured: `${first}, ${second}`, directory })
    expect(secrets.holds(openSecrets({ configured: second, directory }).keyId)).toBe(true)
    expect(() => statSync(join(directory, 'secret.key'))).toThrow()
  })

  test('that is no key is named in a sentence', () => {
    expect(() => openSecrets({ configured: 'c2hvcnQ=', directory })).toThrow(/^SECRET_KEY is not usable/)
    writeFileSync(join(directory, 'secret.key'), 'nonsense')
    expect(() => openSecrets({ directory })).toThrow(/secret\.key is not usable/)
  })
})
