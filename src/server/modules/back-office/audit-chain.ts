import { hash } from 'node:crypto'
import type { Anchor, ChainedEntry } from './audit-chain.store.ts'

/** What the first entry is chained to. */
export const genesis: Anchor = { seq: 0, hash: hash('sha256', '', 'buffer') }

/** The hash of an entry that follows `prev`; as the database's own function `audit_hash`. */
export function hashEntry(prev: Buffer, entry: ChainedEntry): Buffer {
  const texts = [
    entry.seq,
    entry.micros,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.subject,
    entry.reason,
    entry.practitioner_id,
  ].map((value) => (value === null ? null : String(value)))
  const size = texts.reduce((sum, text) => sum + 4 + (text === null ? 0 : Buffer.byteLength(text)), 4)
  // In one piece: a million entries are hashed in a row.
  const bytes = Buffer.allocUnsafe(size + prev.length)
  let end = bytes.writeInt32BE(prev.length)
  end += prev.copy(bytes, end)
  for (const text of texts) {
    const length = text === null ? 0 : bytes.write(text, end + 4)
    bytes.writeInt32BE(text === null ? -1 : length, end)
    end += 4 + length
  }
  return hash('sha256', bytes, 'buffer')
}

/** `1204:9f86…`, as it is mailed, logged and given to the command. */
export function formatAnchor({ seq, hash }: Anchor): string {
  return `${seq}:${hash.toString('hex')}`
}

/** Reads what `formatAnchor` writes; undefined for anything else. */
export function parseAnchor(text: string): Anchor | undefined {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  return seq && hash ? { seq: Number(seq), hash: Buffer.from(hash, 'hex') } : undefined
}
