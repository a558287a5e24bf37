/** A moment of this process's clock in milliseconds, and where the primary's journal was by then at least. */
type Mark = { at: number; position: number }

const marksKept = 240

/**
 * How old the data of a replica are, by positions in the journal alone: the clocks of the two servers need not agree, and
 * a primary without writes does not make its replica look behind.
 */
export function createReplicaAge() {
  let marks: Mark[] = []
  let asOf = Number.NEGATIVE_INFINITY

  return {
    /** Notes the primary's position, asked for at `at`: every commit before that stands below it. */
    notePrimary(mark: Mark): void {
      const newest = marks.at(-1)
      // Another server has become the primary, and its journal does not have the end of the former one's.
      if (newest && mark.position < newest.position) {
        marks = []
        asOf = Number.NEGATIVE_INFINITY
      }
      marks.push(mark)
      if (marks.length > marksKept) marks.shift()
    },

    /** Notes up to where the replica has replayed the journal. */
    noteReplica(position: number): void {
      for (const mark of marks) if (mark.position <= position) asOf = Math.max(asOf, mark.at)
      marks = marks.filter(({ position: wanted }, index) => wanted > position || index === marks.length - 1)
    },

    /** Forgets what was known of a replica that failed. */
    forget(): void {
      asOf = Number.NEGATIVE_INFINITY
    },

    /** Milliseconds; infinite while nothing is known. */
    age: (now: number) => now - asOf,
  }
}
