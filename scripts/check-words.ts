// Counts the indefinite words in comments and in the names of tests. No file may have more than scripts/words.json allows,
// and a file that has fewer lowers its number there: `npm run words -- --lower` writes the lower ones.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareWords, findWords, type Words } from './words.ts'

const folders = ['src', 'test', 'e2e', 'bench', 'scripts']
const root = fileURLToPath(new URL('../', import.meta.url))
const recordFile = fileURLToPath(new URL('words.json', import.meta.url))

const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.gen.ts') && path !== 'scripts/words.ts')
const found = new Map(files.map((file) => [file, findWords(readFileSync(`${root}${file}`, 'utf8'))]))
const counted: Words = Object.fromEntries([...found].map(([file, words]) => [file, words.length]))
const record = JSON.parse(readFileSync(recordFile, 'utf8')) as Words
const { above, below } = compareWords(record, counted)

if (process.argv.includes('--lower')) {
  const lowered: Words = {}
  for (const file of Object.keys(record).toSorted()) {
    const most = Math.min(record[file] ?? 0, counted[file] ?? 0)
    if (most > 0) lowered[file] = most
  }
  writeFileSync(recordFile, `${JSON.stringify(lowered, null, 2)}\n`)
} else if (below.length > 0) {
  console.error(
    `Fewer words than recorded: ${below.join(', ')}. Lower the record by npm run words -- --lower.`,
  )
  process.exitCode = 1
}
for (const file of above) {
  console.error(`${file} may have ${record[file] ?? 0} indefinite words and has ${counted[file]}:`)
  for (const { line, word } of found.get(file) ?? []) console.error(`  ${file}:${line} ${word}`)
  process.exitCode = 1
}
const total = Object.values(counted).reduce((sum, count) => sum + count, 0)
console.log(
  `${total} indefinite words in ${Object.values(counted).filter(Boolean).length} of ${files.length} files.`,
)
