/*
 * In the place of React Router's own module of this function (`vite.config.ts`). That one loads the document again which
 * is on the screen, wherever the script of a page does not come: the press on a link was lost, and for a script that is
 * only fetched ahead, as the pointer or the focus comes to a link, so was what had been typed.
 */

import type { Path } from 'react-router'

type Modules = Record<string, unknown>
type FrameworkWindow = Window & {
  __reactRouterDataRouter?: { state: { navigation: { location?: Path } } }
}

/**
 * Loads the script of a page, once. Where it does not come, the page that is on its way is loaded as a document; where none
 * is, nothing happens.
 */
export async function loadRouteModule(
  { id, module }: { id: string; module: string },
  known: Modules,
): Promise<unknown> {
  if (id in known) return known[id]
  try {
    known[id] = await import(/* @vite-ignore */ module)
    return known[id]
  } catch {
    const next = (window as FrameworkWindow).__reactRouterDataRouter?.state.navigation.location
    if (!next) return {}
    location.assign(next.pathname + next.search + next.hash)
    return new Promise(() => undefined)
  }
}
