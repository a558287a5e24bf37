import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { afterEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { Pounds } from '#contract/common.ts'
import { endpoints } from '#contract/endpoints.ts'
import { type ErrorCode, errorCodes } from '#contract/errors.ts'
import { statusOf } from '#server/errors.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { readDocComments } from '../scripts/openapi/doc-comments.ts'
import { describeContract } from '../scripts/openapi/document.ts'
import { inLines } from '../scripts/openapi/lines.ts'
import { chosenNames, operationId } from '../scripts/openapi/operation-ids.ts'
import type { OpenApiDocument, Operation } from '../scripts/openapi/types.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const text = readFileSync(join(root, 'openapi.json'), 'utf8')
const document = JSON.parse(text) as OpenApiDocument
const { schemas, responses } = document.components
const calls = Object.entries<Endpoint>(endpoints)

function operationOf(key: string): Operation {
  const [method = '', path = ''] = key.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`openapi.json lacks ${key}.`)
  return operation
}

describe('openapi.json', () => {
  test('is what the contract says, and describing it leaves the schemas as they were', async () => {
    expect(inLines(await describeContract()), 'run npm run generate').toBe(text)
    expect(z.globalRegistry.get(Pounds)).toEqual({ description: 'Pounds sterling' })
  })

  test('has a line for each path and each component, and stays below 600 KB', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(600_000)
    const lines = text.split('\n')
    for (const name of [...Object.keys(document.paths), ...Object.keys(schemas)]) {
      expect(lines.filter((line) => line.startsWith(`${JSON.stringify(name)}: {`)).length, name).toBe(1)
    }
  })

  test('describes every endpoint and no other call', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual(calls.map(([key]) => key).toSorted())
  })

  test('refers to components that there are, and has none besides', () => {
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name),
    )
    const components = Object.entries({ schemas, responses }).flatMap(([shelf, named]) =>
      Object.keys(named).map((name) => `${shelf}/${name}`),
    )
    expect(components.length).toBeGreaterThan(150)
    expect([...references].toSorted()).toEqual(components.toSorted())
    expect(text.match(/\$ref/g)?.length).toBe(text.match(/"\$ref":"#\/components\//g)?.length)
  })

  test('names a schema as the contract does, twice only where sending and receiving differ', () => {
    expect(schemas.WriteReview?.properties).toEqual({
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      comment: { type: 'string', minLength: 1, maxLength: 4000 },
    })
    const body = operationOf('POST /appointment/{appointment_id}/review').requestBody
    expect(body?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/WriteReview' })
    for (const name of Object.keys(schemas).filter((each) => each.endsWith('Input'))) {
      const other = schemas[name.replace(/Input$/, '')]
      if (other) expect(JSON.stringify(schemas[name]), name).not.toBe(JSON.stringify(other))
    }
    // An id in a schema's metadata would stand in it as a keyword too.
    for (const [name, schema] of Object.entries(schemas)) {
      expect([name, schema.id, schema.$id, schema.$schema]).toEqual([name, undefined, undefined, undefined])
    }
  })

  test('groups the calls by module', () => {
    const tags = calls.map(([key]) => operationOf(key).tags.join())
    const modules = readdirSync(join(root, 'src/server/modules'))
    expect([...new Set(tags)].filter((tag) => !modules.includes(tag))).toEqual([])
    expect(operationOf('PUT /therapist/booking-rules').tags).toEqual(['availability'])
  })

  test('has the headers and uploads of the calls that read them', () => {
    for (const [key, endpoint] of calls) {
      const { parameters = [], requestBody } = operationOf(key)
      const headers = parameters.filter((each) => each.in === 'header').map((each) => each.name)
      expect([key, headers]).toEqual([
        key,
        [...(endpoint.idempotent ? ['Idempotency-Key'] : []), ...(endpoint.versioned ? ['If-Match'] : [])],
      ])
      const types = Object.keys(requestBody?.content ?? {})
      const expected = endpoint.upload ? ['multipart/form-data'] : endpoint.body ? ['application/json'] : []
      expect([key, types]).toEqual([key, expected])
    }
  })
})

