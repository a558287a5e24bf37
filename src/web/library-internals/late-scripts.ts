import type { EntryContext } from 'react-router'
// oxlint-disable-next-line import/default -- Vite answers with the address of the built file
import lateHref from './late.ts?worker&url'
import type { PlainHandle } from '../lib/plain-page.ts'

/**
 * Puts `late.ts` in the place of every script that a plain page would begin with: in the framework's own account of its
 * build, from which it writes them. `WITHOUT_INTERNALS` leaves the account as it is.
 */
export function withLateScripts(context: EntryContext): EntryContext {
  const { manifest, routeModules, staticHandlerContext } = context
  if (!import.meta.env.PROD || staticHandlerContext.errors !== null) return context
  const handle = staticHandlerContext.matches
    .map(({ route }) => routeModules[route.id]?.handle as Partial<PlainHandle> | undefined)
    .find((each) => each?.isPlain)
  if (!handle) return context
  // Named some eight times on a page, so it is short.
  const version = /\/manifest-([\w-]+)\.js$/.exec(manifest.url)?.[1]
  if (version === undefined) return context
  const module = `${lateHref}?${handle.comesAlive ? 'alive' : 'late'}=${version}`
  const routes = Object.fromEntries(
    staticHandlerContext.matches.map(({ route: { id } }) => {
      const known = manifest.routes[id]
      return [
        id,
        known && {
          ...known,
          module,
          imports: [],
          clientLoaderModule: undefined,
          clientActionModule: undefined,
          clientMiddlewareModule: undefined,
          hydrateFallbackModule: undefined,
        },
      ]
    }),
  )
  return {
    ...context,
    manifest: {
      ...manifest,
      url: module,
      entry: { module, imports: [] },
      routes: { ...manifest.routes, ...routes },
    },
  }
}
