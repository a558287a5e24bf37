// Generates everything anew, and fails if a file was out of date. It is up to date afterwards.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const files = [
  'src/server/db/schema.gen.ts',
  'src/server/modules/search/directory/bitmaps.gen.ts',
  'src/web/lib/field-limits.gen.ts',
  'src/web/lib/accessibility.gen.ts',
  'openapi.json',
  'README.md',
  'docs/configuration.md',
  'docs/decisions/README.md',
]

const read = () =>
  files.map((file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined))

const before = read()
const { status } = spawnSync('npm', ['run', '--silent', 'generate'], {
  cwd: root,
  stdio: 'inherit',
  // npm is a batch file there.
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(1)
const after = read()
const outdated = files.filter((_, place) => before[place] !== after[place])
for (const file of outdated) console.error(`${file} was out of date. It has been generated anew: commit it.`)
process.exit(outdated.length === 0 ? 0 : 1)
