/*
 * The only script of a page that works as plain markup. It hydrates the page at the reader's first touch, pointer or key.
 * Pages with `comesAlive` hydrate as soon as they have loaded. With a sign-in session, which the frame has to name, and
 * for an address that points into the page, the page hydrates at once. Until then links, forms and disclosures are the
 * browser's own, so no input is lost. `late-scripts.ts` puts this script in the place of the framework.
 */

import { keepOfflinePage } from '../lib/offline-page.ts'
import { allowFrameworkMarkup } from '../lib/trusted-types.ts'
import { fetchFile } from './module-loading.ts'

type Chunk = { module: string; imports?: string[] }
type FrameworkWindow = Window & {
  __reactRouterManifest?: { entry: Chunk; routes: Record<string, Chunk | undefined> }
  __reactRouterRouteModules?: Record<string, unknown>
}

const { href: own, searchParams } = new URL(import.meta.url)
const signsOfUse = ['pointerover', 'pointerdown', 'touchstart', 'keydown', 'focusin'] as const

function wait(): void {
  for (const sign of signsOfUse) addEventListener(sign, makeAlive, { passive: true })
}

/** Leaves the line and the processor to what is looked at first. */
function makeAliveOnceLoaded(): void {
  if (document.readyState !== 'complete') addEventListener('load', makeAliveOnceLoaded, { once: true })
  // Safari has no word for having nothing else to do.
  else if ('requestIdleCallback' in window) requestIdleCallback(() => makeAlive(), { timeout: 2000 })
  else setTimeout(makeAlive, 200)
}

let isOnItsWay = false

function makeAlive(): void {
  if (isOnItsWay) return
  isOnItsWay = true
  for (const sign of signsOfUse) removeEventListener(sign, makeAlive)
  // The network may be gone; the page goes on as it is, and the next touch tries again.
  load().catch(() => {
    isOnItsWay = false
    wait()
  })
}

/** What the framework's own script does at the start of other pages. */
async function load(): Promise<void> {
  const page = window as FrameworkWindow
  const version = searchParams.get('alive') ?? searchParams.get('late')
  // Beside this file. Vite would look for a file of its own by `import.meta.url` here.
  const manifest = new URL(`manifest-${version}.js`, own).href
  await fetchAll([manifest])
  await import(/* @vite-ignore */ manifest)
  const { entry, routes } = page.__reactRouterManifest ?? { entry: { module: '' }, routes: {} }
  // The script of the page has named its routes, each with this module in the place of its own.
  const ids = Object.keys(page.__reactRouterRouteModules ?? {})
  const chunks = ids.flatMap((id) => routes[id] ?? [])
  await fetchAll([entry, ...chunks].flatMap(({ module, imports = [] }) => [module, ...imports]))
  const modules = await Promise.all(chunks.map(({ module }) => import(/* @vite-ignore */ module)))
  page.__reactRouterRouteModules = Object.fromEntries(ids.map((id, at) => [id, modules[at] as unknown]))
  await import(/* @vite-ignore */ entry.module)
}

/** None is asked for as a module before all are there (`module-loading.ts`). */
async function fetchAll(urls: readonly string[]): Promise<void> {
  await Promise.all([...new Set(urls)].map(fetchFile))
}

function isSignedIn(): boolean {
  try {
    return sessionStorage.getItem('accessToken') !== null
  } catch {
    // Storage may be forbidden by the reader's settings.
    return false
  }
}

allowFrameworkMarkup()
keepOfflinePage()
if (isSignedIn() || location.hash) makeAlive()
else {
  wait()
  if (searchParams.has('alive')) makeAliveOnceLoaded()
  // Another document of this tab may have signed in before the browser brings this one back.
  addEventListener('pageshow', () => {
    if (isSignedIn()) makeAlive()
  })
}
