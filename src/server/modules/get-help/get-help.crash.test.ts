import { describe, expect, test } from 'vitest'
import { hours, later, minutes, seconds } from '#server/clock.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { startCrashing } from '#test/crashing.ts'
import { createClient, createPractitioner, ledger, saveCard, signInPractitioner } from '#test/factories.ts'
import {
  answerRequest,
  askForHelp,
  claimHelp,
  helpLedger,
  openRequest,
  payForHelp,
  finishedHelp,
  switchOn,
} from '#test/help.ts'
import { movableClock } from '#test/movable-clock.ts'

type People = { client: { token: string }; card: string; therapist: string }
type Act = (app: TestApp, people: People) => Promise<unknown>

const pay: Act = async (app, { client, card }) => {
  const claimed = await claimHelp(app, { client })
  return payForHelp(app, client, String(claimed.body.session_id), card)
}
const accept: Act = async (app, people) => {
  const { requestId } = await askForHelp(app, people)
  return answerRequest(app, people.therapist, requestId, 'accept')
}
const decline: Act = async (app, people) => {
  const { requestId } = await askForHelp(app, people)
  return answerRequest(app, people.therapist, requestId, 'decline')
}
const stop: Act = async (app, people) => {
  const { id } = await askForHelp(app, people)
  return app.call('POST', '/appointment/cancel-session', {
    token: people.client.token,
    body: { appointment_id: id },
  })
}

async function peopleOn(app: TestApp): Promise<People> {
  const client = await createClient(app)
  const practitioner = await createPractitioner(app, { hours: [] })
  await switchOn(app, practitioner, later(app.clock.now(), hours(2)))
  return {
    client,
    card: await saveCard(app, client),
    therapist: await signInPractitioner(app, practitioner),
  }
}

async function sweepAll(app: TestApp): Promise<void> {
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  await app.services.dispatch.sweep()
  await app.services.bookings.sweep()
  await app.services.payments.recover()
}

/** How many sessions came of it, once gateway, ledger, time and searches agree. */
async function whatIsLeft(app: TestApp): Promise<number> {
  const { wrong, accepted, searches } = await finishedHelp(app)
  expect([searches, wrong]).toEqual([1, []])
  expect(await ledger(app)).toEqual(helpLedger(accepted))
  return accepted
}

/** Ends the product within `act` at a step, on a cluster of its own; the product that is started after it. */
async function restartAfter(act: Act, step: string, nth: number) {
  const { url, database } = await clusterDatabase(5)
  const clock = movableClock()
  const reached = Promise.withResolvers<void>()
  let passed = 0
  const before = await buildTestApp({
    database,
    clock,
    checkpoint: async (here) => {
      if (here !== step || ++passed !== nth) return
      reached.resolve()
      // The caller never continues, as after the end of the process.
      await new Promise(() => undefined)
    },
  })
  const people = await peopleOn(before)
  const attempt = act(before, people).catch(() => undefined)
  await Promise.race([
    reached.promise,
    attempt.then(() => {
      throw new Error(`It never came to: ${step}`)
    }),
  ])
  before.app.server.closeAllConnections()
  const after = await buildTestApp({ database: openServer(url, 5, () => undefined), clock })
  return {
    after,
    clock,
    people,
    async close() {
      await after.close()
      await before.close()
    },
  }
}

describe('a crash in the middle leaves a session that is paid, or none and no charge', () => {
  test.each([
    { what: 'paying', act: pay, step: 'help claimed', left: 0 },
    { what: 'paying', act: pay, step: 'payment noted', left: 0 },
    { what: 'paying', act: pay, step: 'payment authorised at the gateway', left: 0 },
    { what: 'paying', act: pay, step: 'help paid', left: 0 },
    { what: 'paying', act: pay, step: 'practitioner asked', left: 0 },
    { what: 'accepting', act: accept, step: 'help accepted', left: 1 },
    { what: 'accepting', act: accept, step: 'payment captured at the gateway', left: 1 },
    { what: 'declining', act: decline, step: 'practitioner asked', nth: 2, left: 0 },
    { what: 'stopping', act: stop, step: 'help stopped', left: 0 },
    { what: 'stopping', act: stop, step: 'payment voided at the gateway', left: 0 },
  ])('$what, after: $step', async ({ act, step, nth = 1, left }) => {
    const { after, clock, close } = await restartAfter(act, step, nth)
    clock.advance(minutes(16))
    await sweepAll(after)
    clock.advance(minutes(1))
    await sweepAll(after)
    expect(await whatIsLeft(after)).toBe(left)
    await close()
  })

  test.each(['payment authorised at the gateway', 'help paid', 'practitioner asked'])(
    'and goes on where the product is back within a minute, after: %s',
    async (step) => {
      const { after, clock, people, close } = await restartAfter(pay, step, 1)
      clock.advance(seconds(40))
      await sweepAll(after)
      const current = await after.call('GET', '/appointment/get-help-right-now', {
        token: people.client.token,
      })
      expect(current.body.data?.dispatch?.state).toBe('asking')
      const { requestId } = await openRequest(after, String(current.body.data?.appointment_id))
      expect((await answerRequest(after, people.therapist, requestId, 'accept')).status).toBe(200)
      expect(await whatIsLeft(after)).toBe(1)
      await close()
    },
  )

  test.each([
    { act: pay, step: 'help paid', left: 0 },
    { act: accept, step: 'help accepted', left: 1 },
    { act: stop, step: 'payment voided at the gateway', left: 0 },
  ])('kill -9 of the process, after: $step', async ({ act, step, left }) => {
    const { url, database } = await clusterDatabase(5)
    const clock = movableClock(new Date().toISOString())
    const app = await buildTestApp({ database, clock })
    const people = await peopleOn(app)
    const { other, gone } = await startCrashing(app, url, step)
    await expect(act(other, people)).rejects.toThrow()
    expect(await gone).toBe('SIGKILL')
    clock.set(new Date(Date.now() + minutes(16)))
    await sweepAll(app)
    clock.advance(minutes(1))
    await sweepAll(app)
    expect(await whatIsLeft(app)).toBe(left)
    await app.close()
  })
})
