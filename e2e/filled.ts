import { join } from 'node:path'

/** The folder of a server that has its demo data and is not running. */
export function filledFolder(): string {
  return join(process.env.E2E_DATA ?? '', 'filled')
}
