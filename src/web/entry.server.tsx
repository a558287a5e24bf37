import type { ReactNode } from 'react'
import { renderToReadableStream, type RenderToReadableStreamOptions, renderToString } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { canonicalPath } from './lib/indexing.ts'
import { withLateScripts } from './library-internals/late-scripts.ts'
import {
  withDataScript,
  withoutData,
  withoutRepeatedPreload,
  withOwnRoutes,
} from './library-internals/page-data.ts'
import { RequestId } from './lib/request-info.ts'
import { ScriptMark } from './lib/script-mark.ts'
import { pageContext } from './lib/server-context.ts'

/**
 * Renders a page completely before it is sent: it must be readable without JavaScript, and then no part may arrive
 * late and wait for a script to be put in its place.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { scriptMark, requestId, lateScripts, report, finish } = loadContext.get(pageContext)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  if (status !== 200 || canonicalPath(new URL(request.url)) === undefined)
    headers.set('X-Robots-Tag', 'noindex')
  if (request.method === 'HEAD') return new Response(null, { status, headers })

  const pageOf = (context: EntryContext) => (
    <RequestId value={requestId}>
      <ScriptMark value={scriptMark}>
        <ServerRouter context={context} url={request.url} nonce={scriptMark} />
      </ScriptMark>
    </RequestId>
  )
  let failed = false
  const whole = (page: ReactNode) =>
    renderWhole(page, {
      nonce: scriptMark,
      signal: request.signal,
      onError(error) {
        failed = true
        if (!request.signal.aborted) report(error)
      },
    })
  if (lateScripts) {
    const { data, context } = await withoutData(withOwnRoutes(routerContext))
    const page = pageOf(withLateScripts(context))
    const markup = renderAtOnce(page) ?? (await whole(page))
    finish(withDataScript(withoutRepeatedPreload(markup), data, scriptMark))
  } else {
    finish(await whole(pageOf(routerContext)))
  }
  return new Response(null, { status: failed && status === 200 ? 500 : status, headers })
}

/** What React writes for a part that waits or has failed. Text on a page never has these signs as they are. */
const unfinished = '<!--$!-->'

/**
 * Renders a page of which no part waits, which takes a fifth less than by a stream. Returns undefined where a part waits or
 * fails: `renderWhole` waits for it, or says why.
 */
function renderAtOnce(page: ReactNode): string | undefined {
  try {
    const markup = renderToString(page)
    return markup.includes(unfinished) ? undefined : `<!DOCTYPE html>${markup}`
  } catch {
    return undefined
  }
}

async function renderWhole(page: ReactNode, options: RenderToReadableStreamOptions): Promise<string> {
  const stream = await renderToReadableStream(page, {
    ...options,
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  })
  await stream.allReady
  return new Response(stream).text()
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  context.get(pageContext).report(error)
}
