import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  disputeCharge,
  disputeEntries,
  disputeLife,
  followDispute,
  type OwnDispute,
  incidentDecisions,
  type OwnRefund,
  refundLife,
  refundSteps,
} from './reconciliation.rules.ts'

const payment = { amountPence: 6000, discountPence: 1200 }
const own = (facts: Partial<OwnRefund>): OwnRefund => ({
  id: 'own',
  amountPence: 6000,
  discountPence: 1200,
  state: 'requested',
  gatewayRef: null,
  ...facts,
})
const made = (ref: string, amountPence: number, key: string | null = null) => ({
  ref,
  key,
  amountPence,
  state: 'succeeded' as const,
})

describe('refunds that the gateway lists', () => {
  test('a refund made there is booked, with the discount when it is the last of the payment', () => {
    expect(refundSteps(payment, [], [made('re_1', 2000)])).toEqual([
      { step: 'book', ref: 're_1', amountPence: 2000, discountPence: 0 },
    ])
    expect(refundSteps(payment, [], [made('re_1', 2000), made('re_2', 4000)])).toMatchObject([
      { ref: 're_1', discountPence: 0 },
      { ref: 're_2', discountPence: 1200 },
    ])
  })

  test('a refund made there that returns the rest after a lost dispute is booked with the discount if the dispute is charged', () => {
    for (const { isCharged, discountPence } of [
      { isCharged: true, discountPence: 1200 },
      { isCharged: false, discountPence: 0 },
    ]) {
      const lost = { pence: 4000, isCharged }
      expect(refundSteps(payment, [], [made('re_1', 2000)], lost)).toMatchObject([{ discountPence }])
      expect(refundSteps(payment, [], [made('re_1', 1999)], lost)).toMatchObject([{ discountPence: 0 }])
    }
  })

  test('a requested refund is reduced to the rest of the payment, and withdrawn when nothing is left', () => {
    const promised = own({})
    expect(refundSteps(payment, [promised], [made('re_1', 2000)])).toMatchObject([
      { step: 'reduce', amountPence: 4000 },
      { step: 'book', ref: 're_1', discountPence: 0 },
    ])
    expect(refundSteps(payment, [promised], [made('re_1', 6000)])).toMatchObject([
      { step: 'withdraw' },
      { step: 'book', ref: 're_1', discountPence: 1200 },
    ])
    expect(refundSteps(payment, [promised], [], { pence: 6000, isCharged: false })).toMatchObject([
      { step: 'withdraw' },
    ])
  })

  test("the product's own refund is not booked again, whether its answer has arrived or not", () => {
    expect(refundSteps(payment, [own({})], [made('re_1', 6000, 'own')])).toEqual([])
    const done = own({ state: 'succeeded', gatewayRef: 're_1' })
    expect(refundSteps(payment, [done], [made('re_1', 6000, 'own')])).toEqual([])
    // This reading is older than the ledger.
    expect(refundSteps(payment, [done], [])).toEqual([])
  })

  test('a refund that the bank sends back has failed, once', () => {
    const done = own({ state: 'succeeded', gatewayRef: 're_1' })
    const failed = { ...made('re_1', 6000, 'own'), state: 'failed' as const }
    expect(refundSteps(payment, [done], [failed])).toMatchObject([{ step: 'fail', ref: 're_1' }])
    expect(refundSteps(payment, [{ ...done, state: 'failed' }], [failed])).toEqual([])
  })

  test('the discount goes back with the last of the payment, also where a failed refund was paid in another way', () => {
    const failed = (pence: number) => ({ ...made('re_1', pence, 'own'), state: 'failed' as const })
    const all = own({ state: 'paid_otherwise', gatewayRef: 're_1' })
    expect(refundSteps(payment, [all], [failed(6000), made('re_2', 6000)])).toEqual([
      { step: 'book', ref: 're_2', amountPence: 6000, discountPence: 0 },
    ])
    const part = own({ amountPence: 2000, discountPence: 0, state: 'paid_otherwise', gatewayRef: 're_1' })
    expect(refundSteps(payment, [part], [failed(2000), made('re_2', 4000)])).toEqual([
      { step: 'book', ref: 're_2', amountPence: 4000, discountPence: 1200 },
    ])
  })

  test('a refund that left before it was lowered or withdrawn here is booked as it left', () => {
    for (const before of [own({ amountPence: 2000 }), own({ state: 'withdrawn' })]) {
      expect(refundSteps(payment, [before], [made('re_1', 6000, 'own')])).toMatchObject([
        { step: 'sent', refund: before, ref: 're_1', amountPence: 6000 },
      ])
    }
  })

  const part = (id: string, amountPence: number, state: OwnRefund['state']) =>
    own({ id, amountPence, discountPence: 0, state, gatewayRef: state === 'succeeded' ? `re_${id}` : null })
  const sentBack = (id: string, amountPence: number) => ({
    ...made(`re_${id}`, amountPence, id),
    state: 'failed' as const,
  })

  test.each([
    ['has left', [part('a', 2000, 'succeeded')], [made('re_a', 2000, 'a')], 4000],
    [
      'has left, and another failed',
      [part('a', 2000, 'succeeded'), part('b', 4000, 'succeeded')],
      [made('re_a', 2000, 'a'), sentBack('b', 4000)],
      4000,
    ],
    ['is still asked for', [part('a', 2000, 'requested')], [], 4000],
    ['is reduced to the rest', [part('a', 3000, 'requested')], [], 4000],
    ['has just arrived', [part('a', 2000, 'requested')], [made('re_a', 2000, 'a')], 4000],
    ['left with another sum', [part('a', 3000, 'requested')], [made('re_a', 2000, 'a')], 4000],
    ['failed before it was answered', [part('a', 6000, 'requested')], [sentBack('a', 6000)], 6000],
  ] as const)(
    'the discount goes back with the last of the payment where another refund %s',
    (_, books, found, pence) => {
      const steps = refundSteps(payment, books, [...found, made('re_new', pence)])
      expect(steps.at(-1)).toEqual({ step: 'book', ref: 're_new', amountPence: pence, discountPence: 1200 })
      expect(steps.filter(({ step }) => step === 'withdraw')).toEqual([])
    },
  )

  test('of several requested refunds the newest gives way first, also to one that an older reading lacks', () => {
    const [first, second] = [part('first', 3000, 'requested'), part('second', 3000, 'requested')]
    expect(refundSteps(payment, [first, second], [made('re_1', 4000)])).toMatchObject([
      { step: 'withdraw', refund: second },
      { step: 'reduce', refund: first, amountPence: 2000 },
      { step: 'book' },
    ])
    const left = part('left', 2000, 'succeeded')
    expect(refundSteps(payment, [left, first], [made('re_1', 1001)])).toMatchObject([
      { step: 'reduce', refund: first, amountPence: 2999 },
      { step: 'book' },
    ])
  })

  test('for any list of refunds at the gateway, live refunds never exceed the payment, and a repeated reading changes nothing', () => {
    const part = fc.record({ pence: fc.integer({ min: 1, max: 6000 }), fails: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 6000 }), { maxLength: 3 }),
        fc.integer({ min: 0, max: 6000 }),
        fc.boolean(),
        (parts, promises, lostPence, isCharged) => {
          const lost = { pence: lostPence, isCharged }
          let [room, promised] = [payment.amountPence - lostPence, payment.amountPence]
          const found = parts.flatMap(({ pence, fails }, index) => {
            const amountPence = Math.min(pence, room)
            if (amountPence <= 0) return []
            if (!fails) room -= amountPence
            return [
              {
                ...made(`re_${index}`, amountPence),
                state: fails ? ('failed' as const) : ('succeeded' as const),
              },
            ]
          })
          let books = promises.flatMap((pence, index) => {
            const amountPence = Math.min(pence, promised)
            promised -= amountPence
            return amountPence > 0 ? [own({ id: `own ${index}`, amountPence, discountPence: 0 })] : []
          })
          for (const step of refundSteps(payment, books, found, lost)) books = applied(books, step)
          const live = books.filter(({ state }) => state === 'requested' || state === 'succeeded')
          const sum = (pick: (refund: OwnRefund) => number) =>
            live.reduce((total, each) => total + pick(each), 0)
          expect(sum((each) => each.amountPence)).toBeLessThanOrEqual(payment.amountPence - lostPence)
          expect(sum((each) => each.discountPence)).toBeLessThanOrEqual(payment.discountPence)
          const atGateway = found.filter(({ state }) => state === 'succeeded')
          expect(
            books
              .filter(({ state }) => state === 'succeeded')
              .reduce((total, each) => total + each.amountPence, 0),
          ).toBe(atGateway.reduce((total, each) => total + each.amountPence, 0))
          expect(refundSteps(payment, books, found, lost)).toEqual([])
        },
      ),
    )
  })
})

