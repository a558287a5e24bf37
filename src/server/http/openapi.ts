import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { escapeMarkup } from '../markup.ts'

/** Collects the schemas of all routes into one OpenAPI 3.1 document, served beside them. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Hearth',
        version: '7',
        description: 'The calls of the Hearth online therapy marketplace.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          chat: { type: 'http', scheme: 'bearer', description: 'The token that POST /chat/session answers' },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
}

type Operation = { summary?: string; tags?: string[]; security?: unknown[] }

/** A plain page that lists every call, made from the document; it needs no script. */
function referencePage(document: { paths?: Record<string, unknown> }): string {
  const groups = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      const tag = operation.tags?.[0] ?? 'other'
      const lock = operation.security ? ' <small>(signed in)</small>' : ''
      const row = `<details><summary><code>${method.toUpperCase()} ${escapeMarkup(path)}</code> ${escapeMarkup(operation.summary ?? '')}${lock}</summary><pre>${escapeMarkup(JSON.stringify(operation, null, 2))}</pre></details>`
      groups.set(tag, [...(groups.get(tag) ?? []), row])
    }
  }
  const body = [...groups]
    .map(([tag, rows]) => `<h2>${escapeMarkup(tag)}</h2>\n${rows.join('\n')}`)
    .join('\n')
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Calls of Hearth</title></head><body><h1>Calls of Hearth</h1><p>All paths are below <code>/api/v7</code>. The whole description: <a href="/api/v7/openapi.json">openapi.json</a>.</p>\n${body}</body></html>`
}

/** Serves the reference of all calls at `/api/docs`. */
export function serveReference(app: FastifyInstance): void {
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(referencePage(app.swagger() as Parameters<typeof referencePage>[0])),
  )
}
