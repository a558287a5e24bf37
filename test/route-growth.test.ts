import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, type Role } from '#contract/endpoint.ts'
import { type EndpointKey, endpoints } from '#contract/endpoints.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createAdmin, createClient, signInToChat } from '#test/factories.ts'
import { registerTherapist } from '#test/onboarding.ts'

/*
 * Texts as long as a body may be, made to keep a careless expression busy, in every field of every call at once. What is
 * answered at once needs no measuring; the rest takes time in proportion to the text's length at most.
 */
const bodyBytes = 200 * 1024
const queryBytes = 10 * 1024
/** Quadratic work on the longest text would take far longer. Milliseconds. */
const negligible = 150
const perByte = 4

/** Each text begins as something that a field may expect, and goes on for ever. */
const hostileTexts: Record<string, (length: number) => string> = {
  letters: (length) => 'a'.repeat(length),
  spaces: (length) => `a${' '.repeat(length)}a`,
  'line ends': (length) => `${'\n'.repeat(length)}a`,
  digits: (length) => `${'1'.repeat(length)}x`,
  'equals signs': (length) => `${'='.repeat(length)}x`,
  slashes: (length) => `https://${'/'.repeat(length)}\n`,
  'addresses of mail': (length) => `a@${'a.'.repeat(length / 2)}`,
  'percent signs': (length) => `${'%'.repeat(length)}\n`,
  brackets: (length) => '<('.repeat(length / 2),
  'clock times': (length) => `2026-06-01T09:00${':00'.repeat(length / 3)}`,
  'combining accents': (length) => 'e\u0301'.repeat(length / 3),
}

let app: TestApp
const tokens: Partial<Record<Role | 'chat', string>> = {}
beforeAll(async () => {
  app = await buildTestApp({ rateLimitScale: 1_000_000 })
  const client = await createClient(app)
  tokens.client = client.token
  tokens.chat = (await signInToChat(app, (await createClient(app)).token)).token
  tokens.therapist = (await registerTherapist(app)).token
  tokens.admin = (await createAdmin(app)).token
})
afterAll(() => app.close())

type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}

const described = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** A value of that shape, with `text` wherever a text may stand. */
function filled(schema: JsonSchema, text: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) {
    const ofText = schema.anyOf.find(({ type }) => type === 'string')
    return filled(ofText ?? schema.anyOf[0] ?? {}, text)
  }
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, filled(field, text)]),
    )
  }
  if (schema.type === 'array') return [filled(schema.items ?? {}, text)]
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (schema.type === 'boolean') return true
  return text
}

const textsIn = (schema: JsonSchema) => JSON.stringify(filled(schema, '\u0000')).split('\\u0000').length - 1

async function timeOf(key: EndpointKey, endpoint: Endpoint, text: string): Promise<number> {
  const [method = '', path = ''] = key.split(' ')
  const role = endpoint.access === 'anyone' ? undefined : endpoint.access[0]
  const query = endpoint.query
    ? `?${new URLSearchParams(
        Object.entries(filled(described(endpoint.query), text) as object).map(
          ([name, value]): [string, string] => [name, String(value)],
        ),
      ).toString()}`
    : ''
  const target = path.replace('{provider}', 'sandbox').replace(/\{\w+\}/g, '1')
  const start = performance.now()
  const answer = await app.app.inject({
    method: method as 'POST',
    url: `/api/v7${target}${query}`,
    headers: {
      ...(role ? { authorization: `Bearer ${tokens[endpoint.token === 'chat' ? 'chat' : role]}` } : {}),
      ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(endpoint.body ? { payload: JSON.stringify(filled(described(endpoint.body), text)) } : {}),
  })
  const time = performance.now() - start
  expect([key, answer.statusCode < 500]).toEqual([key, true])
  return time
}

test.each(Object.entries(hostileTexts))(
  'every call answers long texts of %s in time proportional to their length',
  async (_name, textOf) => {
    const slow: string[] = []
    let asked = 0
    for (const [key, endpoint] of Object.entries(endpoints) as [EndpointKey, Endpoint][]) {
      const schema = endpoint.body ?? endpoint.query
      const fields = schema ? textsIn(described(schema)) : 0
      if (fields === 0 || endpoint.upload) continue
      asked += 1
      const length = Math.floor((endpoint.body ? bodyBytes : queryBytes) / 3 / fields)
      for (let attempt = 0; attempt < 3; attempt++) {
        const large = await timeOf(key, endpoint, textOf(length))
        if (large < negligible) break
        const small = await timeOf(key, endpoint, textOf(Math.floor(length / 16)))
        if (large / small < 16 * perByte) break
        if (attempt === 2) slow.push(`${key}: ${Math.round(small)} ms, ${Math.round(large)} ms`)
      }
    }
    expect(asked).toBeGreaterThan(60)
    expect(slow).toEqual([])
  },
)
