import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { seconds } from '#server/clock.ts'
import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'
import { type Answer, buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  cards,
  createClient,
  createPractitioner,
  ledger,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { answerRequest, claimHelp, helpLedger, payForHelp, finishedHelp, switchOn } from '#test/help.ts'

// Clients, practitioners, the gateway, the back office and the machine act in random order and concurrently.
// In the end there is a session that has been paid, or no session and no charge.

vi.setConfig({ testTimeout: 240_000 })

type Fault = 'none' | 'down' | 'answer lost'
type Step =
  | { act: 'claim'; client: number; preferred: number | null }
  | { act: 'pay'; client: number; card: 'succeeds' | 'declined' | 'authentication' }
  | { act: 'confirm'; client: number }
  | { act: 'stop'; client: number }
  /** The practitioner of the first open request, or of a later one, answers. */
  | { act: 'answer'; request: number; as: 'accept' | 'decline' }
  | { act: 'switch'; practitioner: number; on: boolean }
  | { act: 'suspend'; practitioner: number; suspended: boolean }
  | { act: 'wait'; seconds: number }
  | { act: 'sweep' }
  | { act: 'gateway'; fault: Fault }
  /** The process ends at a checkpoint from here on. */
  | { act: 'crash'; after: number }

const client = fc.nat({ max: 2 })
const practitioner = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('claim' as const),
      client,
      preferred: fc.option(practitioner),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('pay' as const),
      client,
      card: fc.constantFrom('succeeds', 'succeeds', 'declined', 'authentication'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('confirm' as const), client }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('stop' as const), client }) },
  {
    weight: 9,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      request: fc.nat({ max: 1 }),
      as: fc.constantFrom('accept', 'accept', 'decline'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('switch' as const), practitioner, on: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('suspend' as const), practitioner, suspended: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 30, 60, 119, 120, 121, 300, 600),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ act: 'sweep' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('gateway' as const),
      fault: fc.constantFrom<Fault>('none', 'down', 'answer lost'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('crash' as const), after: fc.nat({ max: 3 }) }) },
)
/** Two clients who pay: most that can happen, happens after that. */
const begun: Step[][] = [0, 1].flatMap((each): Step[][] => [
  [{ act: 'claim', client: each, preferred: null }],
  [{ act: 'pay', client: each, card: 'succeeds' }],
])
/** Usually one thing happens at a time, sometimes two or three at once. */
const moments = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(step) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
  ),
  { minLength: 6, maxLength: 18 },
)

/** The two endings, which the others may or may not come to. */
const answered = (...answers: ('accept' | 'decline')[]) =>
  [1, 2].map((client): [number, Step[][]] => [
    client * 2,
    answers.map((as) => [{ act: 'answer', request: 0, as }]),
  ])
const endings = [...answered('accept'), ...answered('decline', 'decline', 'decline')]

let app: TestApp
let fault: Fault = 'none'
let crashIn = Number.POSITIVE_INFINITY
const clients: { token: string; cards: Record<'succeeds' | 'declined' | 'authentication', string> }[] = []
const practitioners: { id: number; token: string }[] = []

/** Each call fails before it gets there, or on its way back. */
function faulty(sandbox: PaymentGateway): PaymentGateway {
  const through = async <T>(call: () => Promise<T>): Promise<T> => {
    if (fault === 'down') throw new Error('The gateway is away.')
    const answer = await call()
    if (fault === 'answer lost') throw new Error('The answer was lost.')
    return answer
  }
  return {
    ...sandbox,
    authorise: (wanted) => through(() => sandbox.authorise(wanted)),
    confirm: (ref) => through(() => sandbox.confirm(ref)),
    capture: (ref) => through(() => sandbox.capture(ref)),
    void: (ref) => through(() => sandbox.void(ref)),
    findByKey: (key) => through(() => sandbox.findByKey(key)),
  }
}

beforeAll(async () => {
  app = await buildTestApp({
    gateway: faulty,
    rateLimitScale: 1_000_000,
    checkpoint: async () => {
      if (crashIn-- !== 0) return
      throw new Error('The process has ended.')
    },
  })
  for (let count = 0; count < 3; count++) {
    const { token } = await createClient(app)
    const save = (number: string) => saveCard(app, { token }, number)
    clients.push({
      token,
      cards: {
        succeeds: await save(cards.succeeds),
        declined: await save(cards.declined),
        authentication: await save(cards.authentication),
      },
    })
    const made = await createPractitioner(app, { hours: [] })
    practitioners.push({ id: made.id, token: await signInPractitioner(app, made) })
  }
  // Days go by in this test, and no client or practitioner signs in again.
  await app.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date('2099-01-01') })
    .execute()
})
afterAll(async () => {
  vi.resetConfig()
  await app.close()
})

