// Writes the limits of the contract's body fields that the forms of the web use: the browser loads no validator.
import { writeFieldLimits } from './field-limits.ts'
import { writeChanged } from './write-changed.ts'

await writeChanged(new URL('../src/web/lib/field-limits.gen.ts', import.meta.url), writeFieldLimits())
