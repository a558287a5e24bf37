// Recomputes the audit log's chain of hashes, and names the first entry that is not as it was written. With --from=<anchor>,
// as mailed to the back office, it begins there, and finds out whether entries were cut off after it.
import '../production.ts'
import { parseArgs } from 'node:util'
import { commandConfig, endWith, withDatabase } from './command.ts'
import { formatAnchor, parseAnchor } from '../modules/back-office/audit-chain.ts'
import { verifyChain } from '../modules/back-office/audit-chain.service.ts'

const words = {
  changed: 'is not as it was written',
  missing: 'is missing',
  added: 'was added by other hands',
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { from: { type: 'string' } } })
  const from = values.from === undefined ? undefined : parseAnchor(values.from)
  if (values.from !== undefined && !from) {
    throw new Error('--from is not an anchor: it has a number, a colon and 64 hexadecimal digits.')
  }
  const config = commandConfig()
  const { last, wrong } = await withDatabase(config, { asOwner: true }, (db) => verifyChain(db, from))
  if (wrong) {
    console.error(`Entry ${wrong.seq} of the audit log ${words[wrong.what]}.`)
  } else {
    const begun = from ? from.seq : 1
    console.log(`The audit log is whole from entry ${begun} on. Its anchor: ${formatAnchor(last)}`)
  }
  return wrong === null
}

main()
  .then((isWhole) => process.exit(isWhole ? 0 : 1))
  .catch((error: unknown) => endWith(2, error))
