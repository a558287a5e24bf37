import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Facts, OpenSpan, Tracing } from './port.ts'

export type OpenTelemetryOptions = {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string
  /** Sent with what is exported. */
  headers: Record<string, string>
  service: string
  /** Which part of the traces that begin here is kept, 0 to 1. */
  ratio: number
  /** Told once when the collector cannot be reached, and again when it could be meanwhile. */
  say(sentence: string): void
}

/** Milliseconds that a sending may take, and that the end of the product waits for the last one. */
const patience = { sending: 2500, end: 3000 }

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Traces by the SDK of OpenTelemetry, sent to a collector as JSON over HTTP, beside the work and some at a time. */
export function openTelemetry(options: OpenTelemetryOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: options.headers,
    timeoutMillis: patience.sending,
    // All that can wait, at once, when the product ends.
    concurrencyLimit: 8,
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': options.service, 'service.instance.id': randomUUID() }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    // Spans over the limit are dropped: tracing must not slow the work down.
    spanProcessors: [
      new BatchSpanProcessor({ exporter: telling(exporter, options.say), maxQueueSize: 4096 }),
    ],
  })
  const tracer = provider.getTracer('hearth')
  // The SDK's own register of what is under way is global to the process, and would be shared by all apps in it.
  const underWay = new AsyncLocalStorage<Span>()

  return {
    begin(name, { kind, facts, partOf, after }) {
      const parent = underWay.getStore()?.spanContext() ?? readTraceparent(partOf)
      const before = readTraceparent(after)
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          ...(facts ? { attributes: facts } : {}),
          ...(before ? { links: [{ context: before }] } : {}),
        },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      )
      return openSpan(span, underWay)
    },

    note(name, milliseconds, facts, failure) {
      const parent = underWay.getStore()
      if (!parent?.isRecording()) return
      // By the clock that spans begin by; the other one drifts away from it in a process that runs for long.
      const end = Date.now()
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes: facts, startTime: end - milliseconds },
        trace.setSpan(ROOT_CONTEXT, parent),
      )
      fail(span, failure)
      span.end(end)
    },

    traceparent() {
      const context = underWay.getStore()?.spanContext()
      if (!context) return undefined
      const flags = (context.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')
      return `00-${context.traceId}-${context.spanId}-${flags}`
    },

    logFields() {
      const context = underWay.getStore()?.spanContext()
      const fields: Record<string, string> = {}
      if (context) Object.assign(fields, { trace_id: context.traceId, span_id: context.spanId })
      return fields
    },

    async close() {
      const over = new AbortController()
      const sent = provider.shutdown().catch(() => undefined)
      await Promise.race([
        sent,
        sleep(patience.end, undefined, { signal: over.signal }).catch(() => undefined),
      ])
      over.abort()
    },
  }
}

function openSpan(span: Span, underWay: AsyncLocalStorage<Span>): OpenSpan {
  return {
    run: (work) => underWay.run(span, work),
    end(facts: Facts = {}, failure) {
      if (!span.isRecording()) return
      span.setAttributes(facts)
      fail(span, failure)
      span.end()
    },
  }
}

function fail(span: Span, failure: string | undefined): void {
  if (failure === undefined) return
  span.setAttribute('error.type', failure)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function readTraceparent(text: string | undefined) {
  const context = text === undefined ? null : parseTraceParent(text)
  return context ? { ...context, isRemote: true } : undefined
}

/** An exporter that says when what it is given does not arrive, once until something does again. */
function telling(exporter: SpanExporter, say: (sentence: string) => void): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasArrived = result.code === ExportResultCode.SUCCESS
        if (!hasArrived && !isAway) say('Traces cannot be delivered; they are let go until they can.')
        isAway = !hasArrived
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
