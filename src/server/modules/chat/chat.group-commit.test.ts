import { setImmediate as immediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGroupCommit, type Outcome } from './chat.group-commit.ts'

type Entry = { lane: string; number: number }
type Limits = { maxGroup?: number; maxUnsettled?: number; maxLocked?: number; maxLanes?: number }

/** A queue whose groups end when the test says so. `outcomeOf` decides what becomes of an entry, settled without it. */
function setUp(limits: Limits = {}, outcomeOf: (entry: Entry) => Outcome = () => 'settled') {
  const groups: { entries: readonly Entry[]; end(): void }[] = []
  const alone: { entry: Entry; end(): void }[] = []
  const delivered: Entry[] = []
  const queue = createGroupCommit<Entry>({
    ...limits,
    laneOf: ({ lane }) => lane,
    writeGroup: (entries) =>
      new Promise((resolve) => {
        groups.push({
          entries,
          end() {
            const outcomes = entries.map(outcomeOf)
            const settled = entries.filter((_, index) => outcomes[index] === 'settled')
            resolve({ outcomes, deliver: () => void delivered.push(...settled) })
          },
        })
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
  const endGroup = async () => {
    groups.at(-1)?.end()
    await immediate()
    await immediate()
  }
  const numbers = (entries: readonly Entry[] = []) => entries.map((entry) => entry.number)
  return {
    add,
    alone,
    endGroup,
    groups,
    lastGroup: () => numbers(groups.at(-1)?.entries),
    delivered: () => numbers(delivered),
  }
}

describe('a group commit', () => {
  test('writes an entry at once if no group is being written', () => {
    const { add, groups } = setUp()
    add('a')
    expect(groups).toHaveLength(1)
  })

  test('writes what came meanwhile as the next group, in order and up to its size', async () => {
    const { add, groups, lastGroup, endGroup, delivered } = setUp({ maxGroup: 3 })
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

  test('has the next group under way before it delivers the one before', async () => {
    const { add, groups, delivered } = setUp()
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
    const { add, alone, lastGroup, endGroup, delivered } = setUp({ maxLocked: 2 }, ({ lane }) =>
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
    const { add, alone, endGroup, delivered } = setUp({ maxLanes: 2 }, ({ number }) =>
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
    const { add, endGroup, delivered } = setUp({ maxUnsettled: 3 })
    expect(['a', 'b', 'c', 'd', 'e'].map(add)).toEqual([true, true, true, false, false])
    await endGroup()
    expect([add('f'), add('g')]).toEqual([true, false])
    await endGroup()
    await endGroup()
    expect(delivered()).toEqual([1, 2, 3, 6])
  })

  test('settles each entry once, in the order of its lane, also if groups are locked or fail', async () => {
    const outcome = fc.constantFrom<Outcome>('settled', 'settled', 'locked', 'alone')
    const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant('group' as const), fc.nat(3))
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.infiniteStream(outcome),
        async (steps, stream) => {
          // All entries of a lane are in one state at a time, as those of a dialog are.
          let states = new Map<string, Outcome>()
          const { add, alone, groups, endGroup, delivered } = setUp(
            { maxGroup: 4, maxLanes: 2 },
            ({ lane }) => {
              const state = states.get(lane) ?? (stream.next().value as Outcome)
              states.set(lane, state)
              return state
            },
          )
          const added: Entry[] = []
          let ended = 0
          const endNext = async () => {
            states = new Map()
            if (groups.length > ended) {
              ended = groups.length
              await endGroup()
            }
          }
          for (const each of steps) {
            if (each === 'group') await endNext()
            else if (typeof each === 'number') alone[each]?.end()
            else if (add(each)) added.push({ lane: each, number: added.length + 1 })
          }
          for (let rounds = 0; delivered().length < added.length && rounds < 500; rounds++) {
            await endNext()
            for (const { end } of alone.splice(0)) end()
            await immediate()
          }
          const laneOf = (number: number) => added[number - 1]?.lane
          expect(delivered().toSorted((a, b) => a - b)).toEqual(added.map(({ number }) => number))
          for (const lane of ['a', 'b', 'c']) {
            const ofLane = delivered().filter((number) => laneOf(number) === lane)
            expect(ofLane).toEqual(ofLane.toSorted((a, b) => a - b))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
