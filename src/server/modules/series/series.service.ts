import type { BodyOf } from '#contract/endpoints.ts'
import type { Series, SeriesPreview } from '#contract/series/series.ts'
import { days, later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { SeriesDependencies } from './series.deps.ts'
import { createDates, planOf } from './series.dates.ts'
import { createEnding } from './series.ending.ts'
import { createClientDates } from './series.client-dates.ts'
import {
  agreedMeanwhile,
  notChangeable,
  notOpen,
  over,
  requireChangedTo,
  requirePlacesFree,
  requirePriceShown,
  requireSeriesShown,
  requireTermsRead,
} from './series.refusals.ts'
import { seriesExtendJob } from './series.jobs.ts'
import { createPlanning, noLongerListed } from './series.planning.ts'
import { previewsByAccount, seriesMadeByAccount } from './series.limits.ts'
import { actionsOf, isSuspended, newZoneOf, reaches, waitsFor } from './series.rules.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'
import { seriesTerms } from './series.terms.ts'
import { createViews } from './series.view.ts'

/** How long a series that ended is listed. */
const listedFor = days(90)
const maxListed = 50

export type SeriesService = ReturnType<typeof createSeries>

/** Weekly series of a client: agreeing, skipping, changing and ending. The practitioner's side is in `series.practitioner.ts`. */
export function createSeries(deps: SeriesDependencies) {
  const { db, clock, queue, limits, practitioners, payments, availability, reserved, consents, outbox } = deps
  const { bookings, checkpoint } = deps
  const dates = createDates(deps)
  const views = createViews({ ...deps, dates })
  const ending = createEnding({ ...deps, dates })
  const planning = createPlanning({ ...deps, dates })
  const clientDates = createClientDates({ ...deps, dates, lockOwn, lockToBook, present })

  return {
    dates,
    views,
    ending,
    skip: clientDates.skip,
    restore: clientDates.restore,
    move: clientDates.move,
    away: clientDates.away,

    /** @throws 404; 422 by field */
    async preview(caller: SignedIn, body: BodyOf<'POST /series/preview'>): Promise<SeriesPreview> {
      await limits.use(previewsByAccount, caller.accountId)
      const { plan, ...about } = await planning.planOfClient(db, caller, body)
      return views.preview(db, plan, { ...about, you: 'client' })
    },

    /**
     * Proposes a series. Repeating it returns the one that there is.
     * @throws 404; 422 by field; 409 `not_changeable` where the practitioner keeps no weekly hours
     */
    async create(caller: SignedIn, body: BodyOf<'POST /series'>): Promise<{ data: Series }> {
      await limits.use(seriesMadeByAccount, caller.accountId)
      const id = await inTransaction(db, async (tx) => {
        const { plan, weekday, needsAcceptance } = await planning.planOfClient(tx, caller, body)
        const known = await store.findLive(tx, { ...plan, weekday })
        if (known !== undefined) return known
        const planned = await dates.preview(tx, plan)
        if (planned.every(({ conflict }) => conflict !== null)) {
          throw invalidField(
            body.start == null ? 'appointment_id' : 'start',
            'This hour is not free in any of the next weeks. Please choose another one.',
            'slot_not_offered',
          )
        }
        const made = await planning.insert(tx, plan, {
          weekday,
          proposedBy: 'client',
          keptReservationId: null,
        })
        if (made.isNew && needsAcceptance) await outbox.note(tx, made.id, 'asked')
        return made.id
      })
      return present(caller, id)
    },

    async list(caller: SignedIn): Promise<{ data: Series[] }> {
      const rows = await store.listSeries(
        db,
        { clientId: caller.accountId },
        later(clock.now(), -listedFor),
        maxListed,
      )
      const data: Series[] = []
      for (const row of rows) data.push(await views.one(row, 'client'))
      return { data }
    },

    /** One series, for either of its two. @throws 404 */
    detail: present,

    /**
     * Agrees to a series with a saved card, in one transaction with its first dates. Repeating it changes nothing.
     * @throws 404; 409 `series_over`, `series_conflict`, `changed_elsewhere`; 422 under `customer_id`
     */
    async agree(
      caller: SignedIn,
      id: string,
      body: BodyOf<'POST /series/{series_id}/agree'>,
    ): Promise<{ data: Series }> {
      const methodId = await savedCard(caller, body.customer_id)
      await inTransaction(db, async (tx) => {
        const row = await lockToBook(tx, caller, id)
        requireSeriesShown(row, body.shown)
        if (row.state === 'active') return
        if (waitsFor(row, row.series_rule, clock.now()) !== 'client') throw notOpen(row)
        requireTermsRead(body.terms_version)
        if (!(await practitioners.listed(tx, row.practitioner_id))) throw noLongerListed()
        await bookings.requireUnblocked(tx, caller.accountId, row.practitioner_id)
        const plan = planOf(row)
        if (row.kept_reservation_id) await availability.release(tx, row.kept_reservation_id)
        const { extendedTo } = await dates.agree(tx, { id, methodId }, plan, body.dates)
        await store.changeState(
          tx,
          id,
          { from: 'proposed', to: 'active', by: 'client' },
          {
            payment_method_id: methodId,
            agreed_at: clock.now(),
            terms_version: seriesTerms.version,
            kept_reservation_id: null,
            extended_to: extendedTo,
          },
        )
        await agreed(tx, caller, id)
      })
      await checkpoint('series agreed')
      await payNear(caller, id, methodId)
      return present(caller, id)
    },

    /** @throws 404; 422 by field; 409 `series_over` */
    async previewChange(
      caller: SignedIn,
      id: string,
      body: BodyOf<'POST /series/{series_id}/change-preview'>,
    ): Promise<SeriesPreview> {
      await limits.use(previewsByAccount, caller.accountId)
      const row = await ownSeries(db, caller, id)
      requireChangeable(row)
      const plan = await planning.changedPlan(db, row, body)
      const service = await planning.serviceNamed(db, plan)
      const live = await dates.liveOfLine(db, id, body.from)
      const goes = new Set(live.filter((each) => each.state === 'reserved' && each.starts_at > clock.now()))
      const stays = live.filter((session) => !goes.has(session))
      const held = planning.heldBy(plan, stays)
      const frees = [...goes].flatMap(({ reservation_id }) => reservation_id ?? [])
      const shown = await views.preview(
        db,
        { ...plan, frees },
        { serviceName: service, weekday: body.weekday, needsAcceptance: false, you: 'client' },
      )
      // A session that stays is not in the way of its own hour.
      return {
        ...shown,
        dates: shown.dates.map((date) =>
          date.conflict && held.has(date.on_date)
            ? { ...date, state: date.state === 'conflict' ? ('free' as const) : date.state, conflict: null }
            : date,
        ),
      }
    },

    /**
     * Changes the rhythm in one transaction: the series ends, its unpaid dates from `from` on are released, and a new one
     * goes on in its place. Paid sessions stay.
     * @throws 404; 422 by field; 409 `series_conflict`, `series_over`, `changed_elsewhere`, with nothing changed
     */
    async change(
      caller: SignedIn,
      id: string,
      body: BodyOf<'POST /series/{series_id}/change'>,
    ): Promise<{ data: Series }> {
      const changed = await inTransaction(db, async (tx) => {
        const row = await lockToBook(tx, caller, id)
        const continuedBy = row.state === 'ended' ? row.continued_by : null
        if (continuedBy === null) requireChangeable(row)
        const plan = await planning.changedPlan(tx, row, body)
        if (continuedBy !== null) {
          requireChangedTo(await store.findSeries(tx, continuedBy), plan)
          return { id: continuedBy, intents: [] }
        }
        const methodId = row.payment_method_id
        if (methodId === null) throw over()
        const intents = await ending.release(tx, row, { from: body.from, by: 'client' })
        await ending.close(tx, row, { by: 'client', cause: 'changed' })
        const paid = await dates.liveOfLine(tx, id, body.from)
        const made = await planning.insert(tx, plan, {
          weekday: body.weekday,
          proposedBy: 'client',
          keptReservationId: null,
          agreed: { methodId, acceptedAt: row.accepted_at },
        })
        if (!made.isNew) {
          throw fail('conflict', 'You have regular sessions at this hour already.')
        }
        await store.changeSeries(tx, id, { continued_by: made.id })
        if (plan.newPrice) await priceStore.handOver(tx, plan.newPrice.id, made.id)
        const held = planning.heldBy(plan, paid)
        const { extendedTo } = await dates.agree(tx, { id: made.id, methodId }, plan, body.dates, held)
        await store.changeSeries(tx, made.id, { extended_to: extendedTo })
        await agreed(tx, caller, made.id, row)
        return { id: made.id, intents }
      })
      await checkpoint('series changed')
      await payments.finishSoon({ intents: changed.intents })
      return present(caller, changed.id)
    },

    /** Ends a series at once, or declines a proposal. Repeating it changes nothing. @throws 404; 409 `changed_elsewhere` */
    async end(
      caller: SignedIn,
      id: string,
      { reason, proposal_only: isProposalOnly }: BodyOf<'POST /series/{series_id}/end'>,
    ): Promise<{ data: Series }> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'ended') return []
        if (isProposalOnly && row.state !== 'proposed') throw agreedMeanwhile()
        const cause = row.state === 'proposed' ? 'declined' : 'by_choice'
        return ending.end(tx, row, { by: 'client', cause, reason: reason || null })
      })
      await checkpoint('series ended')
      await payments.finishSoon({ intents })
      return present(caller, id)
    },

    /** Goes on after a reinstatement, also with the dates that the suspension or lapse cancelled. @throws 404; 409 `not_changeable` */
    async resume(caller: SignedIn, id: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'active') return
        if (!can(row).resume) throw row.state === 'ended' ? over() : notChangeable()
        await store.changeState(tx, id, { from: 'paused', to: 'active', by: 'client' })
        // A pause for want of payment before the suspension has taken it off.
        await dates.useCard(tx, { ...row, paused_cause: null })
        await dates.makeAgain(tx, row)
        await queue.enqueue(tx, seriesExtendJob, { series_id: id })
        await dates.announce(tx, id)
      })
      return present(caller, id)
    },

    /**
     * Confirms the hour as the clocks of the practitioner's new zone show it, for the caller's side. Repeating it changes
     * nothing. @throws 404; 409 `changed_elsewhere` if the practitioner's zone is another one by now
     */
    async confirmZone(caller: SignedIn, id: string, timezone: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state === 'ended') throw over()
        if (newZoneOf(row)?.timezone !== timezone) {
          throw fail(
            'changed_elsewhere',
            'The time zone has changed again. Please look at the hour once more.',
          )
        }
        await store.changeSeries(
          tx,
          id,
          caller.role === 'client'
            ? { zone_confirmed_by_client: timezone }
            : { zone_confirmed_by_practitioner: timezone },
        )
        await dates.announce(tx, id)
      })
      return present(caller, id)
    },

    /** Changes the card. @throws 404; 409 `series_over`; 422 under `customer_id` */
    async setCard(
      caller: SignedIn,
      id: string,
      { customer_id: customerId }: BodyOf<'PUT /series/{series_id}/card'>,
    ): Promise<{ data: Series }> {
      const methodId = await savedCard(caller, customerId)
      await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        if (row.state !== 'active' && row.state !== 'paused') throw notOpen(row)
        await store.changeSeries(tx, id, { payment_method_id: methodId })
        await dates.useCard(tx, { ...row, payment_method_id: methodId })
        await dates.announce(tx, id)
      })
      return present(caller, id)
    },

    /** Answers a new price. Declined, the series ends before its first date. @throws 404; 409 `not_changeable`, `changed_elsewhere` */
    async answerPrice(
      caller: SignedIn,
      id: string,
      { accept, shown }: BodyOf<'POST /series/{series_id}/price'>,
    ): Promise<{ data: Series }> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        const [price] = await priceStore.listPriceChanges(tx, [id])
        requirePriceShown(price, shown)
        if (price?.answer === 'accepted' && accept) return []
        const isOpen = price?.answer === null && price.answer_by > clock.now()
        if (!isOpen || !reaches(row, price.from_date)) {
          throw row.state === 'ended' ? over() : notChangeable()
        }
        return ending.priceAnswered(tx, row, price, accept ? 'accepted' : 'declined', clock.now())
      })
      await payments.finishSoon({ intents })
      return present(caller, id)
    },

    requirePlacesFree,
    // For the practitioner's side and the sweep.
    planning,
    feeOf: clientDates.feeOf,
  }

  /** What follows an agreement, in its transaction. `replaced` is the series in whose place it goes on. */
  async function agreed(tx: Tx, caller: SignedIn, id: string, replaced?: store.SeriesRow): Promise<void> {
    await consents.give(tx, {
      accountId: caller.accountId,
      scope: 'series',
      subject: id,
      textVersion: seriesTerms.version,
    })
    await outbox.note(tx, id, 'agreed', replaced && { replaced: dates.rhythmOf(replaced) })
    await queue.enqueue(tx, seriesExtendJob, { series_id: id })
    await dates.announce(tx, id)
  }

  /**
   * Pays the sessions whose money is due already, with the client present. The series stays agreed if a payment fails.
   * @throws 402 with the session and the series
   */
  async function payNear(caller: SignedIn, seriesId: string, methodId: string): Promise<void> {
    const now = clock.now()
    for (const { id, state, pay_at: payAt } of await dateStore.listLive(db, seriesId, now)) {
      if (state !== 'reserved' || payAt === null || payAt > now) continue
      await reserved.pay(caller, id, methodId).catch((error: unknown) => {
        if (!(error instanceof ProductError)) throw error
        const details = { ...error.details, appointment_id: id, series_id: seriesId }
        throw new ProductError(error.code, error.message, { details, cause: error })
      })
    }
  }

  /** The saved card of the caller. @throws 404; 422 for a card of a single session */
  async function savedCard(caller: SignedIn, customerId: string): Promise<string> {
    const { id } = await payments.cardToPayWith(caller, customerId)
    const saved = (await payments.cardsById(db, [id])).get(id)
    if (!saved?.isRemembered) {
      throw invalidField('customer_id', 'Choose a saved card: regular sessions are paid with it each time.')
    }
    return id
  }

  async function ownSeries(handle: Db, caller: SignedIn, id: string): Promise<store.SeriesRow> {
    return owned('series', caller, await store.findSeries(handle, id))
  }

  async function lockOwn(tx: Tx, caller: SignedIn, id: string): Promise<store.SeriesRow> {
    return owned('series', caller, await store.lockSeries(tx, id))
  }

  async function lockToBook(tx: Tx, caller: SignedIn, id: string): Promise<store.SeriesRow> {
    return owned('series', caller, await store.lockToBook(tx, id))
  }

  async function present(caller: SignedIn, id: string): Promise<{ data: Series }> {
    const row = await ownSeries(db, caller, id)
    return { data: await views.one(row, caller.role === 'client' ? 'client' : 'practitioner') }
  }

  function can(row: store.SeriesRow) {
    return actionsOf(row, 'client', {
      waitsFor: waitsFor(row, row.series_rule, clock.now()),
      openPriceFrom: null,
      newZone: newZoneOf(row),
      isSuspended: isSuspended(row, clock.now()),
    })
  }

  function requireChangeable(row: store.SeriesRow): void {
    if (!can(row).change) throw notOpen(row)
  }
}
