// A day of 'Get help right now' on the real product: its routes, its database, its gateway, and a clock that is moved from
// one thing that happens to the next.
import { openEmbedded } from '#server/db/connection.ts'
import { hours, later, minutes, seconds } from '#server/clock.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import {
  cards,
  createClient,
  createPractitioner,
  ledger,
  saveCard,
  signInPractitioner,
} from '#test/factories.ts'
import { answerRequest, claimHelp, payForHelp, finishedHelp, switchOn } from '#test/help.ts'
import { prepare } from '#test/test-database.ts'
import { movableClock } from '#test/movable-clock.ts'
import { createChance } from './chance.ts'

export type DayOptions = {
  practitioners: number
  /** How many come on the average. */
  clients: number
  seed: number
  /** Hours of the day that are simulated, `[from, to)`. */
  from: number
  to: number
}

/** What became of one client. */
export type Visit = {
  /** Milliseconds since midnight. */
  arrived: number
  outcome: 'matched' | 'nobody free' | 'nobody accepted' | 'gave up waiting' | 'did not pay' | 'card declined'
  paid: boolean
  asked: number
  /** From paying to the practitioner's yes. Milliseconds; of those who were matched. */
  waited?: number
  /** From coming to the page to the practitioner's yes. */
  wholeWay?: number
}

export type Day = {
  visits: Visit[]
  /** Money that was reserved and went back, in pence, and how many times. */
  released: { count: number; pence: number }
  /** Sessions that neither were paid nor ended without a charge: there must be none. */
  wrong: number
  ledger: Record<string, number>
}

/** How many come in each hour, compared with the others: few at night, most in the evening. */
const arrivals = [3, 2, 1, 1, 1, 1, 2, 4, 6, 7, 7, 8, 9, 8, 7, 7, 8, 9, 11, 13, 14, 13, 10, 6]
/** How likely a practitioner begins to be available in an hour. */
const shiftStarts = [0, 0, 0, 0, 0, 1, 3, 6, 8, 8, 6, 4, 5, 5, 4, 4, 7, 10, 10, 7, 4, 2, 1, 0]
/** The issues that come up in the simulation. */
const issues = [1, 2, 3, 4, 5, 6]

const midnight = new Date('2026-06-01T00:00:00Z')

/** What people do, and how often. */
const habits = {
  shift: { shortest: hours(2), longest: hours(5) },
  treats: { least: 3, most: 6 },
  answers: { accepts: 0.78, declines: 0.1, medianDelay: seconds(25), spread: 0.8 },
  client: {
    looks: { from: seconds(15), to: seconds(90) },
    pays: { from: seconds(10), to: seconds(75) },
    leavesUnpaid: 0.08,
    cardDeclined: 0.03,
    /** Of those who have paid, until they stop. */
    patience: { from: minutes(3), to: minutes(14) },
  },
}

type Event = { at: number; run: () => Promise<void> }

