import type { AppointmentType } from '#contract/common.ts'
import type { FoundPractitioner } from '#contract/search.ts'

/** A card as JSON text, in two parts: what all searches show, and its next starts by the format searched for. */
export type CardText = {
  /** The transaction that wrote the row it was made from. */
  version: number
  /** A comma and an object, without its last field and brace. */
  common: Buffer
  /** The last field, with the brace. */
  nextStarts: Record<'either' | 'online' | 'face_to_face', Buffer>
}

export type CardCache = {
  /** The card of a practitioner, if it was made from the row that this transaction wrote. */
  get(practitionerId: number, version: number): CardText | undefined
  set(practitionerId: number, card: CardText): void
  /** Bytes of all cards that are kept. */
  bytes(): number
}

/** What a card takes beside its text. */
const overhead = 500

const bytesOf = ({ common, nextStarts }: CardText) =>
  overhead +
  common.length +
  nextStarts.either.length +
  nextStarts.online.length +
  nextStarts.face_to_face.length

/**
 * Keeps cards up to a total of bytes. When there are more, the oldest one goes that was not read since it was last passed
 * over (a clock): reading a card costs no move.
 */
export function createCardCache(maxBytes: number): CardCache {
  const kept = new Map<number, { card: CardText; bytes: number; isRead: boolean }>()
  let bytes = 0
  const remove = (practitionerId: number) => {
    bytes -= kept.get(practitionerId)?.bytes ?? 0
    kept.delete(practitionerId)
  }
  return {
    get(practitionerId, version) {
      const entry = kept.get(practitionerId)
      if (!entry) return undefined
      if (entry.card.version !== version) {
        remove(practitionerId)
        return undefined
      }
      entry.isRead = true
      return entry.card
    },
    set(practitionerId, card) {
      remove(practitionerId)
      const added = { card, bytes: bytesOf(card), isRead: false }
      kept.set(practitionerId, added)
      bytes += added.bytes
      for (const [oldest, entry] of kept) {
        if (bytes <= maxBytes) break
        if (!entry.isRead) remove(oldest)
        else {
          entry.isRead = false
          kept.delete(oldest)
          kept.set(oldest, entry)
        }
      }
    },
    bytes: () => bytes,
  }
}

/** Some 5 kB each, with what pages make of them. */
const maxObjects = 2000

/** Cards as values, for pages: the same card is the same object for as long as it is kept, and not to be changed. */
export function createCardObjects() {
  const kept = new Map<Buffer, FoundPractitioner>()
  return {
    of(
      { common, nextStarts }: CardText,
      type: AppointmentType | undefined,
      distance: Partial<FoundPractitioner> | undefined,
    ): FoundPractitioner {
      const starts = nextStarts[type ?? 'either']
      const known = kept.get(starts)
      const card =
        known ?? (JSON.parse(Buffer.concat([common, starts]).toString('utf8', 1)) as FoundPractitioner)
      kept.delete(starts)
      kept.set(starts, card)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxObjects) break
        kept.delete(oldest)
      }
      return distance ? { ...card, ...distance } : card
    },
  }
}
