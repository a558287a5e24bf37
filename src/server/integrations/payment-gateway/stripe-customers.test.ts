import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '#server/db/connection.ts'
import { movableClock } from '#test/movable-clock.ts'
import { type Behaviour, startStripe, type StripeStandIn, stripeKeys } from '#test/stripe.ts'
import { emptyDatabase } from '#test/test-database.ts'
import type { PaymentGateway } from './port.ts'
import { stripeGateway } from './stripe.ts'

let stripe: StripeStandIn
let gateway: PaymentGateway
let db: Db
let owner: string

beforeAll(async () => {
  stripe = await startStripe()
})
afterAll(async () => stripe.stop())
beforeEach(async () => {
  db = (await emptyDatabase()).db
  gateway = stripeGateway({ db, clock: movableClock(), ...stripeKeys, apiBase: stripe.url })
  owner = crypto.randomUUID()
})
afterEach(async () => stripe.fail())

async function save(behaviour: Behaviour = 'succeeds') {
  const begun = await gateway.beginCard({ key: crypto.randomUUID(), owner })
  const id = await stripe.saveInBrowser(begun?.clientSecret ?? '', { behaviour })
  return gateway.saveCard({ payment_method_id: id }, owner)
}
const request = (token: string, isPresent = true) => ({
  key: crypto.randomUUID(),
  token,
  owner,
  amountPence: 6000,
  isPresent,
})
const stored = () => db.selectFrom('stripe_gateway.customers').select(['owner', 'ref']).execute()
const atStripe = async () =>
  (await stripe.objects('customer')).filter(({ metadata }) => metadata.account === owner)
const deleteInDashboard = async () => {
  const [customer] = await atStripe()
  await stripe.dashboard({ do: 'delete customer', customer: customer?.id ?? '' })
  return customer?.id
}
/** As with keys of another Stripe account on the same database. */
const exchangeKeys = () =>
  db.updateTable('stripe_gateway.customers').set({ ref: 'cus_of_other_keys' }).execute()

test('a client whose customer was deleted in the dashboard saves a card and pays with it', async () => {
  await save()
  await deleteInDashboard()
  const { token } = await save()
  const customers = await atStripe()
  expect(await stored()).toEqual([{ owner, ref: customers[0]?.id }])
  expect(await gateway.authorise(request(token))).toMatchObject({ state: 'authorised' })
  // The next one is created under a key of its own too.
  await deleteInDashboard()
  expect(await gateway.authorise(request((await save()).token))).toMatchObject({ state: 'authorised' })
})

test('concurrent calls replace a customer that is gone by one', async () => {
  await save()
  await deleteInDashboard()
  await Promise.all(Array.from({ length: 5 }, () => save()))
  const customers = await atStripe()
  expect(customers).toHaveLength(1)
  expect(await stored()).toEqual([{ owner, ref: customers[0]?.id }])
})

test.each([true, false])(
  'a card of a customer that is gone is declined and charged in no other way; present: %s',
  async (isPresent) => {
    const { token } = await save()
    await deleteInDashboard()
    const wanted = request(token, isPresent)
    const declined = await gateway.authorise(wanted)
    expect(declined).toMatchObject({ state: 'declined', declineCode: 'card_declined', clientSecret: null })
    expect(await gateway.authorise(wanted)).toEqual(declined)
    expect(await gateway.findByKey(wanted.key)).toEqual(declined)
    expect(await gateway.inspect(wanted.key)).toMatchObject({ state: 'declined', refunds: [] })
    await expect(gateway.capture(declined.ref)).rejects.toThrow()
    const intents = (await stripe.objects('payment_intent')).filter(
      ({ metadata }) => metadata.attempt === wanted.key,
    )
    expect(intents).toMatchObject([{ id: declined.ref, payment_method: null, latest_charge: null }])
    expect(await gateway.void(declined.ref)).toMatchObject({ state: 'voided' })
    // It can be removed, and another one takes its place.
    await gateway.removeCard(token)
    expect(await gateway.authorise(request((await save()).token))).toMatchObject({ state: 'authorised' })
  },
)

test('with keys of another account nothing of an account is replaced and no card is declined, until the right ones are back', async () => {
  const { token } = await save()
  const [customer] = await stored()
  await exchangeKeys()
  const wanted = request(token)
  await expect(gateway.authorise(wanted)).rejects.toThrow('No such customer')
  const others = request('pm_of_other_keys', false)
  await expect(gateway.authorise(others)).rejects.toThrow('No such customer')
  await expect(save()).rejects.toThrow('No such customer')
  expect(await stored()).toEqual([{ owner, ref: 'cus_of_other_keys' }])
  expect(await atStripe()).toHaveLength(1)
  const attempts = (await stripe.objects('payment_intent')).map(({ metadata }) => metadata.attempt)
  expect(attempts.filter((attempt) => attempt === wanted.key || attempt === others.key)).toEqual([])
  await db
    .updateTable('stripe_gateway.customers')
    .set({ ref: String(customer?.ref) })
    .execute()
  expect(await gateway.authorise(wanted)).toMatchObject({ state: 'authorised' })
})

test('a card that Stripe does not know is declined, and can be removed', async () => {
  await save()
  expect(await gateway.authorise(request('pm_unknown'))).toMatchObject({ state: 'declined' })
  await gateway.removeCard('pm_unknown')
})

test('a detached card is declined, and a request that Stripe refuses for another reason is not', async () => {
  const { token } = await save()
  await expect(gateway.authorise({ ...request(token), amountPence: 1 })).rejects.toThrow('at least 30 pence')
  await gateway.removeCard(token)
  expect(await gateway.authorise(request(token))).toMatchObject({ state: 'declined' })
})
