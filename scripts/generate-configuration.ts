// Writes the table of configuration in the README from the schema that reads it.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { configSchema } from '#server/config.ts'
import { writeChanged } from './write-changed.ts'

const file = new URL('../README.md', import.meta.url)
const [begin, end] = ['<!-- configuration -->', '<!-- /configuration -->']
const described = z.toJSONSchema(configSchema, { io: 'input' }).properties ?? {}
const rows = Object.entries(described).map(([name, schema]) => {
  const { description = '', default: fallback } = schema as {
    description?: string
    default?: string | number | boolean
  }
  return `| \`${name}\` | ${fallback === undefined ? '' : `\`${String(fallback)}\``} | ${description} |`
})
const table = ['| variable | default | what it is |', '| --- | --- | --- |', ...rows].join('\n')
const readme = await readFile(file, 'utf8')
const before = readme.slice(0, readme.indexOf(begin) + begin.length)
const after = readme.slice(readme.indexOf(end))
await writeChanged(file, `${before}\n${table}\n${after}`)
