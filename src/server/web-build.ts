import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['src/web', 'src/contract', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json']

/** Where `react-router build` writes. */
export const buildDirectory = join(root, 'build')
const stampFile = join(buildDirectory, 'stamp')

/**
 * Builds the web unless the last build was made from the same sources.
 * @throws Error with the end of the tool's output when the build fails
 */
export async function buildWebIfNeeded(say: (sentence: string) => void): Promise<void> {
  const stamp = await digestOfSources()
  if (existsSync(join(buildDirectory, 'server', 'index.js')) && (await readStamp()) === stamp) return
  say('Building the pages. This takes a few seconds and happens once.')
  await rm(stampFile, { force: true })
  await run(join(root, 'node_modules/@react-router/dev/bin.cjs'), ['build'])
  await mkdir(buildDirectory, { recursive: true })
  await writeFile(`${stampFile}.new`, stamp)
  await rename(`${stampFile}.new`, stampFile)
}

async function readStamp(): Promise<string> {
  return readFile(stampFile, 'utf8').catch(() => '')
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await filesBelow(source)) {
      hash.update(`${file}\0`).update(await readFile(join(root, file)))
    }
  }
  return hash.digest('hex')
}

async function filesBelow(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return [path]
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}

function run(script: string, parameters: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
    }
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The pages could not be built.\n${output.join('').slice(-4000)}`))
    })
  })
}
