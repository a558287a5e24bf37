import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ReceivedSpan = {
  name: string
  /** As OTLP numbers them: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  links: string[]
  facts: Record<string, string | number>
  failed: boolean
  startedAt: bigint
  endedAt: bigint
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number }
type Attribute = { key: string; value: Value }
type Sent = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links: { traceId: string }[]
  status: { code: number }
}
type Body = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Sent[] }[] }[]
}

/** A collector of OpenTelemetry traces on a port of its own; keeps what it is sent. */
export async function startCollector() {
  const bodies: string[] = []
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const parsed = () => bodies.flatMap((body) => (JSON.parse(body) as Body).resourceSpans)
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** All that was sent, as it came. */
    words: () => bodies.join('\n'),
    resource: () => factsOf(parsed()[0]?.resource.attributes ?? []),
    spans: (): ReceivedSpan[] =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          links: span.links.map(({ traceId }) => traceId),
          facts: factsOf(span.attributes),
          failed: span.status.code === 2,
          startedAt: BigInt(span.startTimeUnixNano),
          endedAt: BigInt(span.endTimeUnixNano),
        })),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function factsOf(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )
}