describe('the operation id of a call', () => {
  test('is a function name of its own', () => {
    const ids = calls.map(([key]) => operationOf(key).operationId)
    expect(new Set(ids).size).toBe(calls.length)
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]*|\d)+$/.test(id) && !/^[a-z]+$/.test(id))).toEqual([])
  })

  test.each([
    ['POST /client/login', 'loginClient'],
    ['POST /admin/second-factor/set-up', 'setUpAdminSecondFactor'],
    ['GET /client/login-sessions', 'getClientLoginSessions'],
    ['DELETE /client/login-sessions/{id}', 'deleteClientLoginSession'],
    ['POST /therapist/sessions/{appointment_id}/cancel', 'cancelTherapistSession'],
    ['POST /chat/dialogs', 'createChatDialog'],
    ['GET /issue/get-issues', 'getIssues'],
    ['POST /admin/reports/{id}/hide', 'hideReport'],
    ['POST /appointment/create-session', 'createAppointmentSession'],
    ['POST /chat/messages', 'sendChatMessage'],
  ])('of %s is %s', (key, id) => {
    expect(operationId(key)).toBe(id)
  })

  test('is chosen for endpoints alone that there are', () => {
    expect(Object.keys(chosenNames).filter((key) => !(key in endpoints))).toEqual([])
  })
})

describe('the errors of a call', () => {
  test('have a schema for each status, with every code that comes with it', () => {
    let checked = 0
    for (const [name, response] of Object.entries(responses)) {
      if (name === 'Error' || '$ref' in response) continue
      const reference = response.content['application/json']?.schema.$ref ?? ''
      const codes = schemas[reference.split('/').at(-1) ?? '']?.properties?.code?.enum as ErrorCode[]
      const status = statusOf[codes[0] ?? 'conflict']
      expect([name, codes]).toEqual([name, errorCodes.filter((code) => statusOf[code] === status)])
      checked += 1
    }
    expect(checked).toBeGreaterThan(8)
    expect(schemas.ErrorAnswer?.properties?.code?.enum).toEqual(errorCodes)
  })

  test('follow from who may call and what is sent', () => {
    const statusesOf = (key: string) =>
      Object.keys(operationOf(key).responses)
        .filter((each) => each >= '4')
        .join(' ')
    expect(statusesOf('GET /issue/get-issues')).toBe('401 429 500 503 4XX')
    expect(statusesOf('GET /appointment/{appointment_id}')).toBe('401 403 404 422 429 500 503 4XX')
    expect(statusesOf('POST /appointment/edit-session')).toBe(
      '400 401 403 404 409 413 415 422 429 500 503 4XX',
    )
  })
})

describe('doc comments', () => {
  const source = `
/** A note,
 * on two lines. */
export const Note = z.object({
  /** What it says. */
  text: z.string(),
  author: z.object({
    /** As shown. */
    name: z.string(),
  }),
  plain: z.string(),
})

/** A note that was kept. */
export const KeptNote = Note.extend({ kept_at: Instant })

export const noteEndpoints = defineEndpoints({
  /** Newest first. */
  'GET /notes/{id}': {
    access: ['client'],
    query: z.object({
      /** The first is 1. */
      page: z.number(),
    }),
  },
})
`

  test('are read with what they are about', () => {
    const { texts, bases } = readDocComments(source)
    expect(Object.fromEntries(texts)).toEqual({
      Note: 'A note, on two lines.',
      'Note.text': 'What it says.',
      'Note.author.name': 'As shown.',
      KeptNote: 'A note that was kept.',
      'GET /notes/{id}': 'Newest first.',
      'GET /notes/{id}.query.page': 'The first is 1.',
    })
    expect(Object.fromEntries(bases)).toEqual({ KeptNote: 'Note' })
  })

  test('describe schemas and fields, those of a schema that was extended too', () => {
    expect(schemas.Appointment?.description).toBe(
      'Of the appointment; `session_id` and `appointment_id` are the same id.',
    )
    const fee = 'What the client pays, any discount taken off.'
    expect(schemas.Appointment?.properties?.fee).toEqual({
      $ref: '#/components/schemas/Pounds',
      description: fee,
    })
    expect(schemas.AppointmentDetail?.properties?.fee?.description).toBe(fee)
    expect(schemas.PastSession?.properties?.fee?.description).toBe(fee)
  })
})

