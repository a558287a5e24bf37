// npm leaves optional packages for other platforms out of the lockfile when it cannot look them up, and `npm ci` then
// refuses that lockfile. This adds them from what their parents say, so that each platform installs its own, and asks
// the registry for the hashes that are missing. Run it after every `npm install`.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

type Entry = {
  version?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Lockfile = { packages: Record<string, Entry> }

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'loong64',
  'mips64el',
]

const file = new URL('../package-lock.json', import.meta.url)
const lock: Lockfile = JSON.parse(await readFile(file, 'utf8'))
let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (path === '' || isInstalled(name, path)) continue
    const platform = platformOf(name)
    if (!platform || !/^\d/.test(version)) continue
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    }
    added += 1
  }
}
let missing = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.integrity) continue
  const found = await hashOf(`${path.replace(/^.*node_modules\//, '')}@${entry.version}`)
  if (found) Object.assign(entry, found)
  else missing += 1
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages of other platforms added; the registry has no hash of ${missing}.`)

/** Whether a package is in one of the folders in which another one looks for it. */
function isInstalled(name: string, path: string): boolean {
  if (lock.packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`]) return true
  return path !== '' && isInstalled(name, path.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''))
}

/** A package's hash; undefined where the registry does not have it. */
async function hashOf(name: string): Promise<{ integrity: string } | undefined> {
  const npm = promisify(execFile)('npm', ['view', name, 'dist', '--json'])
  return npm.then(
    ({ stdout }) => {
      const { integrity } = JSON.parse(stdout) as { integrity: string }
      return { integrity }
    },
    () => undefined,
  )
}

/** The platform that a package's name says it is for. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[/-]/)
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor) || words.includes(`${processor}hf`))
  if (!os && cpu !== 'wasm32') return undefined
  const libc = words.find((word) => word.startsWith('musl') || word.startsWith('gnu'))
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === 'linux' && libc ? { libc: [libc.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
  }
}
