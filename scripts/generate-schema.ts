// Writes src/server/db/schema.gen.ts from a freshly migrated embedded database.
import { sql } from 'kysely'
import { openEmbedded } from '#server/db/connection.ts'
import { migrate } from '#server/db/migrate.ts'
import { writeChanged } from './write-changed.ts'

const types: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  citext: 'string',
  date: 'string',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'Date',
  jsonb: 'unknown',
  bytea: 'Uint8Array',
  xid8: 'string',
  tstzrange: 'string',
  tsvector: 'string',
  _int4: 'number[]',
  _text: 'string[]',
  _uuid: 'string[]',
  _timestamptz: 'Date[]',
}

type Column = {
  schema: string
  table: string
  column: string
  type: string
  nullable: boolean
  generated: boolean
}

const database = await openEmbedded()
await migrate(database.db)
const { rows: columns } = await sql<Column>`
  select table_schema as schema, table_name as table, column_name as column, udt_name as type,
         is_nullable = 'YES' as nullable, (column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS') as generated
  from information_schema.columns
  where table_schema in ('public', 'sandbox_gateway', 'stripe_gateway') and table_name not like 'kysely%'
  order by table_schema, table_name, ordinal_position`.execute(database.db)
// A check of the form `column in (…)` narrows the column's type.
const { rows: checks } = await sql<{ table: string; definition: string }>`
  select c.conrelid::regclass::text as table, pg_get_constraintdef(c.oid) as definition
  from pg_constraint c where c.contype = 'c'`.execute(database.db)
const unions = new Map<string, string>()
for (const { table, definition } of checks) {
  const match = /^CHECK \(\((\w+) = ANY \(ARRAY\[('[^\]]+)\]\)\)\)$/.exec(definition)
  if (!match) continue
  const values = [...(match[2] ?? '').matchAll(/'([^']+)'::text/g)].map((value) => `'${value[1]}'`)
  unions.set(`${table}.${match[1]}`, values.join(' | '))
}
await database.close()

const tables = new Map<string, string[]>()
for (const row of columns) {
  const name = row.schema === 'public' ? row.table : `${row.schema}.${row.table}`
  const type = unions.get(`${name}.${row.column}`) ?? types[row.type]
  if (!type) throw new Error(`No TypeScript type for ${name}.${row.column} of type ${row.type}`)
  const full = row.nullable ? `${type} | null` : type
  const line = `    ${row.column}: ${row.generated ? `Generated<${full}>` : full}`
  tables.set(name, [...(tables.get(name) ?? []), line])
}
const body = [...tables].map(([name, lines]) => `  '${name}': {\n${lines.join('\n')}\n  }`).join('\n')
await writeChanged(
  new URL('../src/server/db/schema.gen.ts', import.meta.url),
  `// Generated from the migrations by \`npm run generate\`. Do not edit.\nimport type { Generated } from 'kysely'\n\nexport type Schema = {\n${body}\n}\n`,
)
