import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'

const web = fileURLToPath(new URL('../src/web', import.meta.url))

/**
 * A field of a form, as the web's sources name it: `limitsOf('PUT /client/profile', 'name')`. A field of a list's rows
 * follows the name of the list: `'license_list.license_number'`.
 */
const usePattern = /\b(?:limitsOf|limitedField)\(\s*(?:form,\s*)?'([A-Z]+ \/[^']+)',\s*'([\w.]+)'/g

/** The limits of the body fields that the web's forms use, by endpoint and field. */
export function readFieldLimits(): Record<string, Record<string, Limits>> {
  const used = new Set<string>()
  for (const entry of readdirSync(web, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.test|\.gen)\.tsx?$/.test(entry.name)) continue
    const source = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, key, field] of source.matchAll(usePattern)) used.add(`${key} ${field}`)
  }
  const limits: Record<string, Record<string, Limits>> = {}
  for (const use of [...used].toSorted()) {
    const at = use.lastIndexOf(' ')
    const [key, field] = [use.slice(0, at), use.slice(at + 1)]
    limits[key] = { ...limits[key], [field]: limitsOfField(key, field) }
  }
  return limits
}

type Limits = {
  maxLength?: number
  tooLong?: string
  minLength?: number
  tooShort?: string
  required?: string
}

export function limitsOfField(key: string, field: string): Limits {
  const body = (endpoints as Record<string, Endpoint>)[key]?.body
  if (!body) throw new Error(`The contract has no body for ${key}, whose field ${field} a form names.`)
  // A number or text is described by what it becomes alone.
  const forms = (['output', 'input'] as const).flatMap((io) => describe(body, field, io) ?? [])
  if (forms.length === 0) throw new Error(`The body of ${key} has no field ${field}, which a form names.`)
  const { maxLength, minLength } = Object.assign({}, ...forms) as Described
  const limits: Limits = {}
  if (maxLength !== undefined) {
    limits.maxLength = maxLength
    limits.tooLong = sentence(messageFor(body, field, 'x'.repeat(maxLength + 1)), `${key}: ${field}`)
  }
  if (minLength !== undefined && minLength > 1) {
    limits.minLength = minLength
    limits.tooShort = sentence(messageFor(body, field, 'x'), `${key}: ${field}`)
  }
  const isTick = forms.some((form) => form.const === true)
  const missing = isTick || minLength === 1 ? messageFor(body, field, isTick ? false : '') : undefined
  if (missing !== undefined && !saysLittle(missing)) limits.required = sentence(missing, key)
  if (Object.keys(limits).length === 0) throw new Error(`The field ${field} of ${key} has no limit.`)
  return limits
}

type Described = {
  maxLength?: number
  minLength?: number
  const?: unknown
  anyOf?: Described[]
  properties?: Record<string, Described>
  items?: Described
}

function describe(body: z.ZodType, field: string, io: 'input' | 'output'): Described | undefined {
  const whole = z.toJSONSchema(body, { io, unrepresentable: 'any' }) as Described
  const described = field
    .split('.')
    .reduce<Described | undefined>((at, name) => (at?.items ?? at)?.properties?.[name], whole)
  return described && stringIn(described)
}

/** The text among the kinds of value that a field takes: beside `null`, for one. */
function stringIn(described: Described): Described {
  return described.anyOf?.find(({ maxLength }) => maxLength !== undefined) ?? described
}

/** What the contract says of a value; undefined for a good one. */
function messageFor(body: z.ZodType, field: string, value: unknown): string | undefined {
  const [name = '', ofRow] = field.split('.')
  const parsed = body.safeParse({ [name]: ofRow === undefined ? value : [{ [ofRow]: value }] })
  return parsed.error?.issues.find(({ path }) => path[0] === name && path.at(-1) === (ofRow ?? name))?.message
}

/** The words of `contract/sentences.ts` for any field, where a form has to name its own. */
function saysLittle(message: string): boolean {
  return ['Fill this in.', 'Choose from the list.', 'Check this.'].includes(message)
}

function sentence(message: string | undefined, where: string): string {
  if (message === undefined || saysLittle(message)) {
    throw new Error(`${where} needs a message of its own in the contract: a form shows it.`)
  }
  if (!/[.?!]$/.test(message)) throw new Error(`${where}: “${message}” is not a sentence.`)
  return message
}

/** The generated source of the web. */
export function writeFieldLimits(): string {
  const entries = Object.entries(readFieldLimits()).map(([key, fields]) => {
    const lines = Object.entries(fields).map(
      ([name, limits]) => `    ${name.includes('.') ? `'${name}'` : name}: ${literal(limits)},\n`,
    )
    return `  '${key}': {\n${lines.join('')}  },\n`
  })
  return `// Generated by npm run generate from the contract, for the fields that limitsOf and limitedField name.
export const fieldLimits = {
${entries.join('')}} as const
`
}

function literal(limits: Limits): string {
  const parts = Object.entries(limits).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `{ ${parts.join(', ')} }`
}