function applied(books: OwnRefund[], step: ReturnType<typeof refundSteps>[number]): OwnRefund[] {
  if (step.step === 'book') {
    const { ref, amountPence, discountPence } = step
    return [...books, own({ id: ref, amountPence, discountPence, state: 'succeeded', gatewayRef: ref })]
  }
  return books.map((refund) => {
    if (refund.id !== step.refund.id) return refund
    if (step.step === 'reduce') return { ...refund, amountPence: step.amountPence }
    const to = step.step === 'fail' ? 'failed' : 'withdrawn'
    expect(refundLife[refund.state]).toContain(to)
    return { ...refund, state: to }
  })
}

describe('a dispute', () => {
  const found = fc.constantFrom(
    { state: 'open' as const, withdrawnPence: 0, feePence: 0 },
    { state: 'open' as const, withdrawnPence: 6000, feePence: 2000 },
    { state: 'open' as const, withdrawnPence: 6000, feePence: 4000 },
    { state: 'won' as const, withdrawnPence: 6000, feePence: 4000 },
    { state: 'won' as const, withdrawnPence: 0, feePence: 2000 },
    { state: 'lost' as const, withdrawnPence: 6000, feePence: 4000 },
  )

  test('read in any order and however often goes along its life, books each movement once and balances', () => {
    fc.assert(
      fc.property(fc.array(found, { maxLength: 8 }), (reads) => {
        let now: OwnDispute = {
          state: 'open',
          withdrawnPence: 0,
          isReinstated: false,
          feePence: 0,
          isFeeReturned: false,
        }
        const booked: string[] = []
        let feesBooked = 0
        let feesReturned = 0
        for (const read of reads) {
          const { after, movements, feeChangePence } = followDispute(now, read)
          feesBooked += feeChangePence
          if (feeChangePence < 0) feesReturned++
          expect(feesBooked).toBe(after.feePence)
          expect(feesReturned).toBeLessThanOrEqual(1)
          if (feeChangePence < 0) expect(after.state).toBe('won')
          if (after.state !== now.state) expect(disputeLife[now.state]).toContain(after.state)
          for (const movement of movements) {
            expect(booked).not.toContain(movement)
            booked.push(movement)
            const sum = disputeEntries(movement, after.withdrawnPence).reduce(
              (total, each) => total + each.amount_pence,
              0,
            )
            expect(sum).toBe(0)
          }
          now = after
        }
        if (booked.includes('dispute_reinstated')) expect(booked).toContain('dispute_withdrawn')
        expect(booked.includes('dispute_reinstated') && booked.includes('dispute_lost')).toBe(false)
      }),
    )
  })

  test('once lost stays lost: later changes at the gateway need an admin', () => {
    const lost = {
      state: 'lost' as const,
      withdrawnPence: 6000,
      isReinstated: false,
      feePence: 2000,
      isFeeReturned: false,
    }
    expect(followDispute(lost, { state: 'won', withdrawnPence: 0, feePence: 0 })).toEqual({
      after: lost,
      movements: [],
      feeChangePence: 0,
      isContradicted: true,
    })
  })

  test('that is read again or ends otherwise is no contradiction', () => {
    const open = {
      state: 'open' as const,
      withdrawnPence: 6000,
      isReinstated: false,
      feePence: 2000,
      isFeeReturned: false,
    }
    const read = { withdrawnPence: 6000, feePence: 2000 }
    for (const [here, there] of [
      ['open', 'won'],
      ['open', 'lost'],
      ['lost', 'lost'],
      ['lost', 'open'],
      ['won', 'lost'],
    ] as const)
      expect(followDispute({ ...open, state: here }, { ...read, state: there }).isContradicted).toBe(false)
  })

  test('takes its sum in the ledger where it is read first, also after the end, unless that was won', () => {
    const unread = {
      state: 'open' as const,
      withdrawnPence: 0,
      isReinstated: false,
      feePence: 0,
      isFeeReturned: false,
    }
    const read = { withdrawnPence: 1, feePence: 0 }
    const movements = (own: OwnDispute, state: 'open' | 'won' | 'lost', withdrawnPence = 1) =>
      followDispute(own, { ...read, state, withdrawnPence }).movements
    expect(movements(unread, 'open')).toEqual(['dispute_withdrawn'])
    expect(movements(unread, 'won')).toEqual([])
    expect(movements(unread, 'lost')).toEqual(['dispute_withdrawn', 'dispute_lost'])
    expect(movements({ ...unread, state: 'lost' }, 'lost')).toEqual(['dispute_withdrawn', 'dispute_lost'])
    expect(movements({ ...unread, state: 'lost' }, 'lost', 0)).toEqual([])
    const withdrawn = { ...unread, withdrawnPence: 1 }
    expect(movements(withdrawn, 'lost')).toEqual(['dispute_lost'])
    expect(movements({ ...withdrawn, state: 'lost' }, 'lost')).toEqual([])
    expect(movements(withdrawn, 'won')).toEqual([])
    expect(movements(withdrawn, 'won', 0)).toEqual(['dispute_reinstated'])
    expect(movements({ ...withdrawn, state: 'won', isReinstated: true }, 'won', 0)).toEqual([])
  })

  test('has its fee returned once, by a reading after it was won', () => {
    const own = {
      state: 'open' as const,
      withdrawnPence: 0,
      isReinstated: false,
      feePence: 4000,
      isFeeReturned: false,
    }
    const change = (from: Partial<OwnDispute>, state: 'open' | 'won' | 'lost', feePence: number) =>
      followDispute({ ...own, ...from }, { state, withdrawnPence: 0, feePence }).feeChangePence
    expect(change({}, 'open', 6000)).toBe(2000)
    expect(change({}, 'open', 2000)).toBe(0)
    expect(change({ state: 'won' }, 'open', 2000)).toBe(0)
    expect(change({}, 'lost', 2000)).toBe(0)
    expect(change({}, 'won', 2000)).toBe(-2000)
    expect(change({ state: 'won', isFeeReturned: true }, 'won', 2000)).toBe(0)
    expect(change({ state: 'won', isFeeReturned: true }, 'won', 6000)).toBe(0)
    const isReturned = (feePence: number) =>
      followDispute(own, { state: 'won', withdrawnPence: 0, feePence }).after.isFeeReturned
    expect([4000, 2000].map(isReturned)).toEqual([false, true])
  })

  test('can be decided by an admin once it is lost, and not while it is open', () => {
    const ask = (dispute: Parameters<typeof incidentDecisions>[0]['dispute'], isKnown = true) =>
      incidentDecisions({ kind: 'dispute', isResolved: false, dispute, isKnown })
    expect(ask({ state: 'open', isOfSession: true })).toEqual([])
    expect(ask({ state: 'lost', isOfSession: true })).toEqual(['borne_by_platform', 'borne_by_practitioner'])
    expect(ask({ state: 'lost', isOfSession: false })).toEqual(['borne_by_platform'])
    expect(ask(undefined, false)).toEqual(['noted'])
  })
})

