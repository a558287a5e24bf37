import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createRequestHandler,
  type RequestHandler,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import { attempt } from '../jobs/attempt.ts'
import { addressOf } from './address.ts'
import { ProductError, summary } from '../errors.ts'
import { createPageBody, scriptMark } from './page-body.ts'
import type { CallInProcess } from './in-process.ts'
import type { KeptPage, PageCache } from './page-cache.ts'
import { pageHeaders } from './page-headers.ts'
import type { ReleaseFiles } from './release-files.ts'
import { type PageContext, pageContext, type SiteFacts } from '#web/lib/server-context.ts'

export type WebRendererOptions = {
  /** `development` renders from the sources, with hot reloading on a port of its own. */
  mode: 'production' | 'development'
  site: SiteFacts
  /** Holds `client/` and `server/index.js`, as `react-router build` writes them. */
  buildDirectory: string
  /** Whether plain pages load the framework once they are used; true when absent. */
  lateScripts?: boolean | undefined
  /** Pages that were rendered a moment ago. */
  cache: PageCache
  callInProcess: CallInProcess
  /** Counts a page that is rendered. @throws 429 */
  countPage(address: string): void
  releaseFiles: ReleaseFiles
  /** Keeps the instance from being ready until the work ends. */
  readyAfter(work: Promise<unknown>): Promise<void>
}

const unpack = promisify(brotliDecompress)

/** For what is named by its content. */
const lasting = 'public, max-age=31536000, immutable'

/** Paths of the API, the socket and the health checks; an unknown path below them is no page. */
const notPages = /^\/(api|socket|healthz|readyz)(?=[/?#]|$)/

/**
 * Serves the web: the built files of the client, and every other path outside the API rendered by React Router.
 * Pages are rendered for an anonymous reader: headers and cookies of the request are ignored. Pages serve only GET and
 * HEAD; every change is an API call.
 */
export async function webRenderer(app: FastifyInstance, options: WebRendererOptions): Promise<void> {
  const pages = options.mode === 'production' ? await builtPages(app, options) : await pagesFromSources(app)

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      if (await pages.servedByTools(request, reply)) return reply.hijack()
      if (request.url.startsWith('/assets/')) return sendOther(options.releaseFiles, request, reply)
      return render(pages.handle, options, request, reply)
    },
  })

  // A form sent before the page was alive: nothing is read from it, and its page comes again.
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  app.post('/*', (request, reply) => {
    if (notPages.test(request.url)) return reply.callNotFound()
    // One slash in front, or the browser would take what follows for a host.
    return reply.redirect(`/${request.url.replace(/^[/\\]+/, '')}`, 303)
  })
}

