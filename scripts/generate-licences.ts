// Writes docs/licences.md from the lockfile.
import { writeFile } from 'node:fs/promises'
import { licencesDocument } from './licences.ts'

await writeFile(new URL('../docs/licences.md', import.meta.url), licencesDocument())
