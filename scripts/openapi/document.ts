import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { routeOf, schemasOf } from '#server/http/serve.ts'
import { tidyComponents } from './components.ts'
import { readDocComments } from './doc-comments.ts'
import { errorResponses, errorSchemas, responsesOf } from './errors.ts'
import { operationId } from './operation-ids.ts'
import type { Described, OpenApiDocument, Operation, Parameter, Schema } from './types.ts'

const folder = new URL('../../src/contract/', import.meta.url)

type Contract = {
  endpoints: [key: string, endpoint: Endpoint][]
  /** The name under which a schema is exported. */
  names: Map<z.ZodType, string>
  /** Doc comments by what they are about; see `readDocComments`. */
  comments: Map<string, string>
  /** The module whose contract has an endpoint, by the endpoint's key. */
  modules: Map<string, string>
}

/** Describes the contract as OpenAPI: its schemas, who may call, and its doc comments. Sorted by path and name. */
export async function describeContract(): Promise<OpenApiDocument> {
  const contract = await readContract()
  const document = await describeRoutes(contract)
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const [known = name] = [name, name.replace(/Input$/, '')].filter((each) => contract.comments.has(each))
    schema.description = contract.comments.get(known)
    describeFields(schema, name.replace(/Input$/, ''), contract.comments)
  }
  for (const [key, endpoint] of contract.endpoints) {
    const [method = '', path = ''] = key.split(' ')
    const operations = document.paths[path]
    const operation = operations?.[method.toLowerCase()]
    if (!operations || !operation) throw new Error(`The document lacks ${key}.`)
    operations[method.toLowerCase()] = completed(operation, key, endpoint, contract)
  }
  document.components.responses = errorResponses
  Object.assign(document.components.schemas, errorSchemas)
  return tidyComponents(document)
}

async function readContract(): Promise<Contract> {
  const contract: Contract = {
    endpoints: Object.entries<Endpoint>(endpoints),
    names: new Map(),
    comments: new Map(),
    modules: new Map(),
  }
  const owners = new Map<string, string>()
  const bases = new Map<string, string>()
  const files = globSync('**/*.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  for (const file of files.toSorted()) {
    const url = new URL(file, folder)
    for (const [name, value] of Object.entries((await import(url.href)) as Record<string, unknown>)) {
      if (value instanceof z.ZodType && !contract.names.has(value)) {
        const other = owners.get(name)
        if (other !== undefined) throw new Error(`${other} and ${file} both export a schema called ${name}.`)
        owners.set(name, file)
        contract.names.set(value, name)
      }
      if (name === 'endpoints' || typeof value !== 'object' || value === null) continue
      for (const key of Object.keys(value))
        if (key in endpoints) contract.modules.set(key, file.replace(/(\/.*|\.ts)$/, ''))
    }
    const read = readDocComments(await readFile(url, 'utf8'))
    for (const [name, text] of read.texts) contract.comments.set(name, text)
    for (const [name, base] of read.bases) bases.set(name, base)
  }
  for (const name of bases.keys()) inherit(name, bases, contract.comments)
  return contract
}

/** A schema made from another one keeps the comments of its fields. */
function inherit(name: string, bases: Map<string, string>, comments: Map<string, string>): void {
  const base = bases.get(name)
  if (base === undefined) return
  inherit(base, bases, comments)
  for (const [path, text] of new Map(comments)) {
    const own = path.startsWith(`${base}.`) ? `${name}${path.slice(base.length)}` : undefined
    if (own !== undefined && !comments.has(own)) comments.set(own, text)
  }
}

