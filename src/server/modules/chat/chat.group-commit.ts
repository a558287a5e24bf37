/**
 * What became of an entry of a group: it is settled (written, or refused for good), its lane was locked by another
 * transaction, or it has to be written by itself.
 */
export type Outcome = 'settled' | 'locked' | 'alone'

/** A group that was written. `deliver` passes the settled entries on; it may not throw. */
export type WrittenGroup = { outcomes: readonly Outcome[]; deliver(): void }

type Options<E> = {
  /** Entries of one lane are written in the order in which they were added. */
  laneOf(entry: E): string
  /** Writes entries with one commit, without waiting for a lock. May not reject. */
  writeGroup(entries: readonly E[]): Promise<WrittenGroup>
  /** Writes and delivers one entry by itself, and waits for locks. May not reject. */
  writeAlone(entry: E): Promise<void>
  /** How many entries a group has at most. */
  maxGroup?: number
  /** How many groups are being written at a time, none of them with a lane of another one. */
  maxGroups?: number
  /** A further group begins while those under way have at most so many entries together, and the one that ended last. */
  maxBeside?: number
  /** How many entries may be unsettled at a time. */
  maxUnsettled?: number
  /** In how many groups a lane may be locked before its next entry is written alone. */
  maxLocked?: number
  /** How many lanes write an entry alone at a time. */
  maxLanes?: number
}

type Waiting<E> = { entry: E; lane: string; timesLocked: number; isAlone: boolean }

/**
 * Writes entries in groups. While little is being written, an entry of another lane begins a group of its own at once,
 * beside the others. Otherwise entries wait for a group to end, and are written together afterwards.
 */
export function createGroupCommit<E>({
  laneOf,
  writeGroup,
  writeAlone,
  maxGroup = 256,
  maxGroups = 4,
  maxBeside = 8,
  maxUnsettled = 4096,
  maxLocked = 3,
  maxLanes = 4,
}: Options<E>) {
  let waiting: Waiting<E>[] = []
  /** Lanes that write an entry alone, with all of their entries that wait. */
  const held = new Map<string, Waiting<E>[]>()
  /** Held lanes whose turn has not come. */
  const lanesInLine: string[] = []
  let lanesUnderWay = 0
  let unsettled = 0
  let groupsUnderWay = 0
  let entriesUnderWay = 0
  /** Entries of the group that ended last. */
  let entriesBefore = 0
  /** Lanes of the groups that are being written. */
  const lanesInGroups = new Set<string>()
  /** Deliveries of written groups, the oldest first. */
  const deliveries: (() => void)[] = []

  const enqueue = (each: Waiting<E>): void => void (held.get(each.lane) ?? waiting).push(each)

  function writeGroups(): void {
    while (mayBegin()) {
      const group = takeGroup()
      if (group.length === 0) return
      void write(group)
    }
  }

  /** One group at a time takes the fewest commits: several are for when messages come one by one. */
  function mayBegin(): boolean {
    if (groupsUnderWay === 0) return true
    return groupsUnderWay < maxGroups && Math.max(entriesUnderWay, entriesBefore) <= maxBeside
  }

  /** Takes the entries of the next group from those that wait. */
  function takeGroup(): Waiting<E>[] {
    if (lanesInGroups.size === 0) return waiting.splice(0, maxGroup)
    const group: Waiting<E>[] = []
    const rest: Waiting<E>[] = []
    for (const each of waiting) {
      const mayGo = group.length < maxGroup && !lanesInGroups.has(each.lane)
      ;(mayGo ? group : rest).push(each)
    }
    waiting = rest
    return group
  }

  async function write(group: readonly Waiting<E>[]): Promise<void> {
    groupsUnderWay += 1
    entriesUnderWay += group.length
    for (const { lane } of group) lanesInGroups.add(lane)
    const { outcomes, deliver } = await writeGroup(group.map(({ entry }) => entry))
    groupsUnderWay -= 1
    entriesUnderWay -= group.length
    entriesBefore = group.length
    for (const { lane } of group) lanesInGroups.delete(lane)
    deliveries.push(deliver)
    sortOut(group, outcomes)
    // The next group is on its way to the database before this one is delivered.
    if (waiting.length > 0) setImmediate(deliverAll)
    else deliverAll()
    writeGroups()
  }

  function deliverAll(): void {
    for (const deliver of deliveries.splice(0)) deliver()
  }

  function sortOut(group: readonly Waiting<E>[], outcomes: readonly Outcome[]): void {
    const again: Waiting<E>[] = []
    for (const [index, each] of group.entries()) {
      const outcome = outcomes[index] ?? 'alone'
      if (outcome === 'settled') {
        unsettled -= 1
        continue
      }
      each.isAlone = outcome === 'alone' || ++each.timesLocked >= maxLocked
      const behind = held.get(each.lane)
      if (behind) behind.push(each)
      else if (each.isAlone) hold(each)
      else again.push(each)
    }
    if (again.length === 0 && held.size === 0) return
    const later = waiting
    waiting = again
    for (const each of later) enqueue(each)
    writeLanes()
  }

  function hold(first: Waiting<E>): void {
    held.set(first.lane, [first])
    lanesInLine.push(first.lane)
  }

  function writeLanes(): void {
    while (lanesUnderWay < maxLanes) {
      const lane = lanesInLine.shift()
      if (lane === undefined) return
      lanesUnderWay += 1
      void writeLane(lane)
    }
  }

  /** Writes entries of a lane alone until one may go with a group, and releases the lane. */
  async function writeLane(lane: string): Promise<void> {
    const entries = held.get(lane) ?? []
    let next = entries[0]
    while (next?.isAlone) {
      await writeAlone(next.entry)
      unsettled -= 1
      entries.shift()
      next = entries[0]
    }
    held.delete(lane)
    for (const each of entries) waiting.push(each)
    lanesUnderWay -= 1
    writeLanes()
    writeGroups()
  }

  return {
    /** Adds an entry. Returns false, and does not add it, if too many are unsettled. */
    add(entry: E): boolean {
      if (unsettled >= maxUnsettled) return false
      unsettled += 1
      const lane = laneOf(entry)
      enqueue({ entry, lane, timesLocked: 0, isAlone: false })
      // Otherwise it waits for its lane, and all that waits need not be looked through.
      if (!lanesInGroups.has(lane) && !held.has(lane)) writeGroups()
      return true
    },
  }
}
