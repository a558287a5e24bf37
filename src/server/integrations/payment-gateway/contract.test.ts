import { beforeEach, describe, expect, test } from 'vitest'
import { systemRandom } from '#server/ids.ts'
import { movableClock } from '#test/movable-clock.ts'
import { emptyDatabase } from '#test/test-database.ts'
import { CardRefused, type PaymentGateway } from './port.ts'
import { sandboxGateway } from './sandbox.ts'

/** What every gateway has to hold to. */
const gateways: { name: string; open: () => Promise<PaymentGateway> }[] = [
  {
    name: 'sandbox',
    open: async () =>
      sandboxGateway({ db: (await emptyDatabase()).db, clock: movableClock(), random: systemRandom }),
  },
]

const card = (card_number: string, more = {}) => ({
  card_number,
  expiry_month: 12,
  expiry_year: 2034,
  cvv_number: '123',
  ...more,
})

describe.each(gateways)('the $name gateway', ({ open }) => {
  let gateway: PaymentGateway
  beforeEach(async () => {
    gateway = await open()
  })
  const pay = async (number: string, key: string, amountPence = 6000) => {
    const { token } = await gateway.saveCard(card(number))
    return gateway.authorise({ key, token, amountPence })
  }

  test('names a card by its brand, last digits and a fingerprint that is the same for the same card', async () => {
    const [one, two, other] = [
      await gateway.saveCard(card('4242424242424242')),
      await gateway.saveCard(card('4242424242424242')),
      await gateway.saveCard(card('5555555555554444')),
    ]
    expect(one).toMatchObject({ brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2034 })
    expect(one.fingerprint).toBe(two.fingerprint)
    expect(one.token).not.toBe(two.token)
    expect(other.fingerprint).not.toBe(one.fingerprint)
  })

  test('refuses a card it does not know, and one that has expired', async () => {
    await expect(gateway.saveCard(card('4111111111111111'))).rejects.toThrow(CardRefused)
    await expect(
      gateway.saveCard(card('4242424242424242', { expiry_year: 2026, expiry_month: 5 })),
    ).rejects.toThrow(CardRefused)
    await expect(
      gateway.saveCard(card('4242424242424242', { expiry_year: 2026, expiry_month: 6 })),
    ).resolves.toBeTruthy()
  })

  test('authorises once for a key, however often and at whatever moment it is asked', async () => {
    const { token } = await gateway.saveCard(card('4242424242424242'))
    const request = { key: 'a', token, amountPence: 6000 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.authorise(request)))
    expect(new Set(answers.map((answer) => answer.ref)).size).toBe(1)
    expect(answers[0]).toMatchObject({ state: 'authorised', amountPence: 6000, refundedPence: 0 })
    expect(await gateway.findByKey('a')).toMatchObject({ ref: answers[0]?.ref })
    expect(await gateway.findByKey('b')).toBeUndefined()
  })

  test.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
  ])('declines %s as %s', async (number, declineCode) => {
    expect(await pay(number, number)).toMatchObject({ state: 'declined', declineCode })
  })

  test('asks for authentication, goes on after it, and can be left', async () => {
    const asked = await pay('4000002500003155', 'a')
    expect(asked).toMatchObject({ state: 'requires_action' })
    expect(asked.clientSecret).toBeTruthy()
    expect(await gateway.confirm(asked.ref)).toMatchObject({ state: 'authorised' })
    const left = await pay('4000002500003155', 'b')
    expect(await gateway.void(left.ref)).toMatchObject({ state: 'voided' })
    expect(await gateway.confirm(left.ref)).toMatchObject({ state: 'voided' })
  })

  test('captures and voids once, and never both', async () => {
    const kept = await pay('4242424242424242', 'a')
    expect(await gateway.capture(kept.ref)).toMatchObject({ state: 'captured' })
    expect(await gateway.capture(kept.ref)).toMatchObject({ state: 'captured' })
    await expect(gateway.void(kept.ref)).rejects.toThrow()
    const dropped = await pay('4242424242424242', 'b')
    expect(await gateway.void(dropped.ref)).toMatchObject({ state: 'voided' })
    expect(await gateway.void(dropped.ref)).toMatchObject({ state: 'voided' })
    await expect(gateway.capture(dropped.ref)).rejects.toThrow()
  })

  test('refunds in parts, once for a key, and never more than was captured', async () => {
    const { ref } = await pay('4242424242424242', 'a')
    await expect(gateway.refund({ key: 'early', ref, amountPence: 1 })).rejects.toThrow()
    await gateway.capture(ref)
    const first = await gateway.refund({ key: 'r1', ref, amountPence: 2000 })
    expect(await gateway.refund({ key: 'r1', ref, amountPence: 2000 })).toEqual(first)
    expect(await gateway.findByKey('a')).toMatchObject({ refundedPence: 2000 })
    await gateway.refund({ key: 'r2', ref, amountPence: 4000 })
    await expect(gateway.refund({ key: 'r3', ref, amountPence: 1 })).rejects.toThrow()
    expect(await gateway.findByKey('a')).toMatchObject({ refundedPence: 6000 })
  })
})
