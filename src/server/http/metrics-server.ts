import { createServer } from 'node:http'
import type { Metrics } from '../metrics.ts'

/** Serves the figures at `/metrics` on a port of their own, which no balancer leads to. Its port, and how it ends. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  metrics.watchProcess()
  const server = createServer((request, response) => {
    // A body without an end would be read for ever before the next request.
    if (request.headers['transfer-encoding'] !== undefined) response.setHeader('connection', 'close')
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.read().then(
      ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: address && typeof address === 'object' ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
