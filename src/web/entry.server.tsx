import { renderToReadableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { canonicalPath } from './lib/indexing.ts'
import { withLateScripts } from './library-internals/late-scripts.ts'
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

  let failed = false
  const stream = await renderToReadableStream(
    <RequestId value={requestId}>
      <ScriptMark value={scriptMark}>
        <ServerRouter
          context={lateScripts ? withLateScripts(routerContext) : routerContext}
          url={request.url}
          nonce={scriptMark}
        />
      </ScriptMark>
    </RequestId>,
    {
      nonce: scriptMark,
      signal: request.signal,
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        failed = true
        if (!request.signal.aborted) report(error)
      },
    },
  )
  await stream.allReady
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  finish(chunks)
  return new Response(null, { status: failed && status === 200 ? 500 : status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  context.get(pageContext).report(error)
}
