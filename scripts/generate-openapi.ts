// Writes openapi.json from the routes, as the running product serves it.
import { buildTestApp } from '#test/build-test-app.ts'
import { writeChanged } from './write-changed.ts'

const test = await buildTestApp()
await test.app.ready()
const document = test.app.swagger()
await test.close()
await writeChanged(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
// The tests' shared database would keep the process waiting.
process.exit(0)
