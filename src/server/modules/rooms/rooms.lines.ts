import type { LiveEvent } from '#contract/chat/live.ts'
import { seconds } from '../../clock.ts'
import type { Line } from './rooms.rules.ts'

type News = {
  onNotice(hear: (event: LiveEvent) => void): void
  hearsOthers(): boolean
}

/** Of an event that is lost on its way from another instance, a line outlives its room by this. */
const keptFor = seconds(1)
/** What took longer to read is not kept. */
const longestReading = seconds(5)

/**
 * The lines of rooms whose client was let in, so that most of the forty signals of a call need no statement. A line is
 * dropped with every change of its room: of this instance before the call that changes it is answered, of others as their
 * event arrives. While those do not arrive, none is kept. Times are those of `performance.now()`.
 */
export function createLines({ onNotice, hearsOthers }: News) {
  /** The oldest first. */
  const kept = new Map<string, { line: Line; until: number }>()
  /** When rooms have changed last, the oldest first. */
  const changes = new Map<string, number>()

  onNotice((event) => {
    if (event.type !== 'room.changed') return
    const now = performance.now()
    kept.delete(event.appointment_id)
    changes.delete(event.appointment_id)
    changes.set(event.appointment_id, now)
    for (const [id, at] of changes) {
      if (at > now - longestReading) break
      changes.delete(id)
    }
  })

  /** Whether no change of a room has arrived since its reading began. */
  const isUnchanged = (id: string, readFrom: number): boolean =>
    performance.now() - readFrom < longestReading && (changes.get(id) ?? -1) < readFrom

  return {
    /** The line of a session's room, as it was at most a second ago. */
    get(id: string): Line | undefined {
      const found = kept.get(id)
      return found && found.until > performance.now() && hearsOthers() ? found.line : undefined
    },

    isUnchanged,

    /** Keeps a line, unless its room may have changed since its reading began. */
    keep(id: string, line: Line, readFrom: number): void {
      if (!line.isAdmitted || !line.isOpen || !hearsOthers() || !isUnchanged(id, readFrom)) return
      const now = performance.now()
      kept.delete(id)
      kept.set(id, { line, until: now + keptFor })
      for (const [oldest, { until }] of kept) {
        if (until > now) break
        kept.delete(oldest)
      }
    },
  }
}
