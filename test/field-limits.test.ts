import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fieldLimits } from '#web/lib/field-limits.gen.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { limitsOfField, writeFieldLimits } from '../scripts/field-limits.ts'

describe('the limits of forms', () => {
  test('are those of the contract, for the fields that forms name', () => {
    const generated = readFileSync(new URL('../src/web/lib/field-limits.gen.ts', import.meta.url), 'utf8')
    expect(writeFieldLimits(), 'run npm run generate').toBe(generated)
    expect(Object.keys(fieldLimits).length).toBeGreaterThan(10)
  })

  test('name an endpoint, a field or a limit that the contract lacks', () => {
    expect(() => limitsOfField('POST /nowhere', 'name')).toThrow('no body for POST /nowhere')
    expect(() => limitsOfField('POST /client/register', 'nickname')).toThrow('no field nickname')
    expect(() => limitsOfField('POST /appointment/cancel-session', 'appointment_id')).toThrow('has no limit')
  })

  test('are found for a field of the rows of a list, and of what becomes a text', () => {
    const number = limitsOf('POST /therapist/add-license-list', 'license_list.license_number')
    expect([number.maxLength?.value, number.validate?.(' '), number.validate?.('7')]).toEqual([
      50,
      'Enter the number.',
      true,
    ])
    expect(() => limitsOfField('POST /therapist/add-license-list', 'license_list.name')).toThrow('no field')
  })

  test('take blank text and an empty checkbox for missing', () => {
    const { validate } = limitsOf('POST /client/register', 'name')
    expect(validate?.(' ')).toBe('Enter a name.')
    expect(validate?.('Robin')).toBe(true)
    const tick = limitsOf('POST /client/register', 'is_adult').validate
    expect(tick?.(undefined)).toBe('You need to be 18 or over to use Hearth.')
    expect(tick?.(true)).toBe(true)
    expect(limitsOf('POST /appointment/cancel-session', 'reason').validate).toBeUndefined()
  })
})

describe('a rule of a form', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await buildTestApp()
  })
  afterEach(() => app.close())

  const register = async (body: Record<string, unknown>) => {
    const answer = await app.app.inject({ method: 'POST', url: '/api/v7/client/register', payload: body })
    expect(answer.statusCode).toBe(422)
    return answer.json<{ errors: Record<string, string[]> }>().errors
  }

  test('says what the server says of a value that is too long, too short or missing', async () => {
    const { name, password } = {
      name: limitsOf('POST /client/register', 'name'),
      password: limitsOf('POST /client/register', 'password'),
    }
    const longest = (rule?: { value: number }) => 'x'.repeat((rule?.value ?? 0) + 1)
    const tooLong = await register({
      name: longest(name.maxLength),
      password: longest(password.maxLength),
      is_adult: false,
      accept_terms: false,
    })
    expect(name.maxLength?.message).toBe(tooLong.name?.[0])
    expect(password.maxLength?.message).toBe(tooLong.password?.[0])
    expect(limitsOf('POST /client/register', 'is_adult').validate?.(false)).toBe(tooLong.is_adult?.[0])
    const missing = await register({ name: '', password: 'x'.repeat((password.minLength?.value ?? 1) - 1) })
    expect(name.validate?.('')).toBe(missing.name?.[0])
    expect(password.minLength?.message).toBe(missing.password?.[0])

    const fits = await register({ name: 'x'.repeat(name.maxLength?.value ?? 0), password: 'x'.repeat(8) })
    expect(fits.name).toBeUndefined()
    expect(fits.password).toBeUndefined()
  })
})
