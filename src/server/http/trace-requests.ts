import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OpenSpan, Tracing } from '../integrations/tracing/port.ts'
import { onRequestEnd } from './request-end.ts'

/** What is asked every few seconds, and what is only a file. */
const notFollowed = /^\/(healthz|readyz)$|^\/assets\//

/**
 * Creates a span per request, named by the route's pattern: the path may hold ids, and the query the terms of a search.
 * If `isBelieved`, the span joins the trace of `traceparent`. Otherwise a stranger could decide what is sampled.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, isBelieved: boolean): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    if (notFollowed.test(route)) return done()
    const { traceparent } = request.headers
    const span = tracing.begin(`${request.method} ${route}`, {
      // A page asks the API within this process.
      kind: tracing.traceparent() ? 'internal' : 'server',
      facts: { 'http.request.method': request.method, 'http.route': route },
      partOf: isBelieved && typeof traceparent === 'string' ? traceparent : undefined,
    })
    spans.set(request, span)
    span.run(done)
  })
  // A body arrives by the connection, which knows nothing of the request that it belongs to.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  onRequestEnd(app, {
    answered(request, status) {
      spans
        .get(request)
        ?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : undefined)
    },
    brokenOff: (request) => spans.get(request)?.end({}, 'broken off'),
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
}
