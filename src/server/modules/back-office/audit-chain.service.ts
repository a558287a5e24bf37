import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import { formatAnchor, genesis, hashEntry } from './audit-chain.ts'
import { auditAnchorMail } from './audit-chain.mails.ts'
import * as store from './audit-chain.store.ts'
import type { Anchor } from './audit-chain.store.ts'

/** How many entries are in memory at once. */
const batch = 2000

/** The last entry that is as it was written, and the first that is not. */
export type Verdict = { last: Anchor; wrong: { seq: number; what: Fault } | null }
/** `changed`: it is not what was written; `missing`: it is not there; `added`: the chain does not know it. */
export type Fault = 'changed' | 'missing' | 'added'

/**
 * Recomputes the chain of the audit log, in batches, after an anchor or from its beginning. Entries that are written
 * meanwhile are left to the next time.
 */
export async function verifyChain(db: Db, from: Anchor = genesis): Promise<Verdict> {
  const head = await store.readHead(db)
  let last = from
  const wrong = (seq: number, what: Fault): Verdict => ({ last, wrong: { seq, what } })
  if (!head) return (await store.countEntries(db)) > 0 ? wrong(1, 'added') : { last, wrong: null }
  if (from.seq > 0) {
    const hash = await store.hashAt(db, from.seq)
    if (!hash) return { last: genesis, wrong: { seq: from.seq, what: 'missing' } }
    if (!hash.equals(from.hash)) return { last: genesis, wrong: { seq: from.seq, what: 'changed' } }
  }
  let next = store.readChain(db, last.seq, head.seq, batch)
  for (;;) {
    const entries = await next
    const end = entries.at(-1)
    // Read while those before are hashed.
    if (end && entries.length === batch) next = store.readChain(db, end.seq, head.seq, batch)
    next.catch(() => undefined)
    for (const entry of entries) {
      if (entry.seq !== last.seq + 1) return wrong(last.seq + 1, 'missing')
      const hash = hashEntry(last.hash, entry)
      if (!last.hash.equals(entry.prev) || !hash.equals(entry.hash)) return wrong(entry.seq, 'changed')
      last = { seq: entry.seq, hash }
    }
    if (entries.length < batch) break
  }
  if (last.seq < head.seq) return wrong(last.seq + 1, 'missing')
  if (!last.hash.equals(head.hash)) return wrong(head.seq, 'changed')
  if (head.beyond !== null) return wrong(head.beyond, 'added')
  return { last, wrong: null }
}

type Dependencies = Pick<Deps, 'db' | 'clock' | 'log' | 'publicUrl'> & { adminMails: AdminMails }

/** What a mail about a check stores. */
type CheckFacts = { anchor: string; wrong: Verdict['wrong'] }

/** Checks the audit log every day, and mails and logs its last entry: only what is kept elsewhere shows a cut tail. */
export function createAuditChain({ db, clock, log, adminMails, publicUrl }: Dependencies) {
  adminMails.template<CheckFacts>('back-office.audit_anchor', async (_tx, { data, created_at: at }, to) =>
    auditAnchorMail(to, { at, ...data }, publicUrl),
  )

  return {
    async check(): Promise<void> {
      const at = clock.now()
      let verdict = await verifyChain(db)
      const { whole } = await store.readChecks(db)
      // What was whole before must still end where it did.
      if (!verdict.wrong && whole && whole.seq > 0) {
        const kept = await store.hashAt(db, whole.seq)
        const isKept = kept?.equals(Buffer.from(whole.hash)) ?? false
        if (!isKept) verdict = { ...verdict, wrong: { seq: whole.seq, what: kept ? 'changed' : 'missing' } }
      }
      const { last, wrong } = verdict
      const anchor = formatAnchor(last)
      await inTransaction(db, async (tx) => {
        await store.insertCheck(tx, { at, seq: last.seq, hash: last.hash, wrong_seq: wrong?.seq ?? null })
        if (last.seq === 0 && !wrong) return
        await adminMails.enqueue(tx, {
          template: 'back-office.audit_anchor',
          about: { type: 'audit-check', id: at.toISOString() },
          dedupeKey: `back-office.audit_anchor ${at.toISOString()} ${wrong ? `${wrong.seq} ${wrong.what}` : anchor}`,
          data: { anchor, wrong } satisfies CheckFacts,
        })
      })
      if (wrong) log.error({ anchor, wrong }, 'The audit log is not as it was written.')
      else log.info({ anchor }, 'audit anchor')
    },
  }
}

/** What the last check found. */
export async function chainStanding(db: Db): Promise<{
  checked_at: string | null
  whole_since: string | null
  wrong_entry: number | null
}> {
  const [{ last }, first] = await Promise.all([store.readChecks(db), store.firstEntryAt(db)])
  const isWhole = last !== undefined && last.wrong_seq === null
  return {
    checked_at: last?.at.toISOString() ?? null,
    whole_since: isWhole ? (first?.toISOString() ?? null) : null,
    wrong_entry: last?.wrong_seq ?? null,
  }
}
