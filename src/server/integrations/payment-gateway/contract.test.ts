import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemRandom } from '#server/ids.ts'
import { movableClock } from '#test/movable-clock.ts'
import { sandboxDashboard } from '#test/sandbox-dashboard.ts'
import { type Behaviour, startStripe, type StripeStandIn, stripeKeys } from '#test/stripe.ts'
import { emptyDatabase } from '#test/test-database.ts'
import { CardRefused, type GatewayCard, type GatewayPayment, type PaymentGateway } from './port.ts'
import { sandboxGateway } from './sandbox.ts'
import { stripeGateway } from './stripe.ts'

/** A gateway with the ways of its own to have a card saved, and to be the person whom the bank asks. */
type Subject = {
  gateway: PaymentGateway
  save(
    behaviour: keyof typeof sandboxNumbers,
    more?: { owner?: string; number?: string; expiry?: string },
  ): Promise<GatewayCard>
  answerBank(payment: GatewayPayment): Promise<void>
  /** What other hands do there, or a bank decides; each the name of what was made. */
  dashboard: {
    refund(ref: string, amountPence: number): Promise<string>
    failRefund(name: string): Promise<unknown>
    dispute(ref: string): Promise<string>
    closeDispute(name: string, status: 'won' | 'lost'): Promise<unknown>
  }
}

let stripe: StripeStandIn
beforeAll(async () => {
  stripe = await startStripe()
})
afterAll(async () => stripe.stop())

/** Accounts, others in each test. */
let someone: string
let another: string
beforeEach(() => {
  someone = crypto.randomUUID()
  another = crypto.randomUUID()
})
const sandboxNumbers: Record<Exclude<Behaviour, 'authentication_required'>, string> = {
  succeeds: '4242424242424242',
  requires_action: '4000002500003155',
  card_declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  expired_card: '4000000000000069',
  incorrect_cvc: '4000000000000127',
}

/** What every gateway has to hold to. */
const gateways: { name: string; open: () => Promise<Subject> }[] = [
  {
    name: 'sandbox',
    async open() {
      const { db } = await emptyDatabase()
      const gateway = sandboxGateway({ db, clock: movableClock(), random: systemRandom })
      const dashboard = sandboxDashboard(db)
      return {
        gateway,
        async save(
          behaviour,
          { owner = someone, number = sandboxNumbers[behaviour], expiry = '12 / 34' } = {},
        ) {
          const [month, year] = expiry.split(' / ').map(Number)
          return gateway.saveCard(
            {
              card_number: number,
              expiry_month: month ?? 0,
              expiry_year: 2000 + (year ?? 0),
              cvv_number: '123',
            },
            owner,
          )
        },
        // It is enough to confirm.
        answerBank: async () => undefined,
        dashboard: {
          refund: async (ref, amount) => String(await dashboard.refund(ref, amount)),
          failRefund: dashboard.failRefund,
          dispute: async (ref) => String(await dashboard.dispute(ref)),
          closeDispute: dashboard.closeDispute,
        },
      }
    },
  },
  {
    name: 'Stripe',
    async open() {
      const { db } = await emptyDatabase()
      const gateway = stripeGateway({ db, clock: movableClock(), ...stripeKeys, apiBase: stripe.url })
      return {
        gateway,
        async save(behaviour, { owner = someone, number, expiry } = {}) {
          const begun = await gateway.beginCard({ key: crypto.randomUUID(), owner })
          const id = await stripe.saveInBrowser(begun?.clientSecret ?? '', {
            behaviour,
            ...(number ? { number } : {}),
            ...(expiry ? { expiry } : {}),
          })
          return gateway.saveCard({ payment_method_id: id }, owner)
        },
        answerBank: ({ clientSecret }) => stripe.answerBank(clientSecret ?? '', 'right'),
        dashboard: {
          refund: (intent, amount) => stripe.dashboard({ do: 'refund', intent, amount }),
          failRefund: (refund) => stripe.dashboard({ do: 'fail refund', refund }),
          dispute: (intent) => stripe.dashboard({ do: 'dispute', intent }),
          closeDispute: (dispute, status) => stripe.dashboard({ do: 'close dispute', dispute, status }),
        },
      }
    },
  },
]

