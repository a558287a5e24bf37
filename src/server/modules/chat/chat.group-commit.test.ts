import { setImmediate as immediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGroupCommit, type Outcome } from './chat.group-commit.ts'

type Entry = { lane: string; number: number }
type Limits = {
  maxGroup?: number
  maxGroups?: number
  maxBeside?: number
  maxUnsettled?: number
  maxLocked?: number
  maxLanes?: number
}
type Group = { entries: readonly Entry[]; end(): void }

/** A queue whose groups end when the test says so. `outcomeOf` decides what becomes of an entry, settled without it. */
function setUp(limits: Limits = {}, outcomeOf: (entry: Entry) => Outcome = () => 'settled') {
  const groups: Group[] = []
  /** Those that have not ended. */
  const underWay: Group[] = []
  const alone: { entry: Entry; end(): void }[] = []
  const delivered: Entry[] = []
  const queue = createGroupCommit<Entry>({
    ...limits,
    laneOf: ({ lane }) => lane,
    writeGroup: (entries) =>
      new Promise((resolve) => {
        const group = {
          entries,
          end() {
            underWay.splice(underWay.indexOf(group), 1)
            const outcomes = entries.map(outcomeOf)
            const settled = entries.filter((_, index) => outcomes[index] === 'settled')
            resolve({ outcomes, deliver: () => void delivered.push(...settled) })
          },
        }
        groups.push(group)
        underWay.push(group)
      }),
    writeAlone: (entry) =>
      new Promise((resolve) => {
        let isEnded = false
        alone.push({
          entry,
          end() {
            if (!isEnded) delivered.push(entry)
            isEnded = true
            resolve()
          },
        })
      }),
  })
  let number = 0
  const add = (lane: string) => queue.add({ lane, number: ++number })
  const endGroup = async (place = 0) => {
    underWay[place]?.end()
    await immediate()
    await immediate()
  }
  const numbers = (entries: readonly Entry[] = []) => entries.map((entry) => entry.number)
  return {
    add,
    alone,
    endGroup,
    groups,
    underWay: () => underWay.map(({ entries }) => numbers(entries)),
    lanesUnderWay: () => underWay.map(({ entries }) => new Set(entries.map(({ lane }) => lane))),
    lastGroup: () => numbers(groups.at(-1)?.entries),
    delivered: () => numbers(delivered),
  }
}

const oneByOne = { maxGroups: 1 }

