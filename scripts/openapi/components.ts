import type { OpenApiDocument, Schema } from './types.ts'

const prefix = '#/components/schemas/'

/** One component for what is sent and returned alike, none that no call refers to, all in alphabetical order. */
export function tidyComponents(document: OpenApiDocument): OpenApiDocument {
  const plain = mapObjects(document, simplify)
  const alike = sentAsReturned(plain.components.schemas)
  const { components, paths, ...head } = mapReferences(plain, (pointer) => joined(pointer, alike))
  const used = referred(paths, components)
  return {
    ...head,
    paths: sorted(paths),
    components: {
      securitySchemes: components.securitySchemes,
      responses: sorted(components.responses, (name) => used.has(`#/components/responses/${name}`)),
      schemas: sorted(components.schemas, (name) => used.has(prefix + name)),
    },
  }
}

/** Leaves out what says nothing: bounds of any number, patterns of a known format, and that answers grow no fields. */
function simplify(schema: Schema): Schema {
  const { ...kept } = schema
  if (typeof kept.format === 'string' && typeof kept.pattern === 'string') delete kept.pattern
  if (kept.additionalProperties === false) delete kept.additionalProperties
  if (kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum
  if (kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum
  return kept
}

/** The `…Input` components that equal their counterpart, taken that those they refer to do. */
function sentAsReturned(schemas: Record<string, Schema>): Set<string> {
  const outputOf = (name: string) => schemas[name.replace(/Input$/, '')]
  const alike = new Set(Object.keys(schemas).filter((name) => name.endsWith('Input') && outputOf(name)))
  const written = (schema: Schema | undefined) =>
    JSON.stringify(
      mapReferences(schema, (pointer) => joined(pointer, alike)),
      (_key, value: unknown) => (isObject(value) ? sorted(value) : value),
    )
  for (let before = -1; before !== alike.size; ) {
    before = alike.size
    for (const name of alike) if (written(schemas[name]) !== written(outputOf(name))) alike.delete(name)
  }
  return alike
}

function joined(pointer: string, alike: ReadonlySet<string>): string {
  return pointer.startsWith(prefix) && alike.has(pointer.slice(prefix.length))
    ? pointer.replace(/Input$/, '')
    : pointer
}

/** Pointers to the components that the calls refer to, directly or through others. */
function referred(paths: unknown, { responses, schemas }: OpenApiDocument['components']): Set<string> {
  const found = new Set<string>()
  const follow = (value: unknown): void => {
    mapReferences(value, (pointer) => {
      const [, , shelf, name = ''] = pointer.split('/')
      const isNew = !found.has(pointer)
      found.add(pointer)
      if (isNew) follow(shelf === 'responses' ? responses[name] : schemas[name])
      return pointer
    })
  }
  follow(paths)
  return found
}

function mapReferences<T>(value: T, change: (pointer: string) => string): T {
  return mapObjects(value, (each) =>
    typeof each.$ref === 'string' ? { ...each, $ref: change(each.$ref) } : each,
  )
}

function mapObjects<T>(value: T, change: (object: Schema) => Schema): T {
  if (Array.isArray(value)) return value.map((each: unknown) => mapObjects(each, change)) as T
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [key, mapObjects(each, change)])
  return change(Object.fromEntries(entries) as Schema) as T
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted<T>(record: Record<string, T>, isKept = (_name: string) => true): Record<string, T> {
  const kept = Object.entries(record).filter(([name]) => isKept(name))
  return Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
