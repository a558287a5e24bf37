import { expect, test, vi } from 'vitest'

const own = { withResolvers: Promise.withResolvers, canParse: URL.canParse, anyOf: AbortSignal.any }

/** The functions of an engine, and those that take their place where it has none. */
const kinds = { own, added: await addedFunctions() }

async function addedFunctions(): Promise<typeof own> {
  vi.stubGlobal('Element', { prototype: {} })
  try {
    for (const [holder, name] of [
      [Promise, 'withResolvers'],
      [URL, 'canParse'],
      [AbortSignal, 'any'],
    ] as const)
      Reflect.deleteProperty(holder, name)
    await import('./older-browsers.ts')
    return { withResolvers: Promise.withResolvers, canParse: URL.canParse, anyOf: AbortSignal.any }
  } finally {
    Promise.withResolvers = own.withResolvers
    URL.canParse = own.canParse
    AbortSignal.any = own.anyOf
    vi.unstubAllGlobals()
  }
}

test('what is added is not what the engine has', () => {
  for (const name of ['withResolvers', 'canParse', 'anyOf'] as const)
    expect(kinds.added[name]).not.toBe(own[name])
})

for (const [kind, { withResolvers, canParse, anyOf }] of Object.entries(kinds)) {
  test(`a promise is settled from outside once (${kind})`, async () => {
    const kept = withResolvers.call(Promise) as PromiseWithResolvers<number>
    kept.resolve(1)
    kept.reject(new Error('late'))
    expect(await kept.promise).toBe(1)
    const broken = withResolvers.call(Promise) as PromiseWithResolvers<number>
    broken.reject(new Error('broken'))
    await expect(broken.promise).rejects.toThrow('broken')
  })

  test(`an address is one or none (${kind})`, () => {
    expect(['https://a.test/b', '/b', '', 'https://'].map((text) => canParse(text))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(canParse('/b', 'https://a.test')).toBe(true)
  })

  test(`a signal follows the first of several that ends (${kind})`, () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const both = anyOf([one.signal, other.signal])
    expect(both.aborted).toBe(false)
    const heard: unknown[] = []
    both.addEventListener('abort', () => heard.push(both.reason))
    other.abort('other')
    one.abort('one')
    expect(heard).toEqual(['other'])
    expect(anyOf([one.signal, other.signal])).toMatchObject({ aborted: true, reason: 'one' })
    expect(anyOf([]).aborted).toBe(false)
  })
}
