// Fails when an input can make a regular expression of the product take more than linear time: a sender could block the
// server with it. Results are cached, since expressions seldom change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Diagnostics, check } from 'recheck'
import { parseAst } from 'vite'
import { z } from 'zod'

const root = fileURLToPath(new URL('../', import.meta.url))
const cacheFile = new URL('../node_modules/.cache/hearth/regexes.json', import.meta.url)
/** Another version judges anew. */
const version = 'recheck 4.5.0'
/** Milliseconds for one expression. */
const timeout = 120_000

type Expression = { source: string; flags: string; places: string[] }
type Verdict = 'safe' | 'vulnerable' | 'unknown'
const Cache = z.record(z.string(), z.object({ verdict: z.enum(['safe', 'vulnerable']), reason: z.string() }))

const expressions = new Map<string, Expression>()
const unreadable: string[] = []

/** A syntax tree as ESTree describes it; only what is asked for is looked at. */
type Node = { type: string; start: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function add(source: string, flags: string, place: string): void {
  const key = `/${source}/${flags}`
  const known = expressions.get(key) ?? { source, flags, places: [] }
  known.places.push(place)
  expressions.set(key, known)
}

function collect(node: Node, placeOf: (node: Node) => string): void {
  const { regex, callee } = node as { regex?: { pattern: string; flags: string }; callee?: Node }
  if (node.type === 'Literal' && regex) add(regex.pattern, regex.flags, placeOf(node))
  if ((node.type === 'NewExpression' || node.type === 'CallExpression') && callee?.['name'] === 'RegExp') {
    const [source, flags] = (node['arguments'] as Node[]).map((argument) => argument['value'])
    if (typeof source === 'string') add(source, typeof flags === 'string' ? flags : '', placeOf(node))
    else unreadable.push(placeOf(node))
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collect(child, placeOf)
  }
}

for await (const path of glob('src/**/*.{ts,tsx}', { cwd: root })) {
  if (/\.(test|gen|d)\.tsx?$/.test(path)) continue
  const code = readFileSync(`${root}${path}`, 'utf8')
  const tree = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  collect(tree, ({ start }) => `${path}:${code.slice(0, start).split('\n').length}`)
}
if (expressions.size < 100) throw new Error(`Only ${expressions.size} expressions were found in src.`)
// What zod matches where the contract asks for an address of mail, a uuid or a date.
for (const name of ['email', 'guid', 'date'] as const) {
  const { source, flags } = z.regexes[name]
  add(source, flags, `zod's ${name}`)
}

const cache = readCache()
// The first call starts the checker, which the others share.
await check('a', '')
const verdicts = await Promise.all(
  [...expressions].map(async ([key, { source, flags, places }]) => {
    const { verdict, reason } = cache[key] ?? (await judge(source, flags))
    return { key, places, verdict, reason }
  }),
)
const kept = verdicts.filter(
  (each): each is typeof each & { verdict: 'safe' | 'vulnerable' } => each.verdict !== 'unknown',
)
mkdirSync(new URL('.', cacheFile), { recursive: true })
writeFileSync(
  cacheFile,
  JSON.stringify({
    version,
    verdicts: Object.fromEntries(kept.map(({ key, verdict, reason }) => [key, { verdict, reason }])),
  }),
)

const wrong = verdicts.filter(({ verdict }) => verdict !== 'safe')
for (const { key, places, reason } of wrong) console.error(`${places.join(', ')}: ${key} is ${reason}.`)
for (const place of unreadable)
  console.error(`${place}: the expression is not a text, so it cannot be checked.`)
console.log(`${expressions.size} regular expressions checked, ${wrong.length + unreadable.length} refused.`)
process.exit(wrong.length + unreadable.length === 0 ? 0 : 1)

async function judge(source: string, flags: string): Promise<{ verdict: Verdict; reason: string }> {
  const result: Diagnostics = await check(source, flags, { timeout })
  if (result.status === 'unknown') return { verdict: 'unknown', reason: `not judged (${result.error.kind})` }
  const attack = result.status === 'vulnerable' ? `, such as by ${result.attack.pattern}` : ''
  return { verdict: result.status, reason: `${result.complexity.summary}${attack}` }
}

function readCache(): z.infer<typeof Cache> {
  try {
    const known = z.object({ version: z.literal(version), verdicts: Cache })
    return known.parse(JSON.parse(readFileSync(cacheFile, 'utf8'))).verdicts
  } catch {
    return {}
  }
}
