import { isDeepStrictEqual } from 'node:util'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  type AnswerOf,
  type BodyOf,
  type EndpointKey,
  endpoints,
  type ParamsOf,
  type QueryOf,
} from '#contract/endpoints.ts'
import { ErrorAnswer } from '#contract/errors.ts'
import { type Clock, hours, minutes } from '../clock.ts'
import { fail } from '../errors.ts'
import type { Tracing } from '../integrations/tracing/port.ts'
import type { Metrics } from '../metrics.ts'
import { JsonText } from '../json-text.ts'
import type { ReceivedFile } from '../uploads/received-file.ts'
import { addressOf } from './address.ts'
import { type Caller, type SignedIn, visitor } from './caller.ts'
import type { Idempotency } from './idempotency.ts'
import { createInProcessCalls, type InProcessHandler } from './in-process.ts'
import { defineLimit, type Limits } from './limits.ts'
import { checkRole, isClosedBySuspension, suspended } from './policies.ts'
import { maxFormBytes, receiveFile } from './receive-file.ts'
import { createSlidingLimit } from './sliding-limit.ts'

const uploadsOfAccount = defineLimit('uploads of an account', { hits: 60, window: hours(1) })
const uploadsFromAddress = defineLimit('uploads from an address', { hits: 300, window: hours(1) })

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    /** May take long to be sent. */
    isUpload?: boolean
  }
}

type CallerOf<K extends EndpointKey> = (typeof endpoints)[K] extends { access: 'anyone' } ? Caller : SignedIn

/** What a handler is given: parsed input and the caller, whose role the endpoint has been checked for. */
export type Call<K extends EndpointKey> = {
  params: ParamsOf<K>
  query: QueryOf<K>
  body: BodyOf<K>
  caller: CallerOf<K>
  /** The caller's address, for limits. */
  address: string
  request: FastifyRequest
  /** Sends a header with the answer. */
  setHeader(name: string, value: string): void
  /** Reads the file of an endpoint that takes one, and hands it over; see `receiveFile`. */
  receive<T>(use: (file: ReceivedFile) => Promise<T>): Promise<T>
}

/** A file as an answer. It is saved under its name and kept in no cache. */
export type FileAnswer = { name: string; type: string; bytes: Buffer }

type Answered<K extends EndpointKey> = (typeof endpoints)[K] extends { file: readonly string[] }
  ? FileAnswer
  : AnswerOf<K> | JsonText<AnswerOf<K>>

/** Serves one endpoint of the contract. */
export type Serve = <K extends EndpointKey>(key: K, handler: (call: Call<K>) => Promise<Answered<K>>) => void

type Dependencies = {
  /** Who holds this access token, if it is good. */
  identify(token: string): Promise<SignedIn | undefined>
  /** As `identify`, for a token of the chat. */
  identifyInChat(token: string): Promise<SignedIn | undefined>
  /** Whether the practitioner with this account is suspended. */
  isSuspended(accountId: string): Promise<boolean>
  idempotency: Idempotency
  limits: Pick<Limits, 'use'>
  clock: Clock
  rateLimitScale: number
  /** The folder of uploads while they are inspected. */
  uploadDirectory: string
  tracing: Tracing | undefined
  observe: Metrics['observe']
  /** Whether answers that are text already are checked against the contract, as all others are. */
  checksText: boolean
}

/**
 * Makes the `serve` that modules register their endpoints with: schemas, role check and idempotency come from the
 * contract, so a route cannot be without them. `unserved()` lists endpoints without a handler. `callInProcess` and
 * `countPage` are for the pages.
 */