describe('a group commit', () => {
  test('writes an entry at once if no group is being written', () => {
    const { add, groups } = setUp()
    add('a')
    expect(groups).toHaveLength(1)
  })

  test('writes what came meanwhile as the next group, in order and up to its size', async () => {
    const { add, groups, lastGroup, endGroup, delivered } = setUp({ ...oneByOne, maxGroup: 3 })
    for (const lane of ['a', 'b', 'a', 'c', 'b']) add(lane)
    expect(lastGroup()).toEqual([1])
    await endGroup()
    expect(lastGroup()).toEqual([2, 3, 4])
    expect(delivered()).toEqual([1])
    await endGroup()
    expect(lastGroup()).toEqual([5])
    await endGroup()
    expect(delivered()).toEqual([1, 2, 3, 4, 5])
    expect(groups).toHaveLength(3)
  })

  test('writes an entry of another lane beside the first one, up to so many groups', async () => {
    const { add, underWay, endGroup, delivered } = setUp({ maxGroups: 3 })
    for (const lane of ['a', 'b', 'a', 'c', 'd', 'd']) add(lane)
    expect(underWay()).toEqual([[1], [2], [4]])
    await endGroup(1)
    expect(underWay()).toEqual([[1], [4], [5, 6]])
    expect(delivered()).toEqual([2])
    // What waited for its lane goes once the lane is free.
    await endGroup(0)
    expect(underWay()).toEqual([[4], [5, 6], [3]])
    await endGroup(2)
    expect(delivered()).toEqual([2, 1, 3])
  })

  test('begins no group beside a large one, nor until a small one has followed it', async () => {
    const { add, underWay, endGroup } = setUp({ maxGroups: 4, maxBeside: 2 })
    for (const lane of ['a', 'b', 'c', 'd', 'e', 'f']) add(lane)
    // The fourth one finds three entries under way.
    expect(underWay()).toEqual([[1], [2], [3]])
    await endGroup(0)
    expect(underWay()).toEqual([[2], [3], [4, 5, 6]])
    add('g')
    await endGroup(0)
    await endGroup(0)
    expect(underWay()).toEqual([[4, 5, 6]])
    await endGroup(0)
    expect(underWay()).toEqual([[7]])
    add('h')
    expect(underWay()).toEqual([[7]])
    await endGroup(0)
    add('i')
    expect(underWay()).toEqual([[8], [9]])
  })

  test('has the next group under way before it delivers the one before', async () => {
    const { add, groups, delivered } = setUp(oneByOne)
    add('a')
    add('b')
    groups[0]?.end()
    for (let turns = 0; groups.length < 2 && turns < 100; turns++) await Promise.resolve()
    expect(delivered()).toEqual([])
    await immediate()
    expect(delivered()).toEqual([1])
  })

  test('puts a locked lane first into the next group, then writes its next entry alone', async () => {
    let isLocked = true
    const { add, alone, lastGroup, endGroup, delivered } = setUp({ ...oneByOne, maxLocked: 2 }, ({ lane }) =>
      lane === 'a' && isLocked ? 'locked' : 'settled',
    )
    add('a')
    for (const lane of ['b', 'a']) add(lane)
    await endGroup()
    expect(lastGroup()).toEqual([1, 2, 3])
    await endGroup()
    // The first one has been locked out twice; the other one of its lane waits behind it.
    expect(alone.map(({ entry }) => entry.number)).toEqual([1])
    add('a')
    add('b')
    expect(lastGroup()).toEqual([5])
    isLocked = false
    alone[0]?.end()
    await endGroup()
    expect(lastGroup()).toEqual([3, 4])
    await endGroup()
    expect(delivered()).toEqual([2, 1, 5, 3, 4])
  })

  test('writes the entries of a failed group alone, lane by lane, and few lanes at a time', async () => {
    const { add, alone, endGroup, delivered } = setUp({ ...oneByOne, maxLanes: 2 }, ({ number }) =>
      number > 1 ? 'alone' : 'settled',
    )
    for (const lane of ['a', 'b', 'b', 'c', 'd']) add(lane)
    await endGroup()
    await endGroup()
    const written = () => alone.map(({ entry }) => entry.number)
    expect(written()).toEqual([2, 4])
    alone[0]?.end()
    await immediate()
    expect(written()).toEqual([2, 4, 3])
    alone[1]?.end()
    await immediate()
    expect(written()).toEqual([2, 4, 3, 5])
    for (const { end } of alone.slice(2)) end()
    await immediate()
    expect(delivered()).toEqual([1, 2, 4, 3, 5])
  })

  test('takes no entry over its bound until others are settled', async () => {
    const { add, endGroup, delivered } = setUp({ ...oneByOne, maxUnsettled: 3 })
    expect(['a', 'b', 'c', 'd', 'e'].map(add)).toEqual([true, true, true, false, false])
    await endGroup()
    expect([add('f'), add('g')]).toEqual([true, false])
    await endGroup()
    await endGroup()
    expect(delivered()).toEqual([1, 2, 3, 6])
  })

  test('settles each entry once, in the order of its lane, also if groups are locked or fail', async () => {
    const lanes = ['a', 'b', 'c', 'd']
    const outcome = fc.constantFrom<Outcome>('settled', 'settled', 'locked', 'alone')
    const step = fc.oneof(
      fc.constantFrom(...lanes),
      fc.record({ endGroup: fc.nat(2) }),
      fc.record({ endAlone: fc.nat(3) }),
    )
    const limits = fc.record({
      maxGroups: fc.integer({ min: 1, max: 3 }),
      maxBeside: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.infiniteStream(outcome),
        limits,
        async (steps, stream, { maxGroups, maxBeside }) => {
          // All entries of a lane are in one state at a time, as those of a dialog are.
          let states = new Map<string, Outcome>()
          const { add, alone, lanesUnderWay, endGroup, delivered } = setUp(
            { maxGroup: 4, maxLanes: 2, maxGroups, maxBeside },
            ({ lane }) => {
              const state = states.get(lane) ?? (stream.next().value as Outcome)
              states.set(lane, state)
              return state
            },
          )
          const added: Entry[] = []
          const end = async (place: number) => {
            states = new Map()
            await endGroup(place)
          }
          for (const each of steps) {
            if (typeof each === 'string') {
              if (add(each)) added.push({ lane: each, number: added.length + 1 })
            } else if ('endGroup' in each) await end(each.endGroup)
            else alone[each.endAlone]?.end()
            const written = lanesUnderWay()
            expect(written.length).toBeLessThanOrEqual(maxGroups)
            const together = written.flatMap((group) => [...group])
            expect(together).toHaveLength(new Set(together).size)
          }
          for (let rounds = 0; delivered().length < added.length && rounds < 500; rounds++) {
            await end(0)
            for (const { end } of alone.splice(0)) end()
            await immediate()
          }
          const laneOf = (number: number) => added[number - 1]?.lane
          expect(delivered().toSorted((a, b) => a - b)).toEqual(added.map(({ number }) => number))
          for (const lane of lanes) {
            const ofLane = delivered().filter((number) => laneOf(number) === lane)
            expect(ofLane).toEqual(ofLane.toSorted((a, b) => a - b))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
