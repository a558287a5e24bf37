import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|svg|json|txt|webmanifest)$/
/** Below this the headers outweigh what is saved. */
const worthwhileBytes = 1024

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Writes a `.br` and a `.gz` beside every text file of the built client, so that serving one costs no processor time. */
export async function compressAssets(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    if (content.length < worthwhileBytes) continue
    await writeFile(`${path}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }))
    await writeFile(`${path}.gz`, await deflate(content, { level: 9 }))
  }
}
