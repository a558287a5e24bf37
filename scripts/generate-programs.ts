// Translates bitmaps.wat into what Node reads.
import { readFileSync } from 'node:fs'
import wabt from 'wabt'
import { writeChanged } from './write-changed.ts'

const source = new URL('../src/server/modules/search/directory/bitmaps.wat', import.meta.url)
const parsed = (await wabt()).parseWat('bitmaps.wat', readFileSync(source, 'utf8'), { simd: true })
const bytes = Buffer.from(parsed.toBinary({}).buffer)
await writeChanged(
  new URL('bitmaps.gen.ts', source),
  `// Generated from bitmaps.wat by \`npm run generate\`. Do not edit.

export const bitmapProgram: Uint8Array<ArrayBuffer> = Uint8Array.from(
  Buffer.from(
    '${bytes.toString('base64')}',
    'base64',
  ),
)
`,
)
