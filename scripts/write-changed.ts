import { readFile, writeFile } from 'node:fs/promises'

/** Writes a generated file unless it has that content, so that the checks beside it never read half of one. */
export async function writeChanged(file: URL, content: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present !== content) await writeFile(file, content)
}
