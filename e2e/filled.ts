import { join } from 'node:path'

export type Seed = 'demo' | 'reference'

/** The folder of a server that has its demo or reference data and is not running. */
export function filledFolder(seed: Seed): string {
  return join(process.env.E2E_DATA ?? '', `filled-${seed}`)
}
