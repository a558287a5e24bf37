import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createRequestHandler,
  type RequestHandler,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import { type PageContext, pageContext, type SiteFacts } from '#web/lib/server-context.ts'

export type WebRendererOptions = {
  /** `development` renders from the sources, with hot reloading on a port of its own. */
  mode: 'production' | 'development'
  site: SiteFacts
  /** Holds `client/` and `server/index.js`, as `react-router build` writes them. */
  buildDirectory: string
}

/** Paths that belong to somebody else; an unknown one below them is no page. */
const notPages = /^\/(api|socket|healthz)(?=[/?#]|$)/

/** Hidden from the API's description. */
const schema = { hide: true } as object

/**
 * Serves the web: the built files of the client, and every other path outside the API rendered by React Router.
 * Pages are rendered for an anonymous reader, whatever is sent with the request. They are read with GET and HEAD
 * alone; what changes something is an API call.
 */
export async function webRenderer(app: FastifyInstance, options: WebRendererOptions): Promise<void> {
  const pages =
    options.mode === 'production'
      ? await builtPages(app, options.buildDirectory)
      : await pagesFromSources(app)

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema,
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      if (await pages.servedByTools(request, reply)) return reply.hijack()
      if (request.url.startsWith('/assets/')) {
        return reply
          .code(404)
          .type('text/plain; charset=utf-8')
          .send('This file is not part of the current version.')
      }
      return render(app, pages.handle, options, request, reply)
    },
  })

  // A form sent before the page was alive: nothing is read from it, and its page comes again.
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  app.post('/*', { schema }, (request, reply) => {
    if (notPages.test(request.url)) return reply.callNotFound()
    // One slash in front, or the browser would take what follows for a host.
    return reply.redirect(`/${request.url.replace(/^[/\\]+/, '')}`, 303)
  })
}

type Pages = {
  handle: RequestHandler
  /** Whether the development tools have answered already. */
  servedByTools(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

async function builtPages(app: FastifyInstance, buildDirectory: string): Promise<Pages> {
  await app.register(fastifyStatic, {
    root: join(buildDirectory, 'client'),
    // One route per file that there is, so that every other path is a page.
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    schemaHide: true,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/') || path.includes('\\assets\\')
      reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      reply.header('X-Content-Type-Options', 'nosniff')
    },
  })
  const build: ServerBuild = await import(pathToFileURL(join(buildDirectory, 'server', 'index.js')).href)
  return { handle: createRequestHandler(build, 'production'), servedByTools: async () => false }
}

async function pagesFromSources(app: FastifyInstance): Promise<Pages> {
  const { createServer } = await import('vite')
  const vite = await createServer({ appType: 'custom', server: { middlewareMode: true } })
  app.addHook('onClose', () => vite.close())
  const load = () =>
    vite.ssrLoadModule('virtual:react-router/server-build') as Promise<unknown> as Promise<ServerBuild>
  return {
    handle: createRequestHandler(load, 'development'),
    servedByTools: ({ raw: request }, { raw: response }) =>
      new Promise((resolve, reject) => {
        response.once('finish', () => resolve(true))
        vite.middlewares(request, response, (error?: unknown) => (error ? reject(error) : resolve(false)))
      }),
  }
}

async function render(
  app: FastifyInstance,
  handle: RequestHandler,
  { mode, site }: WebRendererOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cspNonce = randomBytes(16).toString('base64url')
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })

  const context = new RouterContextProvider()
  context.set(pageContext, {
    cspNonce,
    requestId: request.id,
    site,
    api: inProcessApi(app, request, gone.signal),
    report: (error) => request.log.error(error),
  })

  const response = await handle(webRequest(request, gone.signal), context)
  reply.code(response.status)
  for (const [name, value] of securityHeaders(cspNonce, mode)) reply.header(name, value)
  reply.header('Cache-Control', 'no-cache')
  for (const [name, value] of response.headers) reply.header(name, value)
  if (!response.body) return reply.send(null)
  return reply.send(Readable.fromWeb(response.body))
}

/** Without cookies or credentials: a page cannot depend on what it is not given. */
function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const name of ['accept', 'accept-language', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value) headers.set(name, value)
  }
  // Joined as text: resolved against a base, a path that begins with two slashes would name another host.
  return new Request(`${request.protocol}://${request.host}${request.url}`, {
    method: request.method,
    headers,
    signal,
  })
}

function inProcessApi(app: FastifyInstance, request: FastifyRequest, gone: AbortSignal): PageContext['api'] {
  return async (method, path, { query = {}, signal } = {}) => {
    const search: Record<string, string> = {}
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search[name] = String(value)
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api/v7${path}`,
      query: search,
      // Limits count the reader, not this process.
      remoteAddress: request.ip,
      headers: { accept: 'application/json', host: request.host },
      signal: signal ? AbortSignal.any([gone, signal]) : gone,
    })
    const isJson = answer.headers['content-type']?.toString().includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
  }
}

function securityHeaders(nonce: string, mode: WebRendererOptions['mode']): Map<string, string> {
  const development = mode === 'development'
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The tools of development put styles into the page themselves.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob:",
    "font-src 'self'",
    development ? "connect-src 'self' ws:" : "connect-src 'self'",
    'frame-src https://www.youtube-nocookie.com',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ]
  return new Map([
    ['Content-Security-Policy', policy.join('; ')],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), interest-cohort=()'],
  ])
}