test('a lost dispute takes what its practitioner bears off what they are owed, once and at most what is still owed', () => {
  const charge = (facts: Partial<Parameters<typeof disputeCharge>[0]>) =>
    disputeCharge({ bornePence: 6000, chargedPence: 0, owedPence: 6000, limitPence: null, ...facts })
  expect(charge({ limitPence: 6000 })).toBe(6000)
  expect(charge({ limitPence: 6000, owedPence: 4000 })).toBe(4000)
  // A refund of the rest has failed.
  expect(charge({ chargedPence: 4000, owedPence: 2000 })).toBe(2000)
  expect(charge({ bornePence: 5000, chargedPence: 4000, owedPence: 2000 })).toBe(1000)
  // The other of two disputes of the payment.
  expect(charge({ chargedPence: 1000, owedPence: 5000, limitPence: 5000 })).toBe(5000)
  expect(charge({ limitPence: 1000 })).toBe(1000)
  expect(charge({ chargedPence: 6000 })).toBe(0)
  expect(charge({ bornePence: 1000, chargedPence: 6000 })).toBe(0)
  expect(charge({ owedPence: 0 })).toBe(0)
})

test('a failed refund is paid in another way once the bank has decided, and what is unknown or done is noted at most', () => {
  const ask = (facts: Partial<Parameters<typeof incidentDecisions>[0]>) =>
    incidentDecisions({ kind: 'refund_failed', isResolved: false, isKnown: true, ...facts })
  expect(ask({})).toEqual(['noted', 'paid_otherwise'])
  expect(ask({ dispute: { state: 'won', isOfSession: true } })).toEqual(['noted', 'paid_otherwise'])
  expect(ask({ dispute: { state: 'open', isOfSession: true } })).toEqual([])
  expect(ask({ isKnown: false })).toEqual(['noted'])
  expect(ask({ isResolved: true })).toEqual([])
  expect(ask({ kind: 'capture', dispute: { state: 'open', isOfSession: true } })).toEqual(['noted'])
})
