import { expect, test } from 'vitest'
import { createPasswords, hashPassword } from './passwords.ts'

const phrase = 'three quiet lanterns'

test('a hash costs 19 MiB and two passes unless another cost is given', async () => {
  const byDefault = /^\$argon2id\$v=19\$m=19456,p=1,t=2\$/
  expect(await hashPassword(phrase)).toMatch(byDefault)
  expect(await createPasswords().hash(phrase)).toMatch(byDefault)
  expect(await createPasswords({ memoryCost: 64, timeCost: 3 }).hash(phrase)).toContain('$m=64,p=1,t=3$')
})

test('a hash is verified at the cost that it was made with', async () => {
  const cheap = createPasswords({ memoryCost: 64, timeCost: 2 })
  const hash = await hashPassword(phrase)
  expect(await cheap.verify(hash, phrase)).toBe(true)
  expect(await cheap.verify(hash, 'three loud lanterns')).toBe(false)
  expect(await createPasswords().verify(await cheap.hash(phrase), phrase)).toBe(true)
})

test('no password is right without a hash, that of the comparison included', async () => {
  const cheap = createPasswords({ memoryCost: 64, timeCost: 2 })
  expect(await cheap.verify(null, phrase)).toBe(false)
  expect(await cheap.verify(undefined, 'a password that nobody has')).toBe(false)
})
