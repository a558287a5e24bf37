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
  const { build, client, withImports, scriptsOf } = await readBuild(directory)
  const late = (await readdir(join(client, 'assets'))).filter((name) => /^late-.*\.js$/.test(name))
  return Promise.all(
    pages.map(async ({ page, path, limit }) => {
      const ids = (matchRoutes(routeTree(build), path) ?? []).flatMap(({ route }) => route.id ?? [])
      const all = await scriptsOf(ids)
      const isPlain = ids.some((id) => (build.routes[id]?.module.handle as Partial<PlainHandle>)?.isPlain)
      const first = isPlain ? await withImports(late.map((name) => `/assets/${name}`)) : all
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

/** How many scripts each route's page asks for as it opens, by the route's name. */
export async function countScripts(directory = buildDirectory): Promise<Map<string, number>> {
  const { build, scriptsOf } = await readBuild(directory)
  const withParents = (id: string): string[] => {
    const parentId = build.routes[id]?.parentId
    return parentId === undefined ? [id] : [id, ...withParents(parentId)]
  }
  const counted = Object.keys(build.routes).map(
    async (id) => [id, (await scriptsOf(withParents(id))).size] as const,
  )
  return new Map(await Promise.all(counted))
}

/** The built pages, and what finds the scripts of a page by the names of its route and of those around it. */
async function readBuild(directory: string) {
  const build = (await import(pathToFileURL(join(directory, 'server', 'index.js')).href)) as ServerBuild
  const client = join(directory, 'client')
  const { entry, url, routes } = build.assets
  const withImports = scriptReader(client)
  return {
    build,
    client,
    withImports,
    scriptsOf: (ids: readonly string[]) => {
      const named = ids.flatMap((id) => [routes[id]?.module ?? [], routes[id]?.imports ?? []].flat())
      return withImports([url, entry.module, ...entry.imports, ...named])
    },
  }
}

function routeTree(build: ServerBuild, parent?: string): RouteObject[] {
  return Object.values(build.routes).flatMap((route) => {
    if (!route || route.parentId !== parent) return []
    const { id, path, index } = route
    return [index ? { id, path, index } : { id, path, children: routeTree(build, id) }]
  })
}

type Script = { bytes: number; imports: string[] }

/** The bytes by gzip of scripts and of all that they import, by their address; each is read once. */
function scriptReader(client: string) {
  const read = new Map<string, Promise<Script>>()
  const readScript = async (url: string): Promise<Script> => {
    const code = await readFile(join(client, url), 'utf8')
    // `import('./x.js')` has a bracket: what is loaded later does not count.
    const imports = code.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)
    return {
      bytes: gzipSync(code, { level: 9 }).length,
      imports: [...imports].map(([, name]) => `/assets/${name}`),
    }
  }
  return async (urls: readonly string[]): Promise<Map<string, number>> => {
    const found = new Map<string, number>()
    const waiting = [...urls]
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (found.has(url)) continue
      const script = read.get(url) ?? readScript(url)
      read.set(url, script)
      const { bytes, imports } = await script
      found.set(url, bytes)
      waiting.push(...imports)
    }
    return found
  }
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