/** Lets the type provider describe a route for each endpoint, without any of the product behind it. */
async function describeRoutes(contract: Contract): Promise<OpenApiDocument> {
  // Their fields become parameters one by one.
  const expanded = new Set(contract.endpoints.flatMap(([, { params, query }]) => [params, query]))
  const named = [...contract.names].filter(([schema]) => !expanded.has(schema))
  const former = named.map(([schema]) => [schema, z.globalRegistry.get(schema)] as const)
  for (const [schema, id] of named) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id })
  const app = Fastify()
  try {
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Hearth',
          version: '7',
          description: 'The calls of the Hearth online therapy marketplace.',
        },
        servers: [{ url: '/api/v7' }],
        components: {
          securitySchemes: {
            bearer: {
              type: 'http',
              scheme: 'bearer',
              description: 'The access token that a sign-in returns',
            },
            chat: {
              type: 'http',
              scheme: 'bearer',
              description: 'The token that `POST /chat/session` returns',
            },
          },
        },
      },
      transform: jsonSchemaTransform,
      transformObject: jsonSchemaTransformObject,
    })
    for (const [key, endpoint] of contract.endpoints) {
      const token = endpoint.token === 'chat' ? 'chat' : 'bearer'
      app.route({
        ...routeOf(key),
        schema: {
          ...schemasOf(endpoint),
          operationId: operationId(key),
          summary: endpoint.summary,
          tags: [contract.modules.get(key) ?? 'other'],
          ...(endpoint.access === 'anyone' ? {} : { security: [{ [token]: [] }] }),
        },
        handler: async () => undefined,
      })
    }
    await app.ready()
    // As JSON, since parts of it are one object in several places.
    return JSON.parse(JSON.stringify(app.swagger())) as OpenApiDocument
  } finally {
    await app.close()
    for (const [schema, metadata] of former) {
      z.globalRegistry.remove(schema)
      if (metadata) z.globalRegistry.add(schema, metadata)
    }
  }
}

/** Adds what the schemas do not say: headers, uploads, errors and descriptions. */
function completed(
  { operationId: id, summary, tags, security, ...operation }: Operation,
  key: string,
  endpoint: Endpoint,
  { names, comments }: Contract,
): Operation {
  const status = String(endpoint.status ?? 200)
  const success = operation.responses[status]
  if (!success?.content) throw new Error(`The document lacks what ${key} returns.`)
  const description = comments.get(key)
  const parameters = [
    ...(operation.parameters ?? []).map((parameter) => {
      const [schema, part] = parameter.in === 'path' ? [endpoint.params, 'params'] : [endpoint.query, 'query']
      const text =
        comments.get(`${schema && names.get(schema)}.${parameter.name}`) ??
        comments.get(`${key}.${part}.${parameter.name}`) ??
        ownDescription(schema, parameter.name)
      return text === undefined ? parameter : { ...parameter, description: text }
    }),
    ...headersOf(endpoint),
  ]
  const requestBody = endpoint.upload ? formOf(endpoint.upload.field) : operation.requestBody
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    describeFields(schema, `${key}.body`, comments)
  }
  for (const { schema } of Object.values(success.content)) describeFields(schema, `${key}.answer`, comments)
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags,
    ...(security ? { security } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [status]: { description: status === '201' ? 'Created' : 'OK', content: success.content },
      ...responsesOf(endpoint),
    },
  }
}

/** What a field that no line of the contract declares says of itself. */
function ownDescription(schema: z.ZodType | undefined, field: string): string | undefined {
  const found: unknown = schema instanceof z.ZodObject ? schema.shape[field] : undefined
  return found instanceof z.ZodType ? found.description : undefined
}

function headersOf(endpoint: Endpoint): Parameter[] {
  const headers: Parameter[] = []
  if (endpoint.idempotent) {
    headers.push({
      in: 'header',
      name: 'Idempotency-Key',
      description:
        "The caller's own name for this request: a repeat under the same name returns the first answer",
      schema: { type: 'string', minLength: 1, maxLength: 200 },
    })
  }
  if (endpoint.versioned) {
    headers.push({
      in: 'header',
      name: 'If-Match',
      description: '`"<step>-<version>"`; 409 `changed_elsewhere` if the step was saved since that version',
      schema: { type: 'string' },
    })
  }
  return headers
}

function formOf(field: string): Described {
  const schema: Schema = {
    type: 'object',
    properties: { [field]: { type: 'string', format: 'binary' } },
    required: [field],
  }
  return { required: true, content: { 'multipart/form-data': { schema } } }
}

function describeFields(schema: Schema, owner: string, comments: Contract['comments']): void {
  for (const [path, text] of comments) {
    if (path.startsWith(`${owner}.`)) describe(schema, path.slice(owner.length + 1).split('.'), text)
  }
}

/** Puts a text on the field at a path, in each part of the schema that has it. */
function describe(schema: Schema, [name = '', ...rest]: string[], text: string): void {
  const field = schema.properties?.[name]
  if (field && rest.length > 0) describe(field, rest, text)
  else if (field) field.description = text
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  for (const part of parts) if (part) describe(part, [name, ...rest], text)
}
