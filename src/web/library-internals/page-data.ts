import type { EntryContext } from 'react-router'

/** With the routes of this page alone: the framework makes components and routes of all that it is given, page by page. */
export function withOwnRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context
  if (staticHandlerContext.errors !== null) return context
  const own = staticHandlerContext.matches.map(({ route }) => [route.id, manifest.routes[route.id]] as const)
  return { ...context, manifest: { ...manifest, routes: Object.fromEntries(own) } }
}

/** Reads the data of a page as they are sent to the browser. The framework would have React wait for each part of them. */
export async function withoutData(
  context: EntryContext,
): Promise<{ data: string | undefined; context: EntryContext }> {
  const { serverHandoffStream, ...rest } = context
  return { data: serverHandoffStream && (await new Response(serverHandoffStream).text()), context: rest }
}

const preload = '<link rel="modulepreload"'

/** A document that asks for its first module once: on a plain page the framework names it in the place of several. */
export function withoutRepeatedPreload(markup: string): string {
  const start = markup.indexOf(preload)
  const after = markup.indexOf('>', start) + 1
  if (start < 0 || after === 0) return markup
  const link = markup.slice(start, after)
  let rest = after
  while (markup.startsWith(link, rest)) rest += link.length
  return markup.slice(0, after) + markup.slice(rest)
}

const end = '</body></html>'
/** No script can end within the text, and no older engine takes a line of it for its own. */
const escaped = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e', '\u2028': '\\u2028', '\u2029': '\\u2029' }
const signs = /[&<>\u2028\u2029]/g

/** A document with the script that hands its data to the framework, where the framework's own stands. */
export function withDataScript(markup: string, data: string | undefined, mark: string): string {
  if (data === undefined || !markup.endsWith(end)) return markup
  const text = JSON.stringify(data).replaceAll(signs, (sign) => escaped[sign as keyof typeof escaped])
  const controller = 'window.__reactRouterContext.streamController'
  const script = `<script nonce="${mark}">${controller}.enqueue(${text});${controller}.close()</script>`
  return markup.slice(0, -end.length) + script + end
}
