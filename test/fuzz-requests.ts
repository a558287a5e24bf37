import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type EndpointKey, endpoints } from '#contract/endpoints.ts'

/** Numbers that look random and are the same for the same seed. */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (share: number) => next() < share,
    pick<T>(list: readonly T[]): T {
      const [found] = list.slice(Math.floor(next() * list.length))
      if (found === undefined) throw new Error('Nothing to pick from.')
      return found
    },
  }
}
type Random = ReturnType<typeof randomOf>

/** A JSON schema as `z.toJSONSchema` describes what an endpoint reads. */
type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export type Sent = {
  key: EndpointKey
  method: string
  /** Below `/api/v7`, with its query. */
  path: string
  /** JSON as it stands; nothing for a call without a body. */
  raw?: string
  /** Bytes of a file, for a call that takes one. */
  file?: Buffer
  headers: Record<string, string>
}

/** How a value is made: as the schema has it, at its bounds, or hostile. */
type Manner = 'valid' | 'boundary' | 'hostile'

const all = Object.entries(endpoints) as [EndpointKey, Endpoint][]
const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Schema

/** Makes requests to every endpoint from its schema, and from what earlier answers held. */
export function createRequests(random: Random, sensible: Record<string, readonly unknown[]>) {
  /** Values of earlier answers by their field, so that requests name what exists. */
  const pools = new Map<string, unknown[]>(
    Object.entries(sensible).map(([name, values]) => [name, [...values]]),
  )

  const put = (name: string, value: unknown) => {
    const pool = pools.get(name) ?? []
    if (pool.includes(value)) return
    pools.set(name, [...pool, value].slice(-12))
  }

  return {
    /** Keeps the scalars of an answer for later requests. */
    learn(key: EndpointKey, answer: unknown): void {
      const walk = (value: unknown, name: string, depth: number) => {
        if (depth > 6 || value === null) return
        if (Array.isArray(value)) for (const each of value.slice(0, 3)) walk(each, name, depth + 1)
        else if (typeof value === 'object') {
          for (const [field, each] of Object.entries(value)) walk(each, field, depth + 1)
        } else if (typeof value === 'string' ? value.length < 200 : typeof value === 'number') {
          put(name, value)
          // A path names its object by `id`, even if the answer gives that id another name.
          if (/_?id$/i.test(name))
            put(typeof value === 'number' ? `number ${areaOf(key)}` : `text ${areaOf(key)}`, value)
        }
      }
      walk(answer, '', 0)
    },

    next: (): Sent => request(...random.pick(weighted), random.pick(manners)),

    /** What only reads, as the schema has it. */
    reads: (): Sent[] =>
      all
        .filter(([key]) => key.startsWith('GET '))
        .flatMap(([key, endpoint]) =>
          Array.from({ length: endpoint.params || endpoint.query ? 3 : 1 }, () =>
            request(key, endpoint, 'valid'),
          ),
        ),
  }

  function request(key: EndpointKey, endpoint: Endpoint, manner: Manner): Sent {
    const [method = '', pattern = ''] = key.split(' ')
    const params = endpoint.params ? (schemaOf(endpoint.params).properties ?? {}) : {}
    // Hostile once is enough: a request that is wrong everywhere gets no further than its path.
    const [inPath, inQuery, inBody] = random.pick<readonly Manner[][]>([
      [[manner, 'valid', 'valid']],
      [['valid', manner, manner]],
      [['valid', manner, manner]],
      [['valid', manner, manner]],
    ])[0] as [Manner, Manner, Manner]
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encoded(inPathOf(key, name, params[name] ?? {}, inPath)),
    )
    const query = endpoint.query ? queryOf(schemaOf(endpoint.query), inQuery) : ''
    return {
      key,
      method,
      path: query ? `${path}?${query}` : path,
      ...(endpoint.body ? { raw: bodyOf(schemaOf(endpoint.body), inBody) } : {}),
      ...(endpoint.upload ? { file: fileOf(inBody) } : {}),
      headers: {
        ...(endpoint.idempotent && random.chance(0.6)
          ? {
              'idempotency-key': manner === 'hostile' ? random.pick(hostileKeys) : `key ${random.below(200)}`,
            }
          : {}),
        ...(endpoint.versioned && random.chance(0.3) ? { 'if-match': random.pick(versions) } : {}),
      },
    }
  }

  function inPathOf(key: EndpointKey, name: string, schema: Schema, manner: Manner): unknown {
    if (manner === 'hostile') return random.pick(hostileTexts)
    const kind = schema.type === 'integer' ? 'number' : 'text'
    const known = [...(pools.get(name) ?? []), ...(pools.get(`${kind} ${areaOf(key)}`) ?? [])].filter(
      (each) => (kind === 'number' ? typeof each === 'number' : typeof each === 'string'),
    )
    if (known.length > 0 && random.chance(0.9)) return random.pick(known)
    return valueOf(schema, name, manner)
  }

  function queryOf(schema: Schema, manner: Manner): string {
    return Object.entries(schema.properties ?? {})
      .filter(([name]) => schema.required?.includes(name) || random.chance(0.5))
      .map(([name, each]) => {
        const value =
          manner === 'hostile' && random.chance(0.5) ? random.pick(hostileTexts) : valueOf(each, name, manner)
        return `${name}=${encoded(value)}`
      })
      .join('&')
  }

  function bodyOf(schema: Schema, manner: Manner): string {
    if (manner === 'hostile' && random.chance(0.15)) return random.pick(hostileBodies)
    const body = valueOf(schema, '', 'valid')
    if (manner === 'valid') return JSON.stringify(body)
    // One field is not as it should be: what is wrong everywhere is refused for the first thing found.
    const fields = isRecord(body) ? Object.keys(body) : []
    if (fields.length === 0 || !isRecord(body)) return random.pick(hostileJson)
    const field = random.pick(fields)
    const own = fieldOf(schema, field)
    if (manner === 'boundary' || (own && random.chance(0.4))) {
      return JSON.stringify({ ...body, [field]: valueOf(own ?? {}, field, 'boundary') })
    }
    const marked = JSON.stringify({ ...body, [field]: marker })
    return marked.replace(`"${marker}"`, () => random.pick(hostileJson))
  }

  function valueOf(schema: Schema, name: string, manner: Manner, depth = 0): unknown {
    const known = pools.get(name)
    if (known && manner === 'valid' && random.chance(0.85)) return random.pick(known)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return valueOf(random.pick(options), name, manner, depth)
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return random.chance(0.5)
      case 'integer':
      case 'number':
        return numberOf(schema, manner, type === 'integer')
      case 'string':
        return textOf(schema, manner)
      case 'array': {
        const { minItems = 0, maxItems = 3, items = {} } = schema
        const length =
          manner === 'boundary' && random.chance(0.5)
            ? Math.min(maxItems, 200)
            : Math.min(maxItems, Math.max(minItems, random.below(4)))
        return Array.from({ length }, () => valueOf(items, name, manner, depth + 1))
      }
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(([field]) => schema.required?.includes(field) || random.chance(0.7))
            .map(([field, each]) => [field, valueOf(each, field, manner, depth + 1)]),
        )
      default:
        return random.pick([null, 1, 'text', '2026-06-10', true, [], {}])
    }
  }

  function numberOf({ minimum, maximum }: Schema, manner: Manner, isWhole: boolean): number {
    if (manner === 'boundary') {
      const bounds = [minimum ?? -1, maximum ?? 2_147_483_647, 0, 1]
      return random.pick([
        ...bounds,
        ...bounds.map((bound) => bound + random.pick([-1, 1]) * (isWhole ? 1 : 0.01)),
      ])
    }
    const low = minimum ?? 0
    return low + random.below(Math.min((maximum ?? low + 200) - low, 200) + 1)
  }

  function textOf({ format, minLength = 0, maxLength = 60 }: Schema, manner: Manner): string {
    if (format === 'uuid')
      return random.pick(['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
    if (format === 'date')
      return manner === 'boundary' ? random.pick(edgeDays) : `2026-06-${10 + random.below(20)}`
    if (format === 'date-time') {
      return manner === 'boundary'
        ? random.pick(edgeTimes)
        : `2026-06-${10 + random.below(20)}T${10 + random.below(8)}:00:00Z`
    }
    if (format === 'email') return `fuzz${random.below(50)}@example.test`
    if (format === 'uri') return 'https://push.example.test/send/1'
    if (manner === 'boundary') {
      const length = random.pick([minLength, Math.max(0, minLength - 1), maxLength, maxLength + 1])
      return random.pick(['x', 'é', '💬', '漢', '\u202e', "'", '<']).repeat(Math.min(length, 20_000))
    }
    return random.pick([
      'A few words.',
      'x',
      'O’Brien-Łukasz',
      '12',
      '2026-06-10',
      '09:00',
      'Leeds',
      'zażółć 👩🏽‍⚕️',
    ])
  }

  function fileOf(manner: Manner): Buffer {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')
    if (manner === 'valid') return random.pick([pdf, smallPng])
    return random.pick([
      Buffer.alloc(0),
      Buffer.from('not a file that is taken'),
      pdf.subarray(0, 20),
      smallPng.subarray(0, smallPng.length - 9),
      Buffer.alloc(70_000, 0xff),
    ])
  }
}

/** What writes comes more often than what reads. */
const weighted = all.flatMap((entry) => (entry[0].startsWith('GET ') ? [entry] : [entry, entry, entry]))

const manners: readonly Manner[] = ['valid', 'valid', 'boundary', 'hostile', 'hostile']
const marker = 'a value that is replaced'

/** The part of the product that a path belongs to: ids of one are tried in all its paths. */
function areaOf(key: string): string {
  const [, path = ''] = key.split(' ')
  return path
    .split('/')
    .filter((part) => part && !part.startsWith('{'))
    .slice(0, 2)
    .map((part) => part.replace(/s$/, ''))
    .join('/')
}

/** The schema of a field, in whichever alternative it stands. */
const fieldOf = (schema: Schema, field: string): Schema | undefined =>
  schema.properties?.[field] ??
  (schema.anyOf ?? []).map((each) => each.properties?.[field]).find((each) => each !== undefined)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Half a surrogate pair has no encoding in an address; its bytes are sent all the same. */
function encoded(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}

const edgeDays = [
  '1900-01-01',
  '1899-12-31',
  '2199-12-31',
  '2200-01-01',
  '0000-01-01',
  '0202-06-01',
  '9999-12-31',
  '2026-02-29',
  '2024-02-29',
  '2026-06-01',
  '2007-01-01',
]
const edgeTimes = [
  '1900-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '0202-06-01T00:00:00Z',
  '2199-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999-23:59',
  '2026-03-29T01:30:00+00:00',
  '2026-10-25T01:30:00+01:00',
  '2026-06-10T09:00:00.123456789Z',
  '2026-06-10T24:00:00Z',
]
/** JSON texts that no field expects. */
const hostileJson = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '1e400',
  '-1e-300',
  '"NaN"',
  '""',
  '" \\t\\n"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"a\\udfffb"',
  '"\\u202e\\ufeff\\u200d"',
  JSON.stringify('x'.repeat(60_000)),
  JSON.stringify('💬'.repeat(20_000)),
  JSON.stringify('9'.repeat(5_000)),
  '[]',
  '[null]',
  '[1,"a",{}]',
  '{}',
  '{"$ne":null}',
  '{"__proto__":{"admin":true}}',
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  '"\'; drop table accounts; --"',
  '"00000000-0000-4000-8000-000000000000"',
  '"0202-06-01"',
  '"9999-12-31T23:59:59.999Z"',
  '"0000-01-01T00:00:00+23:59"',
  '"2026-02-30"',
  '"-infinity"',
  '"%s%n\\\\x00"',
]
const hostileBodies = [
  ...hostileJson,
  '',
  '{',
  '{"a":1,}',
  '\ufeff{}',
  '{"a":1}{"b":2}',
  '{"constructor":{"prototype":1}}',
]
const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  'abc',
  'NaN',
  '1e99',
  '0x7f',
  '2147483648',
  '99999999999999999999',
  '\0',
  'a\0b',
  '\ud800',
  '../../etc/passwd',
  "' or 1=1--",
  '0202-06-01',
  '9999-12-31',
  '2026-02-30',
  '0000-01-01T00:00:00+23:59',
  '%',
  'x'.repeat(3000),
  '💬'.repeat(60),
  Array.from({ length: 300 }, (_, index) => index).join(','),
  '__proto__',
]

const hostileKeys = ['x', ' ', 'x'.repeat(200), 'x'.repeat(201), '\u00ff', '"', '{}']
const versions = [
  '"personal-0"',
  '"services-1"',
  '"license-99999999999"',
  'W/"personal-1"',
  '*',
  '""',
  '"-1"',
  '"__proto__-1"',
]

const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