describe.each(gateways)('the $name gateway', ({ open }) => {
  let gateway: PaymentGateway
  let subject: Subject
  beforeEach(async () => {
    subject = await open()
    gateway = subject.gateway
  })
  const request = (token: string, key: string, amountPence = 6000, isPresent = true) => ({
    key,
    token,
    owner: someone,
    amountPence,
    isPresent,
  })
  const pay = async (behaviour: keyof typeof sandboxNumbers, key: string = crypto.randomUUID()) =>
    gateway.authorise(request((await subject.save(behaviour)).token, key))

  test('names a card by its brand, last digits and a fingerprint that is the same for the same card', async () => {
    const one = await subject.save('succeeds', { number: '4242424242424242' })
    const two = await subject.save('succeeds', { number: '4242424242424242', owner: another })
    const other = await subject.save('succeeds', { number: '5555555555554444' })
    expect(one).toMatchObject({ brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2034 })
    expect(one.fingerprint).toBe(two.fingerprint)
    expect(one.token).not.toBe(two.token)
    expect(other.fingerprint).not.toBe(one.fingerprint)
  })

  test('refuses a card that it has never been given, and one that has expired', async () => {
    await expect(gateway.saveCard({ payment_method_id: 'pm_of_nobody' }, someone)).rejects.toThrow(
      CardRefused,
    )
    const unknown = {
      card_number: '4111111111111111',
      expiry_month: 12,
      expiry_year: 2034,
      cvv_number: '123',
    }
    await expect(gateway.saveCard(unknown, someone)).rejects.toThrow(CardRefused)
    await expect(subject.save('succeeds', { expiry: '05 / 26' })).rejects.toThrow(CardRefused)
    await expect(subject.save('succeeds', { expiry: '06 / 26' })).resolves.toBeTruthy()
  })

  test('forgets a card, and whose cards it had, however often it is asked', async () => {
    const { token } = await subject.save('succeeds')
    await gateway.removeCard(token)
    await gateway.removeCard(token)
    await gateway.deleteOwner(someone)
    await gateway.deleteOwner(someone)
    await gateway.deleteOwner(another)
  })

  test('authorises once for a key, also for repeated and concurrent calls', async () => {
    const [key, never] = [crypto.randomUUID(), crypto.randomUUID()]
    const { token } = await subject.save('succeeds')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.authorise(request(token, key))),
    )
    expect(new Set(answers.map((answer) => answer.ref)).size).toBe(1)
    for (const answer of answers)
      expect(answer).toMatchObject({ state: 'authorised', amountPence: 6000, refundedPence: 0 })
    expect(await gateway.findByKey(key)).toMatchObject({ ref: answers[0]?.ref, state: 'authorised' })
    expect(await gateway.findByKey(never)).toBeUndefined()
  })

  test('says of a key how it stands now, not how it stood when it was first asked', async () => {
    const key = crypto.randomUUID()
    const { token } = await subject.save('succeeds')
    const { ref } = await gateway.authorise(request(token, key))
    await gateway.capture(ref)
    expect(await gateway.findByKey(key)).toMatchObject({ ref, state: 'captured' })
  })

  test.each(['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc'] as const)(
    'tells that a bank declines as %s, and keeps to it',
    async (behaviour) => {
      const key = crypto.randomUUID()
      const { token } = await subject.save(behaviour)
      const declined = await gateway.authorise(request(token, key))
      expect(declined).toMatchObject({ state: 'declined', declineCode: behaviour, clientSecret: null })
      expect(await gateway.authorise(request(token, key))).toMatchObject({ state: 'declined' })
      await expect(gateway.capture(declined.ref)).rejects.toThrow()
      await gateway.void(declined.ref)
    },
  )

  test('asks for authentication, goes on after it, and can be left', async () => {
    const asked = await pay('requires_action')
    expect(asked).toMatchObject({ state: 'requires_action' })
    expect(asked.clientSecret).toBeTruthy()
    await expect(gateway.capture(asked.ref)).rejects.toThrow()
    await subject.answerBank(asked)
    expect(await gateway.confirm(asked.ref)).toMatchObject({ state: 'authorised' })
    const left = await pay('requires_action')
    expect(await gateway.void(left.ref)).toMatchObject({ state: 'voided' })
    expect(await gateway.confirm(left.ref)).toMatchObject({ state: 'voided' })
  })

  test('without the client present, charges a card whose bank does not ask, and reserves nothing where it does', async () => {
    const plain = await subject.save('succeeds')
    const paid = await gateway.authorise(request(plain.token, crypto.randomUUID(), 3000, false))
    expect(await gateway.capture(paid.ref)).toMatchObject({ state: 'captured', amountPence: 3000 })
    const careful = await subject.save('requires_action')
    const asked = await gateway.authorise(request(careful.token, crypto.randomUUID(), 3000, false))
    expect(asked).toMatchObject({ state: 'requires_action' })
    await expect(gateway.capture(asked.ref)).rejects.toThrow()
    expect(await gateway.void(asked.ref)).toMatchObject({ state: 'voided' })
  })

  test('captures and voids once, and never both', async () => {
    const kept = await pay('succeeds')
    expect(await gateway.capture(kept.ref)).toMatchObject({ state: 'captured' })
    expect(await gateway.capture(kept.ref)).toMatchObject({ state: 'captured' })
    await expect(gateway.void(kept.ref)).rejects.toThrow()
    const dropped = await pay('succeeds')
    expect(await gateway.void(dropped.ref)).toMatchObject({ state: 'voided', refundedPence: 0 })
    expect(await gateway.void(dropped.ref)).toMatchObject({ state: 'voided' })
    await expect(gateway.capture(dropped.ref)).rejects.toThrow()
  })

  test('refunds in parts, once for a key, and never more than was captured', async () => {
    const [key, early, first, second, tooMuch] = Array.from({ length: 5 }, () => crypto.randomUUID()) as [
      string,
      string,
      string,
      string,
      string,
    ]
    const { ref } = await pay('succeeds', key)
    await expect(gateway.refund({ key: early, ref, amountPence: 1 })).rejects.toThrow()
    await gateway.capture(ref)
    const made = await gateway.refund({ key: first, ref, amountPence: 2000 })
    expect(await gateway.refund({ key: first, ref, amountPence: 2000 })).toEqual(made)
    expect(await gateway.findByKey(key)).toMatchObject({ refundedPence: 2000 })
    await gateway.refund({ key: second, ref, amountPence: 4000 })
    await expect(gateway.refund({ key: tooMuch, ref, amountPence: 1 })).rejects.toThrow()
    expect(await gateway.findByKey(key)).toMatchObject({ refundedPence: 6000 })
  })

  test('lists refunds and disputes of a payment, also those made at the gateway', async () => {
    const [key, refundKey] = [crypto.randomUUID(), crypto.randomUUID()]
    const { ref } = await pay('succeeds', key)
    expect(await gateway.inspect(key)).toMatchObject({ state: 'authorised', refunds: [], disputes: [] })
    expect(await gateway.inspect(crypto.randomUUID())).toBeUndefined()
    await gateway.capture(ref)
    const own = await gateway.refund({ key: refundKey, ref, amountPence: 1000 })
    const other = await subject.dashboard.refund(ref, 2000)
    await subject.dashboard.failRefund(other)
    const dispute = await subject.dashboard.dispute(ref)
    const open = await gateway.inspect(key)
    expect(open?.refunds).toHaveLength(2)
    expect(open?.refunds).toContainEqual({
      ref: own.ref,
      key: refundKey,
      amountPence: 1000,
      state: 'succeeded',
    })
    expect(open?.refunds.find((each) => each.ref === other)).toMatchObject({
      amountPence: 2000,
      state: 'failed',
    })
    expect(open?.disputes).toMatchObject([
      { ref: dispute, amountPence: 5000, withdrawnPence: 5000, state: 'open' },
    ])
    await expect(gateway.refund({ key: crypto.randomUUID(), ref, amountPence: 100 })).rejects.toThrow()
    await subject.dashboard.closeDispute(dispute, 'won')
    expect((await gateway.inspect(key))?.disputes).toMatchObject([
      { ref: dispute, amountPence: 5000, withdrawnPence: 0, state: 'won' },
    ])
  })
})