const currentOf = async (token: string): Promise<string | undefined> => {
  const { body } = await app.call('GET', '/appointment/get-help-right-now', { token })
  return body.data ? String(body.data.appointment_id) : undefined
}
const setState = (id: number, state: 'approved' | 'suspended') =>
  app.db.updateTable('practitioners').set({ state }).where('id', '=', id).execute()

/** Responses that are an error while the process runs on. */
const broken: string[] = []
function note({ status, body }: Answer): void {
  if (status >= 500 && status !== 503) broken.push(`${status} ${body.code}`)
}

async function carryOut(wanted: Step): Promise<void> {
  switch (wanted.act) {
    case 'claim': {
      const preferred = wanted.preferred === null ? undefined : practitioners[wanted.preferred]?.id
      const who = clients[wanted.client]
      if (who) note(await claimHelp(app, { client: who, ...(preferred === undefined ? {} : { preferred }) }))
      return
    }
    case 'pay':
    case 'confirm':
    case 'stop': {
      const who = clients[wanted.client]
      const id = who && (await currentOf(who.token))
      if (!who || !id) return
      if (wanted.act === 'pay') return note(await payForHelp(app, who, id, who.cards[wanted.card]))
      const path =
        wanted.act === 'stop' ? '/appointment/cancel-session' : '/payment/sandbox/confirm-authentication'
      const body = { appointment_id: id, session_id: id }
      return note(await app.call('POST', path, { token: who.token, body }))
    }
    case 'answer': {
      const open = await app.db
        .selectFrom('help_offers')
        .select(['id', 'practitioner_id'])
        .where('state', '=', 'open')
        .orderBy('asked_at')
        .orderBy('id')
        .execute()
      const asked = open[wanted.request] ?? open[0]
      const who = practitioners.find(({ id }) => id === asked?.practitioner_id)
      if (asked && who) note(await answerRequest(app, who.token, asked.id, wanted.as))
      return
    }
    case 'switch': {
      const who = practitioners[wanted.practitioner]
      if (who) await switchOn(app, who, wanted.on ? new Date('2099-01-01') : null)
      return
    }
    case 'suspend': {
      const who = practitioners[wanted.practitioner]
      if (who) await setState(who.id, wanted.suspended ? 'suspended' : 'approved')
      return
    }
    case 'wait':
      app.clock.advance(seconds(wanted.seconds))
      return
    case 'sweep':
      await sweepAll()
      return
    case 'gateway':
      fault = wanted.fault
      return
    case 'crash':
      crashIn = wanted.after
      return
  }
}

async function sweepAll(): Promise<void> {
  await app.services.dispatch.sweep()
  await app.services.bookings.sweep()
  await app.services.payments.recover()
}

test('always ends with a session that is paid, or with none and no charge', async () => {
  const seen = { accepted: 0, nobody: 0, searches: 0 }
  await fc.assert(
    fc
      .asyncProperty(fc.nat({ max: begun.length }), moments, async (after, story) => {
        for (const together of [...begun.slice(0, after), ...story])
          await Promise.all(together.map((each) => carryOut(each)))

        const mayEnd = story.some((together) => together.some(({ act }) => act === 'crash'))
        expect(broken.splice(0)).toEqual(mayEnd ? expect.anything() : [])

        // The machine is mended, and time goes by.
        fault = 'none'
        crashIn = Number.POSITIVE_INFINITY
        for (let round = 0; round < 12; round++) {
          app.clock.advance(seconds(121))
          await sweepAll()
        }
        const { wrong, accepted, nobody, searches } = await finishedHelp(app)
        expect(wrong).toEqual([])
        expect(await ledger(app)).toEqual(helpLedger(accepted))
        Object.assign(seen, { accepted, nobody, searches })
      })
      .beforeEach(async () => {
        app.clock.advance(seconds(3601))
        for (const { id } of practitioners) {
          await setState(id, 'approved')
          await switchOn(app, { id }, new Date('2099-01-01'))
        }
      }),
    { numRuns: 25, endOnFailure: true, examples: endings },
  )
  // The stories came to something.
  expect(seen.searches).toBeGreaterThan(10)
  expect(seen.accepted).toBeGreaterThan(1)
  expect(seen.nobody).toBeGreaterThan(1)
})
