import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Captured, refundable, spreadRefund, whatIsLeft } from '../payments/payments.rules.ts'
import { changedPrice, type Price, priceOf } from './bookings.rules.ts'

// A discounted session is moved to dearer and cheaper choices, by cards that had a discount before and others that had none,
// and is then cancelled or kept. What is kept of the payments and of the discount is what the price says after every step.

const fee = fc.integer({ min: 100, max: 100_000 })
const step = fc.record({
  /** Another price, or one a few pence from the present one. */
  to: fc.oneof(fc.record({ fee }), fc.record({ by: fc.integer({ min: -7, max: 7 }) })),
  hadDiscount: fc.boolean(),
})

/** The payments after a refund. */
function refund(payments: Captured[], wanted: { amountPence: number; discountPence: number }): Captured[] {
  const parts = spreadRefund(payments, wanted)
  return payments.map((payment) => {
    const own = parts.filter((part) => part.intentId === payment.id)
    for (const part of own) expect(part.amountPence > 0 || part.discountPence !== 0).toBe(true)
    const sum = (pick: (part: (typeof own)[number]) => number) =>
      own.reduce((total, part) => total + pick(part), 0)
    const refundedPence = payment.refundedPence + sum((part) => part.amountPence)
    expect(refundedPence).toBeLessThanOrEqual(payment.amountPence)
    const undiscountedPence = payment.undiscountedPence + sum((part) => part.discountPence)
    return { ...payment, refundedPence, undiscountedPence }
  })
}

const kept = ({ duePence, discountPence }: Price) => ({ amountPence: duePence, discountPence })

test('a discounted session keeps exactly its price through any moves, and nothing once it is cancelled', () => {
  fc.assert(
    fc.property(fee, fc.array(step, { maxLength: 12 }), (first, steps) => {
      let price = priceOf(first, 20)
      const payment = (id: string, { duePence: amountPence, discountPence }: Price): Captured => ({
        id,
        amountPence,
        discountPence,
        refundedPence: 0,
        otherRefundsPence: 0,
        undiscountedPence: 0,
        otherUndiscountedPence: 0,
      })
      let payments = [payment('booking', price)]
      for (const [index, { to, hadDiscount }] of steps.entries()) {
        const feePence = 'fee' in to ? to.fee : Math.max(100, price.feePence + to.by)
        const next = changedPrice(price, feePence, { percent: 20, mayGrow: !hadDiscount })
        expect(next.duePence + next.discountPence).toBe(next.feePence)
        const extra = {
          feePence: next.feePence,
          duePence: next.duePence - price.duePence,
          discountPence: next.discountPence - price.discountPence,
        }
        // A client never pays more for a cheaper choice, nor less for a dearer one.
        if (extra.duePence !== 0) expect(extra.duePence > 0).toBe(feePence > price.feePence)
        if (extra.duePence > 0) {
          // A card cannot be charged less.
          expect(extra.duePence).toBeGreaterThanOrEqual(30)
          expect(extra.discountPence).toBeGreaterThanOrEqual(0)
          payments = [payment(`change ${index}`, extra), ...payments]
        } else {
          const wanted = { amountPence: -extra.duePence, discountPence: -extra.discountPence }
          payments = refund(payments, refundable(payments, { ...wanted, due: kept(next) }))
        }
        expect(whatIsLeft(payments)).toEqual(kept(next))
        price = next
      }
      expect(whatIsLeft(refund(payments, whatIsLeft(payments)))).toEqual({ amountPence: 0, discountPence: 0 })
    }),
    { numRuns: 3000 },
  )
})

test('a payment that was returned twice takes nothing from a refund of another', () => {
  const unrefunded = { amountPence: 60, discountPence: 0, otherRefundsPence: 0, undiscountedPence: 0 }
  const twice = { id: 'twice', ...unrefunded, otherUndiscountedPence: 0, refundedPence: 80 }
  const payments = [twice, { ...twice, id: 'other', refundedPence: 0 }]
  expect(whatIsLeft(payments)).toEqual({ amountPence: 60, discountPence: 0 })
  const parts = spreadRefund(payments, { amountPence: 60, discountPence: 0 })
  expect(parts).toEqual([{ intentId: 'other', amountPence: 60, discountPence: 0 }])
})

test('a refund takes no more than is left, of a change no more than was paid above the new price, or it fails', () => {
  const payment = {
    id: 'one',
    amountPence: 4800,
    discountPence: 1200,
    refundedPence: 0,
    undiscountedPence: 0,
    otherUndiscountedPence: 0,
  }
  const captured = [{ ...payment, otherRefundsPence: 0 }]
  const all = { amountPence: 4800, discountPence: 1200 }
  expect(['everything', 'rest'].map((each) => refundable(captured, each as 'rest'))).toEqual([all, all])
  expect(refundable(captured, { amountPence: 5000, discountPence: 1300 })).toEqual(all)
  const change = (duePence: number, from = captured, discountPence = 0) =>
    refundable(from, { amountPence: 1000, discountPence: 200, due: { amountPence: duePence, discountPence } })
  expect([3800, 4000, 4800, 5000].map((due) => change(due).amountPence)).toEqual([1000, 800, 0, 0])
  expect(change(3800).discountPence).toBe(200)
  // Of 300 that went back the client still owes what an admin refunded, and not what a lost dispute returned.
  const returned = (otherRefundsPence: number) => [{ ...payment, refundedPence: 300, otherRefundsPence }]
  expect([300, 0].map((other) => change(3800, returned(other)).amountPence)).toEqual([1000, 700])
  // The discount of a surcharge that a lost dispute returned is the admin's to decide about.
  expect([1000, 1100, 1200].map((due) => change(3800, captured, due).discountPence)).toEqual([200, 100, 0])
  const undiscounted = [
    { ...payment, undiscountedPence: 300, otherUndiscountedPence: 300, otherRefundsPence: 0 },
  ]
  expect(change(3800, undiscounted, 1000).discountPence).toBe(200)
  for (const more of [
    { ...all, amountPence: 4801 },
    { ...all, discountPence: 1201 },
  ])
    expect(() => spreadRefund(captured, more)).toThrow('more than was paid')
})

test('a session that had its full discount has it again at any price paid by a card that had none', () => {
  fc.assert(
    fc.property(fee, fee, (before, after) => {
      const changed = changedPrice(priceOf(before, 20), after, { percent: 20, mayGrow: true })
      const [was, is] = [priceOf(before, 20), priceOf(after, 20)]
      const isTooLittle = is.duePence > was.duePence && is.duePence < was.duePence + 30
      expect(changed).toEqual(isTooLittle ? was : is)
    }),
  )
})
