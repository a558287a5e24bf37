// Draws the architecture into the README from the imports of the code.
import { readFile } from 'node:fs/promises'
import { drawArchitecture } from './architecture.ts'
import { writeChanged } from './write-changed.ts'

const file = new URL('../README.md', import.meta.url)
const [begin, end] = ['<!-- architecture -->', '<!-- /architecture -->']
const readme = await readFile(file, 'utf8')
const [before = '', rest = ''] = readme.split(begin)
const [, after] = rest.split(end)
if (after === undefined) throw new Error(`The README has no place between ${begin} and ${end}.`)
await writeChanged(file, `${before}${begin}\n${drawArchitecture()}${end}${after}`)
