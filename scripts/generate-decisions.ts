// Writes the index of the decision records.
import { decisionIndex, readDecisions } from './decisions.ts'
import { writeChanged } from './write-changed.ts'

await writeChanged(new URL('../docs/decisions/README.md', import.meta.url), decisionIndex(readDecisions()))
