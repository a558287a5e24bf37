import { createServer, get, type IncomingMessage } from 'node:http'
import { brotliCompressSync } from 'node:zlib'

type Kept = { status: number; headers: Record<string, string>; body: Buffer }

export type StaticTwin = { origin: string; close(): void }

/**
 * The same pages as plain files: the server's HTML without a script, and its styles, fonts and pictures as they are, all
 * from memory. What a page of this content can be at best.
 */
export async function serveStaticTwin(productOrigin: string, paths: readonly string[]): Promise<StaticTwin> {
  const kept = new Map<string, Kept>()
  for (const path of paths) kept.set(path, withoutScripts(await fetchRaw(productOrigin + path, 'identity')))
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const answer = async () => {
      const file = kept.get(path) ?? (await fetchRaw(productOrigin + path, 'br'))
      kept.set(path, file)
      response.writeHead(file.status, file.headers).end(file.body)
    }
    answer().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function withoutScripts(page: Kept): Kept {
  const html = page.body
    .toString()
    .replace(/<script\b[\s\S]*?<\/script>/g, '')
    .replace(/<link\b[^>]*rel="modulepreload"[^>]*>/g, '')
  return {
    status: page.status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' },
    body: brotliCompressSync(html),
  }
}

const passedOn = ['content-type', 'content-encoding', 'cache-control']

/** As it is sent, still compressed. */
function fetchRaw(url: string, encoding: 'br' | 'identity'): Promise<Kept> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const headers: Record<string, string> = {}
        for (const name of passedOn) {
          const value = response.headers[name]
          if (typeof value === 'string') headers[name] = value
        }
        resolve({ status: response.statusCode ?? 500, headers, body: Buffer.concat(chunks) })
      })
    }).on('error', reject)
  })
}