export async function createServe(
  app: FastifyInstance,
  {
    identify,
    identifyInChat,
    isSuspended,
    idempotency,
    limits,
    clock,
    rateLimitScale,
    uploadDirectory,
    tracing,
    observe,
    checksText,
  }: Dependencies,
) {
  // Counted in the process: a read must not cost a write.
  const limitOf = (hits: number, window = minutes(1)) =>
    createSlidingLimit({ hits, window }, { clock, rateLimitScale })
  const budget = () => ({ perAddress: limitOf(3000), perAccount: limitOf(900) })
  // Apart, so that a page that reads a lot can still send.
  const [reads, changes] = [budget(), budget()]
  const budgetOf = ({ method }: FastifyRequest) => (/^(GET|HEAD)$/.test(method) ? reads : changes)
  // Each key is remembered for a week with its answer, also where the call changes nothing.
  const keys = { perAccount: limitOf(600, hours(1)) }
  // Also of pages beside the API's calls, and before a token is looked up, which is a read as well.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    budgetOf(request).perAddress.use(addressOf(request))
  })
  const left = new Set<string>(Object.keys(endpoints))
  const withoutBody = new WeakSet<FastifyRequest>()
  const readers = new Map<string, InProcessHandler>()
  app.decorateRequest('caller')
  // Fastify reads plain text by default; these calls take JSON alone.
  app.removeContentTypeParser('text/plain')
  await app.register(multipart, { throwFileSizeLimit: false })

  const serve: Serve = (key, handler) => {
    const endpoint: Endpoint = endpoints[key]
    const { method, url } = routeOf(key)
    left.delete(key)
    if (method === 'GET' && !endpoint.file) readers.set(key, handler as unknown as InProcessHandler)
    app.route({
      method,
      url,
      config: { isUpload: endpoint.upload !== undefined },
      ...(endpoint.upload ? { bodyLimit: maxFormBytes(endpoint.upload.kind) } : {}),
      schema: schemasOf(endpoint),
      onRequest: async (request) => {
        request.caller = await callerOf(request, endpoint)
        checkRole(endpoint, request.caller)
        if (request.caller.role !== 'visitor') budgetOf(request).perAccount.use(request.caller.accountId)
        if (isClosedBySuspension(endpoint, request.caller)) {
          if (await isSuspended(request.caller.accountId)) throw suspended()
        }
        if (!endpoint.upload && /^multipart\//i.test(request.headers['content-type'] ?? '')) {
          throw fail('unsupported_media_type', 'Send JSON with the content type application/json.')
        }
      },
      preValidation: async (request) => {
        if (request.body !== undefined || !endpoint.hadNoBody) return
        request.body = {}
        withoutBody.add(request)
      },
      handler: async (request, reply) => {
        const call = {
          params: request.params,
          query: request.query,
          body: request.body,
          caller: request.caller,
          address: addressOf(request),
          request,
          setHeader: (name: string, value: string) => void reply.header(name, value),
          receive: (use: (file: ReceivedFile) => Promise<unknown>) => receive(request, endpoint, use),
        } as Call<typeof key>
        const status = endpoint.status ?? 200
        if (endpoint.file) return sendFile(reply.code(status), (await handler(call)) as FileAnswer)
        if (!endpoint.idempotent) {
          const answer = await handler(call)
          if (checksText && answer instanceof JsonText) checkText(endpoint, answer.parsed())
          return sendJson(reply.code(status), answer)
        }
        const caller = request.caller as SignedIn
        const idempotencyKey = request.headers['idempotency-key']
        if (idempotencyKey !== undefined) keys.perAccount.use(caller.accountId)
        const outcome = await idempotency.run(
          caller,
          key,
          idempotencyKey,
          { params: request.params, body: withoutBody.has(request) ? undefined : request.body },
          async () => ({ status, answer: endpoint.answer.parse(await handler(call)) }),
        )
        // Cut to the contract by the first that it was made for.
        return sendJson(reply.code(outcome.status), JsonText.of(outcome.answer))
      },
    })
  }

  async function receive<T>(
    request: FastifyRequest,
    { upload }: Endpoint,
    use: (file: ReceivedFile) => Promise<T>,
  ): Promise<T> {
    if (!upload) throw new Error('This endpoint takes no file.')
    await limits.use(uploadsFromAddress, addressOf(request))
    if (request.caller.role !== 'visitor') await limits.use(uploadsOfAccount, request.caller.accountId)
    return receiveFile(request, { ...upload, directory: uploadDirectory }, use)
  }

  async function callerOf(request: FastifyRequest, endpoint: Endpoint): Promise<Caller> {
    const header = request.headers.authorization
    if (!header || endpoint.token === 'ignored') return visitor
    const token = /^Bearer ([\w-]{1,200})$/i.exec(header)?.[1]
    const isChat = endpoint.token === 'chat'
    const signedIn = token ? await (isChat ? identifyInChat(token) : identify(token)) : undefined
    if (!signedIn) throw fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
    return signedIn
  }

  const callInProcess = createInProcessCalls({
    handlers: readers,
    countRead: reads.perAddress.use,
    tracing,
    observe,
  })
  return { serve, unserved: () => [...left], callInProcess, countPage: limitOf(3000).use }
}

/** @throws Error unless a value is as it would be after the contract has written it */
function checkText({ answer }: Endpoint, value: unknown): void {
  if (!isDeepStrictEqual(answer.parse(value), value)) throw new Error('A text holds more than the contract.')
}

/** Fastify sends a text as it is; an answer that is a text is a JSON string. */
function sendJson(reply: FastifyReply, answer: unknown): FastifyReply {
  if (answer instanceof JsonText) return reply.type('application/json; charset=utf-8').send(answer.bytes)
  if (typeof answer !== 'string') return reply.send(answer)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
}

function sendFile(reply: FastifyReply, { name, type, bytes }: FileAnswer): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(bytes)
}

/** `'GET /practitioner/{id}/profile'` → `{ method: 'GET', url: '/practitioner/:id/profile' }`. */
export function routeOf(key: string): { method: HTTPMethods; url: string } {
  const [method, path] = key.split(' ') as [HTTPMethods, string]
  return { method, url: path.replace(/\{(\w+)\}/g, ':$1') }
}

/** What a call is checked against, and its answers written by. */
export function schemasOf(endpoint: Endpoint) {
  return {
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: {
      [endpoint.status ?? 200]: endpoint.file
        ? { content: Object.fromEntries(endpoint.file.map((type) => [type, { schema: endpoint.answer }])) }
        : endpoint.answer,
      '4xx': ErrorAnswer,
      '5xx': ErrorAnswer,
    },
  }
}
