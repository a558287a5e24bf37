import type { FastifyBaseLogger } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { type EndpointKey, endpoints } from '#contract/endpoints.ts'
import { JsonText } from '../json-text.ts'
import type { Metrics } from '../metrics.ts'
import type { Tracing } from '../integrations/tracing/port.ts'
import { type Caller, visitor } from './caller.ts'
import { failedAnswer } from './error-handler.ts'
import { checkRole } from './policies.ts'

/** What a page says of itself when it calls the API. Nothing of the reader but the address, which limits count. */
export type CallingPage = {
  address: string
  /** Of the request for the page. */
  id: string
  log: FastifyBaseLogger
  /** Ends the call. */
  signal: AbortSignal
}

/** Texts, as they stand in an address. */
export type InProcessInput = {
  params?: Record<string, string> | undefined
  query?: Record<string, string> | undefined
}

/** Calls an endpoint that only reads, as a visitor. Returns the status and body that HTTP would, errors included. */
export type CallInProcess = (
  key: string,
  input: InProcessInput,
  page: CallingPage,
) => Promise<{ status: number; body: unknown }>

type Call = {
  params: unknown
  query: unknown
  body: undefined
  caller: Caller
  address: string
  request: never
  setHeader(): void
  receive(): never
}

export type InProcessHandler = (call: Call) => Promise<unknown>

type Dependencies = {
  handlers: ReadonlyMap<string, InProcessHandler>
  /** Counts a read. @throws 429 */
  countRead(address: string): void
  tracing: Tracing | undefined
  observe: Metrics['observe']
}

/**
 * The API for pages rendered in this process: input is checked, the role refused, reads counted, answers cut to the
 * contract and errors described as they are for a request, without HTTP and JSON in between.
 */
export function createInProcessCalls({ handlers, countRead, tracing, observe }: Dependencies): CallInProcess {
  const answer = async (key: string, input: InProcessInput, page: CallingPage) => {
    const handler = handlers.get(key)
    if (!handler) throw new Error(`Pages cannot call ${key}.`)
    const endpoint: Endpoint = endpoints[key as EndpointKey]
    try {
      countRead(page.address)
      checkRole(endpoint, visitor)
      const call: Call = {
        params: checked(endpoint.params, input.params, 'params'),
        query: checked(endpoint.query, input.query, 'querystring'),
        body: undefined,
        caller: visitor,
        address: page.address,
        get request(): never {
          throw new Error(`${key} reads the request, which a page has none of.`)
        },
        setHeader: () => undefined,
        receive() {
          throw new Error('This endpoint takes no file.')
        },
      }
      const given = await handler(call)
      const body = given instanceof JsonText ? given.value() : z.encode(endpoint.answer, given)
      return { status: 200, body }
    } catch (error) {
      return failedAnswer(error, page.log, page.id)
    }
  }

  return async (key, input, page) => {
    page.signal.throwIfAborted()
    const route = `/api/v7${key.slice('GET '.length).replace(/\{(\w+)\}/g, ':$1')}`
    const facts = { 'http.request.method': 'GET', 'http.route': route }
    const span = tracing?.begin(`GET ${route}`, { kind: 'internal', facts })
    const began = performance.now()
    const work = () => answer(key, input, page)
    const answered = await (span ? span.run(work) : work())
    const { status } = answered
    const ms = performance.now() - began
    span?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined)
    observe({ method: 'GET', route, status: String(status) }, ms / 1000)
    page.log.info({ method: 'GET', route, status, ms: Math.round(ms) }, 'request')
    page.signal.throwIfAborted()
    return answered
  }
}

/** @throws what a request with the same input is refused by */
function checked(
  schema: z.ZodType | undefined,
  texts: Record<string, string> = {},
  validationContext: 'params' | 'querystring',
): unknown {
  if (!schema) return texts
  const result = validatorCompiler({ schema, method: 'GET', url: '' })(texts) as
    | { value: unknown }
    | { error: unknown }
  if ('value' in result) return result.value
  throw Object.assign(new Error('Wrong input'), { validation: result.error, validationContext })
}