export async function simulateDay(options: DayOptions): Promise<Day> {
  const chance = createChance(options.seed)
  const clock = movableClock(later(midnight, hours(options.from)).toISOString())
  const database = await openEmbedded()
  await prepare(database)
  const app = await buildTestApp({ database, clock, rateLimitScale: 1_000_000 })
  const now = () => clock.now().getTime() - midnight.getTime()

  const events: Event[] = []
  const plan = (at: number, run: Event['run']) => {
    const index = events.findIndex((event) => event.at > at)
    events.splice(index === -1 ? events.length : index, 0, { at, run })
  }
  const sweepAt = (at: number) => plan(at, () => app.services.dispatch.sweep())

  const tokens = new Map<number, string>()
  for (let count = 0; count < options.practitioners; count++) {
    const practitioner = await createPractitioner(app, { hours: [] })
    tokens.set(practitioner.id, await signInPractitioner(app, practitioner))
    const treated = chance.sample(issues, chance.whole(habits.treats.least, habits.treats.most))
    await app.db.deleteFrom('practitioner_issues').where('practitioner_id', '=', practitioner.id).execute()
    await app.db
      .insertInto('practitioner_issues')
      .values(treated.map((issue_id) => ({ issue_id, practitioner_id: practitioner.id })))
      .execute()
    const begins = hours(chance.weighted(shiftStarts)) + chance.between(0, hours(1))
    const ends = begins + chance.between(habits.shift.shortest, habits.shift.longest)
    plan(begins, () => switchOn(app, practitioner, later(midnight, ends)))
  }

  const guests: { token: string; card: string; badCard: string }[] = []
  let nextGuest = 0
  const visits: Visit[] = []
  const plans = planArrivals(options, chance)
  // A client of hours ago may come again: signing up is not part of the simulation.
  for (let count = 0; count < Math.min(plans.length, 60); count++) {
    const { token } = await createClient(app)
    guests.push({
      token,
      card: await saveCard(app, { token }),
      badCard: await saveCard(app, { token }, cards.declined),
    })
  }
  await app.db
    .updateTable('access_tokens')
    .set({ expires_at: new Date('2099-01-01') })
    .execute()
  for (const at of plans) plan(at, () => arrive())

  while (events.length > 0) {
    const event = events.shift()
    if (!event) break
    clock.set(later(midnight, Math.max(event.at, now())))
    await event.run()
  }
  for (let round = 0; round < 12; round++) {
    clock.advance(minutes(2))
    await app.services.dispatch.sweep()
    await app.services.bookings.sweep()
    await app.services.payments.recover()
  }

  const { wrong } = await finishedHelp(app)
  const back = await app.db
    .selectFrom('payment_intents')
    .select('amount_pence')
    .where('state', '=', 'voided')
    .where('gateway_ref', 'is not', null)
    .execute()
  const day: Day = {
    visits,
    released: { count: back.length, pence: back.reduce((sum, row) => sum + row.amount_pence, 0) },
    wrong: wrong.length,
    ledger: await ledger(app),
  }
  await app.close()
  return day

  async function arrive(): Promise<void> {
    const visit: Visit = { arrived: now(), outcome: 'nobody free', paid: false, asked: 0 }
    visits.push(visit)
    const guest = guests[nextGuest++ % guests.length]
    if (!guest) throw new Error('Nobody comes.')
    const issue = chance.pick(issues)
    const found = await app.call('GET', `/find-therapist/get-help-right-now?issue_id=${issue}`, {
      token: guest.token,
    })
    const [shown] = found.body.data as unknown as { practitioner_id: number }[]
    if (!shown) return
    const { looks } = habits.client
    plan(now() + chance.between(looks.from, looks.to), async () => {
      const claimed = await claimHelp(app, { client: guest, issue, preferred: shown.practitioner_id })
      if (claimed.status !== 201) return
      const id = claimed.body.session_id as unknown as string
      visit.outcome = 'did not pay'
      if (chance.happens(habits.client.leavesUnpaid)) return sweepAt(now() + minutes(5))
      const { pays } = habits.client
      plan(now() + chance.between(pays.from, pays.to), () => pay(visit, guest, id))
    })
  }

  async function pay(visit: Visit, guest: (typeof guests)[number], id: string): Promise<void> {
    const isDeclined = chance.happens(habits.client.cardDeclined)
    const paid = await payForHelp(app, guest, id, isDeclined ? guest.badCard : guest.card)
    if (paid.status !== 200) {
      visit.outcome = isDeclined ? 'card declined' : 'did not pay'
      return sweepAt(now() + minutes(5))
    }
    visit.paid = true
    visit.outcome = 'nobody accepted'
    const paidAt = now()
    const { patience } = habits.client
    const givesUpAt = paidAt + chance.between(patience.from, patience.to)
    const follow = async (known: string | undefined): Promise<void> => {
      const offer = await app.db
        .selectFrom('help_offers')
        .select(['id', 'practitioner_id', 'answer_by'])
        .where('appointment_id', '=', id)
        .where('state', '=', 'open')
        .executeTakeFirst()
      if (!offer || offer.id === known) return
      visit.asked++
      const answerBy = offer.answer_by.getTime() - midnight.getTime()
      const { accepts, declines, medianDelay, spread } = habits.answers
      const dice = chance.share()
      const answersAt = now() + Math.max(seconds(3), medianDelay * Math.exp(chance.normal() * spread))
      if (Math.min(answersAt, answerBy) >= givesUpAt) {
        plan(givesUpAt, async () => {
          const stopped = await app.call('POST', '/appointment/cancel-session', {
            token: guest.token,
            body: { appointment_id: id },
          })
          if (stopped.status === 200) visit.outcome = 'gave up waiting'
        })
      } else if (dice < accepts + declines && answersAt < answerBy) {
        plan(answersAt, async () => {
          const as = dice < accepts ? 'accept' : 'decline'
          const answer = await answerRequest(app, tokens.get(offer.practitioner_id) ?? '', offer.id, as)
          if (as === 'decline') return follow(offer.id)
          if (answer.status !== 200) return
          visit.outcome = 'matched'
          visit.waited = now() - paidAt
          visit.wholeWay = now() - visit.arrived
        })
      } else {
        plan(answerBy, async () => {
          await app.services.dispatch.sweep()
          await follow(offer.id)
        })
      }
    }
    await follow(undefined)
  }
}

/** When people come, in milliseconds since midnight: at random, thinned out by the hour. */
function planArrivals({ clients, from, to }: DayOptions, chance: ReturnType<typeof createChance>): number[] {
  const hoursOpen = arrivals.slice(from, to)
  const most = Math.max(...hoursOpen)
  const total = hoursOpen.reduce((sum, weight) => sum + weight, 0)
  const peakPerHour = (clients * most) / total
  const times: number[] = []
  let at = hours(from)
  for (;;) {
    at += (-Math.log(1 - chance.share()) / peakPerHour) * hours(1)
    if (at >= hours(to)) return times
    if (chance.happens((arrivals[Math.floor(at / hours(1))] ?? 0) / most)) times.push(at)
  }
}
