import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
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
    expect(refundSteps(payment, [promised], [], 6000)).toMatchObject([{ step: 'withdraw' }])
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

  test('for any list of refunds at the gateway, live refunds never exceed the payment, and a repeated reading changes nothing', () => {
    const part = fc.record({ pence: fc.integer({ min: 1, max: 6000 }), fails: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 6000 }), { maxLength: 3 }),
        fc.integer({ min: 0, max: 6000 }),
        (parts, promises, lost) => {
          let [room, promised] = [payment.amountPence - lost, payment.amountPence]
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
          expect(sum((each) => each.amountPence)).toBeLessThanOrEqual(payment.amountPence - lost)
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

  test('can be decided by an admin once it is lost, and not while it is open', () => {
    const ask = (dispute: Parameters<typeof incidentDecisions>[0]['dispute'], isKnown = true) =>
      incidentDecisions({ kind: 'dispute', isResolved: false, dispute, isKnown })
    expect(ask({ state: 'open', isOfSession: true })).toEqual([])
    expect(ask({ state: 'lost', isOfSession: true })).toEqual(['borne_by_platform', 'borne_by_practitioner'])
    expect(ask({ state: 'lost', isOfSession: false })).toEqual(['borne_by_platform'])
    expect(ask(undefined, false)).toEqual(['noted'])
  })
})
