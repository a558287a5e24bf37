// Writes openapi.json from the contract: a line for each path and each component, so that a difference can be read.
import { describeContract } from './openapi/document.ts'
import { inLines } from './openapi/lines.ts'
import { writeChanged } from './write-changed.ts'

await writeChanged(new URL('../openapi.json', import.meta.url), inLines(await describeContract()))