/** Sends a file of another release, to a page of it that is still open. */
async function sendOther(
  files: ReleaseFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?')
  const name = path.slice('/assets/'.length)
  const packed = await files.find(name)
  if (!packed) {
    return reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send('This file is not part of the current version.')
  }
  reply
    .type(`text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
    .header('cache-control', lasting)
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'Accept-Encoding')
  if (!accepts(request, 'br')) return reply.send(await unpack(packed))
  return reply.header('content-encoding', 'br').send(packed)
}

type Pages = {
  handle: RequestHandler
  /** Whether the development tools have answered already. */
  servedByTools(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

async function builtPages(
  app: FastifyInstance,
  {
    buildDirectory,
    releaseFiles,
    readyAfter,
  }: Pick<WebRendererOptions, 'buildDirectory' | 'releaseFiles' | 'readyAfter'>,
): Promise<Pages> {
  await app.register(fastifyStatic, {
    root: join(buildDirectory, 'client'),
    // One route per file that there is, so that every other path is a page.
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/') || path.includes('\\assets\\')
      reply.header('Cache-Control', hashed ? lasting : 'public, max-age=3600')
      reply.header('X-Content-Type-Options', 'nosniff')
    },
  })
  let keeping: Promise<void> | undefined
  app.addHook('onListen', () => {
    // Before others are sent here for pages: other instances send the files of this release once they are kept.
    keeping = readyAfter(attempt(app.log, 'keeping the files of this release', releaseFiles.keep))
  })
  app.addHook('onClose', () => keeping)
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

/**
 * Pages that many readers share, and their data: a response is cached for a moment and sent again. Other pages are the
 * same for every reader too, but are not cached, because their address may hold a token.
 */
const shared =
  /^\/(|_|find-therapist|found-therapists|recommended-therap(y|ist)|frequently-asked-questions|privacy-policy|about-the-data|accessibility|terms-and-conditions)(\.data)?(\?|$)/
const maxKeyLength = 1000
/** Written without rendering, which is what there was too much of. */
const tooManyPages = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Please wait a moment</title>
<body style="margin: 15vh auto; max-width: 34rem; padding: 0 1.5rem; font: 1.125rem/1.6 system-ui, sans-serif">
<h1 style="font-size: 1.75rem">Please wait a moment</h1>
<p>Many pages have been asked for from your network in the last minute. Nothing of yours is lost.</p>
<p><a href="">Try again</a></p>
<p>In an emergency call <a href="tel:999">999</a>. Samaritans listen day and night: <a href="tel:116123">116 123</a>.</p>
</html>
`
/** What the framework asks of a page that is open already. */
const dataOfPage = /^[^?]*\.data(\?|$)/

async function render(
  handle: RequestHandler,
  options: WebRendererOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { cache, mode } = options
  const key = request.url
  const isShared = mode === 'production' && key.length <= maxKeyLength && shared.test(key)
  const kept = isShared ? cache.get(key) : undefined
  if (kept) return send(kept, request, reply)
  try {
    options.countPage(addressOf(request))
  } catch (error) {
    if (!(error instanceof ProductError) || dataOfPage.test(key)) throw error
    return reply
      .code(error.status)
      .headers(pageHeaders([], mode, options.site, '/'))
      .header('cache-control', 'no-store')
      .header('retry-after', Math.max(1, Math.ceil(error.retryAfter ?? 60)))
      .type('text/html; charset=utf-8')
      .send(tooManyPages)
  }

  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  let document: string | undefined
  let keptUntil: number | undefined
  const context = new RouterContextProvider()
  context.set(pageContext, {
    scriptMark,
    requestId: request.id,
    site: options.site,
    lateScripts: options.lateScripts ?? true,
    isDocument: !dataOfPage.test(key),
    api: inProcessApi(options.callInProcess, request, gone.signal),
    keepUntil(instant) {
      keptUntil = Date.parse(instant)
    },
    report: (error) =>
      request.log.error({ err: mode === 'development' ? error : summary(error) }, 'A page failed.'),
    finish(markup) {
      document = markup
    },
  })
  const beginning = cache.begin()
  const response = await handle(webRequest(request, options.site.origin, gone.signal), context)
  const rendered = document === undefined ? Buffer.from(await response.arrayBuffer()) : Buffer.from(document)
  const body = createPageBody(rendered, { keepsNamespaces: mode === 'development' })
  const page: KeptPage = {
    headers: {
      ...pageHeaders(body.scripts, mode, options.site, request.url.split('?')[0] ?? '/'),
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      ...Object.fromEntries(response.headers),
    },
    body,
  }
  const isWhole = request.method === 'GET' && response.status === 200 && !gone.signal.aborted
  if (isShared && isWhole && !response.headers.has('set-cookie')) cache.keep(key, page, beginning, keptUntil)
  return send(page, request, reply.code(response.status))
}

function send({ headers, body }: KeptPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A shared page cannot hold the id of its request, and a script can read no other header.
  reply.headers(headers).header('server-timing', `request;desc="${request.id}"`)
  if (body.plain.length === 0) return reply.send(null)
  if (!accepts(request, 'gzip')) return reply.send(body.plain)
  return reply.header('content-encoding', 'gzip').send(body.gzip())
}

const encodings = {
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
}

function accepts({ headers }: FastifyRequest, encoding: keyof typeof encodings): boolean {
  return encodings[encoding].test(headers['accept-encoding'] ?? '')
}

/** With nothing of who asks, nor of how they have named this host: a page cannot depend on what it is not given. */
function webRequest(request: FastifyRequest, origin: string, signal: AbortSignal): Request {
  // Joined as text: resolved against a base, a path that begins with two slashes would name another host.
  return new Request(`${origin}${request.url}`, { method: request.method, signal })
}

function inProcessApi(call: CallInProcess, request: FastifyRequest, gone: AbortSignal): PageContext['api'] {
  return (key, { params, query, signal } = {}) =>
    call(
      key,
      { params, query },
      {
        // Limits count the reader, not this process.
        address: addressOf(request),
        id: request.id,
        log: request.log,
        signal: signal ? AbortSignal.any([gone, signal]) : gone,
      },
    )
}
