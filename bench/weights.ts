/*
 * How much JavaScript a page loads, by gzip: `node bench/weights.ts` after `npm run build`.
 *
 * Counted are the chunks that the built manifest names for the page's routes and for the entry, which the page asks
 * for by `modulepreload`, the manifest itself, and all that these import statically. Chunks that a page loads later,
 * such as a dialog when it opens, are not.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { buildDirectory } from '#server/web-build.ts'

export type PageWeight = {
  page: string
  /** Bytes by gzip before the page is idle, and how many files they are. */
  beforeIdle: number
  files: number
  /** Bytes by gzip once it is hydrated: the same, but for plain pages, which load the framework only when used. */
  alive: number
  /** The most that `beforeIdle` may be. */
  limit: number
}

const pages = [
  { page: 'home', path: '/', limit: 120_000 },
  { page: 'FAQ', path: '/frequently-asked-questions', limit: 120_000 },
  { page: 'privacy policy', path: '/privacy-policy', limit: 120_000 },
  { page: 'terms', path: '/terms-and-conditions', limit: 120_000 },
  { page: 'results', path: '/found-therapists', limit: 170_000 },
  { page: 'profile', path: '/recommended-therapist', limit: 170_000 },
]

/** Weighs the pages that have a limit. @param directory where `react-router build` has written */
export async function weighPages(directory = buildDirectory): Promise<PageWeight[]> {
  const build = (await import(pathToFileURL(join(directory, 'server', 'index.js')).href)) as ServerBuild
  const client = join(directory, 'client')
  const { entry, url, routes } = build.assets
  const late = (await readdir(join(client, 'assets'))).filter((name) => /^late-.*\.js$/.test(name))
  return Promise.all(
    pages.map(async ({ page, path, limit }) => {
      const ids = (matchRoutes(routeTree(build), path) ?? []).flatMap(({ route }) => route.id ?? [])
      const named = ids.flatMap((id) => [routes[id]?.module ?? [], routes[id]?.imports ?? []].flat())
      const all = await withStaticImports(client, [url, entry.module, ...entry.imports, ...named])
      const isPlain = ids.some((id) => (build.routes[id]?.module.handle as Partial<PlainHandle>)?.isPlain)
      const first = isPlain
        ? await withStaticImports(
            client,
            late.map((name) => `/assets/${name}`),
          )
        : all
      return {
        page,
        beforeIdle: sum(first),
        files: first.size,
        alive: sum(all) + (isPlain ? sum(first) : 0),
        limit,
      }
    }),
  )
}

function routeTree(build: ServerBuild, parent?: string): RouteObject[] {
  return Object.values(build.routes).flatMap((route) => {
    if (!route || route.parentId !== parent) return []
    const { id, path, index } = route
    return [index ? { id, path, index } : { id, path, children: routeTree(build, id) }]
  })
}

/** The bytes by gzip of the files and of all that they import, by their address. */
async function withStaticImports(client: string, urls: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const waiting = [...urls]
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (found.has(url)) continue
    const code = await readFile(join(client, url), 'utf8')
    found.set(url, gzipSync(code, { level: 9 }).length)
    // `import('./x.js')` has a bracket: what is loaded later does not count.
    for (const [, name] of code.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
      waiting.push(`/assets/${name}`)
    }
  }
  return found
}

const sum = (weights: Map<string, number>) => [...weights.values()].reduce((total, bytes) => total + bytes, 0)

if (import.meta.main) {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  console.table(
    (await weighPages()).map(({ page, beforeIdle, files, alive, limit }) => ({
      page,
      'before idle': kilobytes(beforeIdle),
      files,
      alive: kilobytes(alive),
      limit: kilobytes(limit),
      within: beforeIdle <= limit,
    })),
  )
}
