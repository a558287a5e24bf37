import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Areas of the code, the first that fits: folders whose imports make the arrows. */
const areas: [name: string, folder: string, label: string][] = [
  ['routes', 'src/web/routes/', 'routes<br>pages'],
  ['features', 'src/web/features/', 'features<br>queries and components of a concept'],
  ['ui', 'src/web/ui/', 'ui<br>the kit'],
  ['lib', 'src/web/lib/', 'lib<br>API client, sign-in, time, money'],
  ['http', 'src/server/http/', 'http<br>sign-in, roles, limits, errors, pages'],
  ['modules', 'src/server/modules/', 'modules'],
  ['jobs', 'src/server/jobs/', 'jobs<br>queue and schedule'],
  ['db', 'src/server/db/', 'db<br>connection, migrations, seed'],
  ['integrations', 'src/server/integrations/', 'integrations'],
  ['contract', 'src/contract/', 'src/contract<br>schemas and endpoints, shared by both sides'],
]

/** Imports that say nothing of the layers: the seed hashes passwords, everything can be traced, pages are handed facts. */
const exceptions = /^src\/(server\/db\/seed\/|server\/integrations\/tracing\/|web\/lib\/server-context\.ts)/

type Edge = `${string} ${string}`

/** A Mermaid diagram of the areas and of the modules, in their order, as the code imports them. */
export function drawArchitecture(): string {
  const imports = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .flatMap((from) => importsOf(from).map((to) => ({ from, to })))
    .filter(({ from, to }) => !exceptions.test(from) && !exceptions.test(to))
  const modules = moduleOrder()
  const between = edges(imports, areaOf).filter((edge) => !edge.startsWith('contract '))
  const betweenModules = edges(imports, moduleOf)
  const box = (name: string) => `    ${name}["${areas.find((area) => area[0] === name)?.[2]}"]`
  const ports = globSync('src/server/integrations/*/port.ts', { cwd: root })
    .map((path) => posix.basename(posix.dirname(path.replaceAll('\\', '/'))))
    .toSorted()
  const arrows = (found: Edge[]) => found.map((edge) => `  ${edge.replace(' ', ' --> ')}`)
  return [
    '```mermaid',
    'flowchart TB',
    '  subgraph web["src/web: the pages"]',
    ...['routes', 'features', 'ui', 'lib'].map(box),
    '  end',
    '  subgraph server["src/server: one process, one port"]',
    box('http'),
    `    subgraph modules["modules: each uses earlier ones alone"]`,
    ...modules.map((name) => `      ${idOf(name)}["${name}"]`),
    '    end',
    box('jobs'),
    box('db'),
    `    integrations["integrations<br>${ports.join(', ')}"]`,
    '  end',
    box('contract').trimStart().replace(/^/, '  '),
    '  lib -. "HTTP and the socket" .-> http',
    ...arrows(reduced(between)),
    ...arrows(reduced(betweenModules)),
    '```',
    '',
    `The modules in their order: ${modules.join(', ')}.`,
    '',
  ].join('\n')
}

/** The modules in the order in which `composition.ts` adds them. */
function moduleOrder(): string[] {
  const composition = read('src/server/composition.ts')
  return [...composition.matchAll(/\.add\((\w+)\)/g)].map(([, added]) => {
    const path = new RegExp(`\\b${added}\\b.* from '\\./modules/([^/]+)/`).exec(composition)?.[1]
    if (path === undefined)
      throw new Error(`composition.ts adds ${added}, which it does not import from a module.`)
    return path
  })
}

const areaOf = (path: string) => areas.find(([, folder]) => path.startsWith(folder))?.[0]
const moduleOf = (path: string) => {
  const name = /^src\/server\/modules\/([^/]+)\//.exec(path)?.[1]
  return name === undefined ? undefined : idOf(name)
}
/** As Mermaid takes it for an id: `end` and hyphens mean something to it. */
const idOf = (name: string) => `m_${name.replaceAll('-', '_')}`

function importsOf(from: string): string[] {
  return [...read(from).matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)].flatMap(([, path = '']) => {
    if (path.startsWith('#')) return [path.replace(/^#/, 'src/')]
    return path.startsWith('.') ? [posix.join(dirname(from), path)] : []
  })
}

/** From whom to whom, each pair once. */
function edges(
  imports: { from: string; to: string }[],
  nameOf: (path: string) => string | undefined,
): Edge[] {
  const found = new Set<Edge>()
  for (const { from, to } of imports) {
    const [one, other] = [nameOf(from), nameOf(to)]
    if (one !== undefined && other !== undefined && one !== other) found.add(`${one} ${other}`)
  }
  return [...found].toSorted()
}

/** Without the edges that a longer way stands for, taken away one by one. */
function reduced(all: Edge[]): Edge[] {
  let kept = all
  for (const edge of all) {
    const others = kept.filter((each) => each !== edge)
    const [from = '', to = ''] = edge.split(' ')
    if (reachable(from, others).has(to)) kept = others
  }
  return kept
}

function reachable(from: string, all: Edge[]): Set<string> {
  const found = new Set<string>()
  const waiting = [from]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const edge of all) {
      const [one, other = ''] = edge.split(' ')
      if (one !== name || found.has(other)) continue
      found.add(other)
      waiting.push(other)
    }
  }
  return found
}
