import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import type { Series } from '#contract/series/series.ts'
import type { SeriesProposalPreview, SessionInTimeOff } from '#contract/series/therapist-series.ts'
import { clientName } from '#contract/client-name.ts'
import { pounds } from '#contract/money.ts'
import { dayNumber, days, later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, notFound, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import { planOf } from './series.dates.ts'
import {
  chosenMeanwhile,
  notChangeable,
  notOpen,
  over,
  requireLastShown,
  requireSameOffer,
} from './series.refusals.ts'
import { previewsByAccount, seriesMadeByAccount } from './series.limits.ts'
import { actionsOf, datesFrom, deadlines, earliestPrice, priceAnsweredBy, waitsFor } from './series.rules.ts'
import type { SeriesService } from './series.service.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'

const listedFor = days(90)
const maxListed = 200
/**
 * How long after the earliest possible day a new price may begin. Days. There is one new price at a time, and none can be
 * taken back: with a mistyped year there would be no other for decades.
 */
const furthestPrice = 366

type SessionWithin = Awaited<ReturnType<typeof store.listWithin>>[number]

export type PractitionerSeries = ReturnType<typeof createPractitionerSeries>

/** A practitioner's side of weekly series: proposing, accepting, price, time off and ending. */
export function createPractitionerSeries(deps: SeriesDependencies & { series: SeriesService }) {
  const { db, clock, random, limits, practitioners, schedules, payments, availability, reserved, outbox } =
    deps
  const { series, practitionerSessions, checkpoint } = deps
  const { dates, views, ending, planning } = series

  return {
    async list(caller: SignedIn): Promise<{ data: Series[] }> {
      const practitioner = await practitioners.requireOwn(db, caller)
      const since = later(clock.now(), -listedFor)
      const rows = await store.listSeries(db, { practitionerId: practitioner.id }, since, maxListed)
      const data: Series[] = []
      for (const row of rows) data.push(await views.one(row, 'practitioner'))
      return { data }
    },

    /** @throws 404; 422 by field */
    async preview(
      caller: SignedIn,
      body: BodyOf<'POST /therapist/series/preview'>,
    ): Promise<SeriesProposalPreview> {
      await limits.use(previewsByAccount, caller.accountId)
      const origin = await planning.ownSession(db, caller, body.appointment_id)
      const { plan, ...about } = await planning.planWanted(db, origin, body, 'practitioner')
      const shown = await views.preview(db, plan, { ...about, needsAcceptance: false, you: 'practitioner' })
      return { ...shown, client_name: origin.clientName }
    },

    /**
     * Proposes a series to the client of a session and keeps its first date. Repeating it returns the one that there is.
     * @throws 404; 422 by field; 409 `series_conflict` if the first date is not free, `not_changeable` if the chat is blocked,
     * `conflict` where the two have another series at this hour
     */
    async propose(caller: SignedIn, body: BodyOf<'POST /therapist/series'>): Promise<{ data: Series }> {
      await limits.use(seriesMadeByAccount, caller.accountId)
      const id = await inTransaction(db, async (tx) => {
        const origin = await planning.ownSession(tx, caller, body.appointment_id)
        const { plan, weekday } = await planning.planWanted(tx, origin, body, 'practitioner')
        const { clientId, practitionerId, startMinute } = plan
        const known = await store.findLive(tx, { clientId, practitionerId, weekday, startMinute })
        if (known !== undefined) {
          requireSameOffer(await store.findSeries(tx, known), plan)
          return known
        }
        if (await deps.bookings.isChatBlocked(tx, clientId, practitionerId)) {
          throw fail('not_changeable', 'You cannot propose regular sessions to this client at the moment.')
        }
        const rules = await practitioners.lockRules(tx, practitionerId)
        if (!rules)
          throw fail('not_changeable', 'You can propose regular sessions while clients can find you.')
        const startsAt = dates.startOf(plan, plan.first_on)
        const wanted = { ...plan, startsAt }
        const cause = await reserved.check(tx, wanted)
        const first = { onDate: plan.first_on, startsAt, cause: cause ?? 'taken' }
        if (cause) throw await dates.conflicting(tx, plan, [first])
        const { outcome, released } = await availability.take(tx, {
          practitionerId,
          clientId,
          startsAt,
          endsAt: later(startsAt, minutes(plan.durationMinutes)),
          pauseMinutes: rules.pauseMinutes,
        })
        await deps.bookings.expireOn(tx, released)
        if (typeof outcome === 'string') throw await dates.conflicting(tx, plan, [first])
        const made = await planning.insert(tx, plan, {
          weekday,
          proposedBy: 'practitioner',
          keptReservationId: outcome.reservationId,
        })
        if (!made.isNew)
          throw fail('conflict', 'These regular sessions were changed meanwhile. Please try again.')
        await outbox.note(tx, made.id, 'proposed')
        return made.id
      })
      return series.detail(caller, id)
    },

    /** Accepts what a client has asked for. Repeating it changes nothing. @throws 404; 409 `series_over` */
    async accept(caller: SignedIn, id: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.accepted_at !== null && row.state !== 'ended') return
        if (waitsFor(row, row.series_rule, clock.now()) !== 'practitioner') throw proposalOver()
        const now = clock.now()
        await store.changeSeries(tx, id, {
          accepted_at: now,
          proposed_until: later(now, deadlines.proposal),
        })
        await outbox.note(tx, id, 'accepted')
        await dates.announce(tx, id)
      })
      return series.detail(caller, id)
    },

    /** Declines or withdraws a proposal. Repeating it changes nothing. @throws 404; 409 `series_over` */
    async decline(caller: SignedIn, id: string, reason: string | null): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'ended') return
        if (row.state !== 'proposed')
          throw fail('not_changeable', 'These regular sessions are agreed already.')
        await ending.end(tx, row, { by: 'practitioner', cause: 'declined', reason: reason || null })
      })
      return series.detail(caller, id)
    },

    /**
     * Ends a series with the next session, or at once with a reason. Repeating it changes nothing.
     * @throws 404; 422 `reason`; 409 `not_changeable` of a proposal, `changed_elsewhere` where it would not end as shown
     */
    async end(
      caller: SignedIn,
      id: string,
      { at_once: atOnce, reason, last_session_at: shown }: BodyOf<'POST /therapist/series/{series_id}/end'>,
    ): Promise<{ data: Series }> {
      if (atOnce && !reason) {
        throw invalidField('reason', 'Write a few words to your client: they read why it ends at once.')
      }
      const intents = await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'ended') return []
        if (row.state === 'proposed') throw fail('not_changeable', 'Decline the proposal instead.')
        const why = { by: 'practitioner', cause: 'by_choice', reason: reason || null } as const
        if (atOnce) return ending.end(tx, row, why)
        const [next] = await dateStore.listLive(tx, id, clock.now())
        requireLastShown(row, next, shown)
        if (row.last_on !== null) return []
        // Nothing is booked that there could be a goodbye in.
        if (!next || row.state === 'paused') return ending.end(tx, row, why)
        return ending.endWith(tx, row, { ...why, lastOn: next.on_date, lastAt: next.starts_at })
      })
      await checkpoint('series ended by the practitioner')
      await payments.finishSoon({ intents })
      return series.detail(caller, id)
    },

    /** Announces a new price. @throws 404; 422 `fee`, `from`; 409 `not_changeable`, `series_over` */
    async newPrice(
      caller: SignedIn,
      id: string,
      { fee, from }: BodyOf<'POST /therapist/series/{series_id}/new-price'>,
    ): Promise<{ data: Series }> {
      const feePence = Math.round(fee * 100)
      if (Math.abs(fee * 100 - feePence) > 1e-6) throw invalidField('fee', 'Enter pounds and whole pence.')
      if (feePence < 100 || feePence > 100_000) throw invalidField('fee', 'A session costs £1 to £1,000.')
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        const [open] = await priceStore.listPriceChanges(tx, [id])
        if (open && open.fee_pence === feePence && open.answer === null) return
        const can = actionsOf(row, 'practitioner', {
          waitsFor: null,
          openPriceFrom: open?.from_date ?? null,
          isSuspended: false,
          newZone: undefined,
        })
        if (!can.propose_price) {
          throw row.state === 'ended'
            ? over()
            : fail('not_changeable', 'There is a new price already, or these regular sessions do not go on.')
        }
        if (feePence === row.fee_pence) throw invalidField('fee', 'This is the price already.')
        const now = clock.now()
        const plan = planOf(row)
        const earliest = earliestPrice(clocksOf(row.timezone), now)
        if (from < earliest) throw invalidField('from', 'Give your client at least 28 days.')
        if (dayNumber(from) - dayNumber(earliest) > furthestPrice) {
          throw invalidField('from', 'Choose a day within a year.')
        }
        const [fromDate] = datesFrom(plan, from, { count: 1 })
        if (fromDate === undefined) throw invalidField('from', 'There is no session from that day on.')
        const change = {
          id: random.uuid(now),
          series_id: id,
          fee_pence: feePence,
          from_date: fromDate,
          asked_at: now,
          answer_by: priceAnsweredBy(dates.startOf(plan, fromDate)),
        }
        if (!(await priceStore.insertPriceChange(tx, change))) {
          throw fail('not_changeable', 'There is a new price already.')
        }
        await outbox.note(tx, id, 'new_price', {
          about: change.id,
          fee_pence: feePence,
          from_date: fromDate,
          answer_by: change.answer_by.toISOString(),
        })
        await dates.announce(tx, id)
      })
      return series.detail(caller, id)
    },

    /**
     * Reserves a date that only a busy time in the caller's other calendar is in the way of. Repeating it changes nothing.
     * @throws 404; 409 `series_conflict`, `series_over`, `not_changeable`, `changed_elsewhere` once it has another time
     */
    async keep(caller: SignedIn, id: string, onDate: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = owned('series', caller, await store.lockToBook(tx, id))
        if (row.state !== 'active') throw notOpen(row)
        const date = await dateStore.findDate(tx, id, onDate)
        if (!date) throw notFound('This date')
        if (date.state === 'planned') return
        if (date.state === 'moved') throw chosenMeanwhile()
        if (date.state !== 'conflict') throw notChangeable()
        const startsAt = dates.startOf(planOf(row), onDate)
        const feePence = await series.feeOf(tx, row, onDate)
        const wanted = { onDate, startsAt, by: 'practitioner' as const, mayBeBusyElsewhere: true }
        await dates.reserveOwn(tx, row, feePence, wanted)
        await outbox.note(tx, id, 'kept', { about: onDate, starts: [startsAt.toISOString()] })
        await dates.announce(tx, id)
      })
      return series.detail(caller, id)
    },

    /** The sessions of series in a range of time off that is wanted. @throws 422 by field */
    async inTimeOff(
      caller: SignedIn,
      body: BodyOf<'POST /therapist/series/in-time-off'>,
    ): Promise<AnswerOf<'POST /therapist/series/in-time-off'>> {
      const { id, range } = await schedules.rangeOf(caller, body)
      return { data: (await listAhead(id, range)).map(toSession) }
    },

    /**
     * Skips the sessions of series that lie in time off. Paid ones are refunded in full. Unpaid ones of a series are skipped
     * in the transaction of its mail, so that none is skipped in silence. Repeating it goes on with those that are left.
     * One that is moved away meanwhile is left, as are all but `only` those. Returns both. @throws 404
     */
    async skipInTimeOff(
      caller: SignedIn,
      timeOffId: number,
      { only }: BodyOf<'POST /therapist/time-off/{id}/skip-series'>,
    ): Promise<AnswerOf<'POST /therapist/time-off/{id}/skip-series'>> {
      const { id, range } = await schedules.timeOffOf(caller, timeOffId)
      const startOf = only && new Map(only.map((each) => [each.appointment_id, Date.parse(each.starts_at)]))
      const found = (await listAhead(id, range)).filter(
        (session) => !startOf || startOf.get(session.id) === session.starts_at.getTime(),
      )
      for (const [seriesId, theirs] of Map.groupBy(found, (session) => session.series_id)) {
        const [paid, unpaid] = [[], []] as [SessionWithin[], SessionWithin[]]
        for (const session of theirs) {
          if (session.state !== 'confirmed') unpaid.push(session)
          else if (await skipPaid(caller, session)) paid.push(session)
        }
        const { intents, changed } = await inTransaction(db, (tx) =>
          skipUnpaid(tx, seriesId, { paid, unpaid }),
        )
        await payments.finishSoon({ intents })
        await checkpoint('dates skipped for time off')
        for (const session of changed) await skipPaid(caller, session)
      }
      const named = [...(startOf?.keys() ?? found.map((session) => session.id))]
      const left = await listAhead(id, range, named)
      const leftIds = new Set(left.map((session) => session.id))
      return {
        data: found.filter((session) => !leftIds.has(session.id)).map(toSession),
        left: left.map(toSession),
      }
    },
  }

  /** The sessions of series that begin in a range or are named, without those that have begun. */
  async function listAhead(
    practitionerId: number,
    range: { from: Date; to: Date },
    named: readonly string[] = [],
  ): Promise<SessionWithin[]> {
    const now = clock.now()
    const found = await store.listWithin(db, practitionerId, range, named)
    return found.filter(({ starts_at }) => starts_at > now)
  }

  /** Skips unpaid sessions of a series and mails its client about all that are skipped. Returns those paid or moved meanwhile. */
  async function skipUnpaid(
    tx: Tx,
    seriesId: string,
    { paid, unpaid }: { paid: readonly SessionWithin[]; unpaid: readonly SessionWithin[] },
  ): Promise<{ intents: string[]; changed: SessionWithin[] }> {
    const intents: string[] = []
    const changed: SessionWithin[] = []
    for (const session of unpaid) {
      const why = { by: 'practitioner', code: 'absence', startsAt: session.starts_at } as const
      const begun = await dates.cancelUnpaid(tx, session.id, why)
      if (begun) intents.push(...begun)
      else changed.push(session)
    }
    const skipped = [...paid, ...unpaid.filter((session) => !changed.includes(session))]
    if (skipped.length > 0) {
      await outbox.note(tx, seriesId, 'skipped', {
        starts: skipped.map(({ starts_at }) => starts_at.toISOString()).toSorted(),
        refund_pence: paid.reduce(
          (sum, { fee_pence, discount_pence }) => sum + fee_pence - discount_pence,
          0,
        ),
      })
    }
    return { intents, changed }
  }

  /** Returns false for one that was moved meanwhile, which is left. */
  async function skipPaid(caller: SignedIn, session: SessionWithin): Promise<boolean> {
    try {
      await practitionerSessions.cancel(caller, session.id, { starts_at: session.starts_at.toISOString() })
    } catch (error) {
      if (error instanceof ProductError && error.code === 'changed_elsewhere') return false
      throw error
    }
    await inTransaction(db, async (tx) => {
      const skipped = { state: 'skipped', by: 'practitioner', at: clock.now() } as const
      await dateStore.setDateState(tx, session.series_id, session.on_date, skipped)
      await dates.announce(tx, session.series_id)
    })
    await checkpoint('paid date skipped for time off')
    return true
  }

  async function lockOwn(tx: Tx, caller: SignedIn, id: string): Promise<store.SeriesRow> {
    return owned('series', caller, await store.lockSeries(tx, id))
  }
}

function toSession(row: SessionWithin): SessionInTimeOff {
  return {
    appointment_id: row.id,
    series_id: row.series_id,
    on_date: row.on_date,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    client_name: clientName({ firstName: row.first_name, lastName: row.last_name }),
    service_name: row.service_name,
    paid: row.state === 'confirmed',
    fee: pounds(row.fee_pence),
    price: pounds(row.fee_pence - row.discount_pence),
  }
}

const proposalOver = () => fail('series_over', 'This proposal is no longer open.')