describe('a client generated from openapi.json', () => {
  let app: TestApp
  let directory: string
  afterEach(async () => {
    await app.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('compiles with the checker of the product, and its functions call the product', async () => {
    app = await buildTestApp()
    directory = mkdtempSync(join(tmpdir(), 'hearth-client-'))
    const run = (program: string, args: string[]) =>
      promisify(execFile)(join(root, 'node_modules', '.bin', program), args, {
        cwd: directory,
        shell: process.platform === 'win32',
      })
    const write = (name: string, content: string) => writeFileSync(join(directory, name), content)
    const output = { target: 'client.ts', client: 'fetch', mode: 'single', baseUrl: `${app.origin}/api/v7` }
    const settings = { hearth: { input: join(root, 'openapi.json'), output } }
    write('orval.config.mjs', `export default ${JSON.stringify(settings)}`)
    await run('orval', ['--config', 'orval.config.mjs'])
    write(
      'use.ts',
      `import { createAppointmentSession, getIssues, getClientProfile, type AppointmentDetail } from './client.ts'
export const hold = async (practitioner_id: number): Promise<string> => {
  const held = await createAppointmentSession({ practitioner_id, booking_type: 'schedule', datetime: '2027-01-01T10:00:00Z' })
  if (held.status === 201) return held.data.status
  if (held.status === 409) return held.data.code satisfies 'slot_taken' | 'conflict' | string
  return held.data.message
}
export const room = (session: AppointmentDetail): string | null => session.meeting_link
const issues = await getIssues()
if (issues.status !== 200) throw new Error('no issues')
const refused = await getClientProfile()
if (refused.status !== 401) throw new Error('not refused')
console.log(JSON.stringify([issues.data.length, refused.data.code]))
`,
    )
    const options = { extends: join(root, 'tsconfig.base.json'), files: ['use.ts'] }
    const compilerOptions = { lib: ['ES2024', 'DOM', 'DOM.Iterable'], types: [], skipLibCheck: false }
    write('tsconfig.json', JSON.stringify({ ...options, compilerOptions }))
    write('package.json', '{ "type": "module" }')
    await run('tsc', ['-p', 'tsconfig.json'])
    const { stdout } = await run('node', ['use.ts'])
    expect(JSON.parse(stdout)).toEqual([expect.any(Number), 'unauthenticated'])
    // A call that there is not, and a field of another type, must not compile.
    write(
      'use.ts',
      `import { inventSession } from './client.ts'\nimport { loginClient } from './client.ts'\nawait loginClient({ email: 1, password: 'x' })\n`,
    )
    const complaint = await run('tsc', ['-p', 'tsconfig.json']).catch(
      (error: { stdout: string }) => error.stdout,
    )
    expect(complaint).toMatch(/use\.ts\(1,.*no exported member.*'inventSession'/)
    expect(complaint).toMatch(/use\.ts\(3,.*'number' is not assignable to type 'string'/)
  })
})

describe('the reference', () => {
  let app: TestApp
  afterEach(() => app.close())

  test('is served with its files and openapi.json, and may load nothing else', async () => {
    app = await buildTestApp()
    const page = await fetch(`${app.origin}/api/docs`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|http/)
    const markup = await page.text()
    const files = [...markup.matchAll(/(?:src|href)="(\/api\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files.length).toBe(4)
    for (const path of files) {
      expect([path, (await fetch(app.origin + path)).status]).toEqual([path, 200])
    }
    expect(markup).not.toMatch(/<script>|<style|https?:/)
    expect(await (await fetch(`${app.origin}/api/v7/openapi.json`)).text()).toBe(text)
    // The package's other files stay where they are.
    for (const other of ['oauth2-redirect.html', '../package.json', '%2e%2e/package.json', 'index.html']) {
      expect([other, (await fetch(`${app.origin}/api/docs/files/${other}`)).status]).toEqual([other, 404])
    }
  })
})
