import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A form's fields, with what stands in brackets nested: `metadata[a]=1` is `{ metadata: { a: '1' } }`. */
export type Form = { [name: string]: string | Form }

export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/[[\]]+/).filter((name) => name !== '')
    let into = form
    for (const name of names.slice(0, -1)) {
      const inner = into[name] ?? {}
      if (typeof inner === 'string') throw new Error(`${path} is a value and a group.`)
      into[name] = inner
      into = inner
    }
    into[names.at(-1) ?? ''] = value
  }
  return form
}

type Declared = {
  /** By interface, the type of each member; `PaymentIntentCreateParams.PaymentMethodOptions` for a nested one. */
  interfaces: Map<string, Map<string, string>>
  /** The texts that a type names; the SDK's own "or another text" is for what Stripe may add one day. */
  texts: Map<string, string[]>
}

const read = new Map<string, Declared>()

/** What a resource's declarations in the installed SDK say, such as `PaymentIntents`. */
function declarationsOf(resource: string): Declared {
  const known = read.get(resource)
  if (known) return known
  const sdk = dirname(createRequire(import.meta.url).resolve('stripe'))
  const file = join(sdk, '..', 'esm', 'resources', `${resource}.d.ts`)
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const declared: Declared = { interfaces: new Map(), texts: new Map() }
  const around: string[] = []
  for (const line of code.split('\n')) {
    const [, opened] =
      /^\s*(?:export )?(?:declare )?(?:interface|namespace|class) (\w+).*\{$/.exec(line) ?? []
    const [, member, type] = /^\s*(\w+)\??: (.*)$/.exec(line) ?? []
    const [, alias, union] = /^\s*(?:export )?type (\w+) = (.*);$/.exec(line) ?? []
    if (opened) {
      around.push(opened)
      declared.interfaces.set(around.join('.'), declared.interfaces.get(around.join('.')) ?? new Map())
      if (/extends \w*PaginationParams/.test(line)) {
        for (const name of ['limit', 'starting_after', 'ending_before'])
          declared.interfaces.get(around.join('.'))?.set(name, 'string')
      }
    } else if (/^\s*\{$/.test(line)) around.push('')
    else if (/^\s*\}/.test(line)) around.pop()
    else if (member && type) declared.interfaces.get(around.join('.'))?.set(member, type)
    else if (alias && union && /^('[^']*'( \| )?)+(OtherString)?$/.test(union))
      declared.texts.set(
        [...around, alias].join('.'),
        [...union.matchAll(/'([^']*)'/g)].map((each) => each[1] ?? ''),
      )
  }
  read.set(resource, declared)
  return declared
}

/** What the SDK's type of a call's parameters does not know; nothing when all is well. */
export function unknownParameter(
  { resource, type }: { resource: string; type: string },
  form: Form,
  path = '',
): { param: string; message: string } | undefined {
  const { interfaces, texts } = declarationsOf(resource)
  const members = interfaces.get(type)
  if (!members) throw new Error(`The SDK declares no ${type}.`)
  for (const [name, value] of Object.entries(form)) {
    const param = path === '' ? name : `${path}[${name}]`
    const declared = members.get(name)
    if (declared === undefined) return { param, message: `Received unknown parameter: ${param}` }
    const named = resolve(declared, type, [...interfaces.keys(), ...texts.keys()])
    const isFree = /Metadata|^Array</.test(declared)
    if (typeof value !== 'string' && !isFree) {
      if (named === undefined || !interfaces.has(named)) return { param, message: `Invalid object: ${param}` }
      const wrong = unknownParameter({ resource, type: named }, value, param)
      if (wrong) return wrong
    }
    const allowed = named === undefined ? undefined : texts.get(named)
    const given = typeof value === 'string' ? [value] : Object.values(value)
    const isFlag = /\bboolean\b/.test(declared)
    const odd = given.find(
      (each) =>
        typeof each === 'string' &&
        !(isFlag && /^(true|false)$/.test(each)) &&
        (allowed ? !allowed.includes(each) : isFlag),
    )
    if (odd !== undefined)
      return {
        param,
        message: `Invalid ${param}: must be one of ${(allowed ?? ['true', 'false']).join(', ')}`,
      }
    if (declared.startsWith('number;') && !/^\d+$/.test(String(value)))
      return { param, message: `Invalid integer: ${String(value)}` }
  }
  return undefined
}

/** The type that a member's declaration names, as it is seen from the interface that the member stands in. */
function resolve(declared: string, from: string, known: string[]): string | undefined {
  for (const [name] of declared.matchAll(/[A-Z][\w.]*/g)) {
    const scopes = from
      .split('.')
      .map((_part, index, parts) => parts.slice(0, parts.length - index).join('.'))
    const found = [...scopes.map((scope) => `${scope}.${name}`), name].find((each) => known.includes(each))
    if (found) return found
  }
  return undefined
}
