// Translates the programs of the search into what Node reads.
import { readFileSync } from 'node:fs'
import wabt from 'wabt'
import { writeChanged } from './write-changed.ts'

const programs = { bitmaps: 'bitmapProgram', 'value-rows': 'valueRowProgram' }

const { parseWat } = await wabt()
for (const [name, exported] of Object.entries(programs)) {
  const source = new URL(`../src/server/modules/search/directory/${name}.wat`, import.meta.url)
  const parsed = parseWat(`${name}.wat`, readFileSync(source, 'utf8'), { simd: true, bulk_memory: true })
  const bytes = Buffer.from(parsed.toBinary({}).buffer)
  await writeChanged(
    new URL(`${name}.gen.ts`, source),
    `// Generated from ${name}.wat by \`npm run generate\`. Do not edit.

export const ${exported}: Uint8Array<ArrayBuffer> = Uint8Array.from(
  Buffer.from(
    '${bytes.toString('base64')}',
    'base64',
  ),
)
`,
  )
}
