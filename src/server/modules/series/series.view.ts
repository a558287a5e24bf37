import { type Series, type SeriesPreview, shownDates } from '#contract/series/series.ts'
import { days, later, minutes } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import { feeInPlan, type Plan, planOf, type PlannedDate, type SeriesDates } from './series.dates.ts'
import { aboutOf, paymentOf, type ShownDate, toDate, toSeries, toSubject } from './series.mapper.ts'
import {
  actionsOf,
  dateActions,
  feeOn,
  localOf,
  isSuspended,
  keptUntil,
  newZoneOf,
  reaches,
  reservedFrom,
  reservedUntil,
  waitsFor,
} from './series.rules.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'
import { seriesTerms } from './series.terms.ts'

type You = 'client' | 'practitioner'
type Dependencies = Pick<SeriesDependencies, 'db' | 'clock' | 'practitioners' | 'payments' | 'reserved'> & {
  dates: SeriesDates
}

/** Series as their two people see them. */
export function createViews({ db, clock, practitioners, payments, reserved, dates }: Dependencies) {
  return {
    /** Present one series, as it is in the database now. */
    async one(row: store.SeriesRow, you: You, handle: Db = db): Promise<Series> {
      const [known] = await priceStore.listPriceChanges(handle, [row.id])
      // A price that begins after the last day is never charged.
      const price = known && reaches(row, known.from_date) ? known : undefined
      const shown = await shownOf(handle, row, you, price)
      const live = await dateStore.listLive(handle, row.id, clock.now())
      const waits = waitsFor(row, row.series_rule, clock.now())
      const nextUnpaid = dateStore.nextUnpaid(live)
      const ending = await dates.liveOfLine(handle, row.id)
      const reservedAhead = ending.filter(({ state }) => state === 'reserved')
      const paidAhead = ending.filter(({ state }) => state === 'confirmed')
      return toSeries(row, {
        you,
        subject: toSubject(
          aboutOf(row),
          await around(handle, row, you === 'practitioner' || paidAhead.length > 0),
        ),
        waitsFor: waits,
        pausedUntil:
          row.paused_until && keptUntil({ ...row, paused_until: row.paused_until }, nextUnpaid, clock.now()),
        payAppointmentId: row.paused_cause === 'unpaid' ? (nextUnpaid?.id ?? null) : null,
        price,
        card: you === 'client' ? await cardOf(handle, row) : null,
        dates: shown,
        terms: row.state === 'proposed' ? seriesTerms : null,
        can: actionsOf(row, you, {
          waitsFor: waits,
          openPriceFrom: price?.answer === null ? price.from_date : null,
          isSuspended: isSuspended(row, clock.now()),
          newZone: newZoneOf(row),
        }),
        onEnd: {
          stays: paidAhead.map(({ starts_at }) => starts_at.toISOString()),
          goes: reservedAhead.length,
          // A paused series ends at once, and one with a last day keeps it.
          last_session_at:
            you === 'practitioner' && row.state === 'active' && row.last_on === null
              ? (live[0]?.starts_at.toISOString() ?? null)
              : null,
        },
      })
    },

    /** Present a series that is not made yet. */
    async preview(
      handle: Db,
      plan: Plan,
      about: { serviceName: string; weekday: number; needsAcceptance: boolean; you: You },
    ): Promise<SeriesPreview> {
      const planned = await dates.preview(handle, plan)
      return {
        ...toSubject(
          {
            ...plan,
            ...about,
            firstOn: plan.first_on,
            everyWeeks: plan.every_weeks,
          },
          await around(handle, { practitioner_id: plan.practitionerId, location_id: plan.locationId }, false),
        ),
        dates: (await pricedPlan(handle, plan, planned, about.you)).map(toDate),
        terms: seriesTerms,
        needs_acceptance: about.needsAcceptance,
      }
    },
  }

  async function around(
    handle: Db,
    row: { practitioner_id: number; location_id: number | null },
    isKnown: boolean,
  ) {
    const card = (await practitioners.cards(handle, [row.practitioner_id])).get(row.practitioner_id)
    if (!card) throw new Error('The practitioner of a series has gone.')
    const places = await practitioners.placesById(handle, row.location_id === null ? [] : [row.location_id])
    const place = places.get(row.location_id ?? 0)
    return {
      card,
      bookable: await practitioners.listed(handle, row.practitioner_id),
      place: isKnown ? place : place?.asPublic,
    }
  }

  /** The dates of a series: those with a row, and of a live one those that follow. */
  async function shownOf(
    handle: Db,
    row: store.SeriesRow,
    you: You,
    price: priceStore.PriceRow | undefined,
  ): Promise<ShownDate[]> {
    const plan = planOf(row)
    const now = clock.now()
    if (row.state === 'proposed') {
      const planned = await dates.preview(handle, plan)
      return pricedPlan(handle, plan, planned, you)
    }
    const today = localOf(clocksOf(row.timezone), now).onDate
    const rows = await dateStore.listDates(handle, row.id, today, now)
    const known = new Set(rows.map((date) => date.on_date))
    const shown: ShownDate[] = []
    for (const date of rows) {
      const one = await shownRow(handle, { row, plan, you }, date)
      const isLive = date.session_state === 'reserved' || date.session_state === 'confirmed'
      const isOver = one.endsAt <= now
      if (!isOver && (row.state !== 'ended' || isLive)) shown.push(one)
    }
    const following = row.state === 'ended' ? [] : dates.upcoming(plan, shownDates)
    for (const onDate of following.filter((each) => !known.has(each))) {
      const startsAt = dates.startOf(plan, onDate)
      const endsAt = later(startsAt, minutes(plan.durationMinutes))
      const date = { onDate, startsAt, endsAt, isNear: startsAt <= reservedUntil(now), conflict: null }
      const one = shownPlan(date, plan, feeOn(row, price, onDate))
      const can = dateActions(
        { state: 'later', session: undefined, startsAt, skippedBy: null, isAfterEnd: false },
        { seriesState: row.state, you, now },
      )
      shown.push({ ...one, state: 'later', can: { ...one.can, ...can } })
    }
    return shown.toSorted((a, b) => a.onDate.localeCompare(b.onDate)).slice(0, shownDates)
  }

  /** Dates before they are agreed. The first one that is free costs the client what a first session costs, if it is one. */
  async function pricedPlan(handle: Db, plan: Plan, planned: PlannedDate[], you: You): Promise<ShownDate[]> {
    const first = planned.findIndex(({ isNear, conflict }) => isNear && conflict === null)
    const firstPence = feeInPlan(plan, planned[first]?.onDate ?? plan.first_on)
    const { duePence } = await reserved.previewPrice(handle, plan.clientId, firstPence)
    return planned.map((date, index) =>
      shownPlan(date, plan, you === 'client' && index === first ? duePence : feeInPlan(plan, date.onDate)),
    )
  }

  function shownPlan(date: PlannedDate, plan: Plan, feePence: number): ShownDate {
    const { payAt, payBy } = reserved.paymentPlan(date.startsAt)
    return {
      onDate: date.onDate,
      state: date.isNear ? (date.conflict ? 'conflict' : 'free') : 'later',
      startsAt: date.startsAt,
      endsAt: date.endsAt,
      rhythmStart: date.startsAt,
      session: null,
      feePence,
      payment: 'none',
      payAt,
      payBy,
      takenAtOnce: payAt <= clock.now(),
      reservedFrom: date.isNear ? null : reservedFrom(clocksOf(plan.timezone), date.startsAt),
      conflict: date.conflict,
      can: nothing,
    }
  }

  async function shownRow(
    handle: Db,
    { row, plan, you }: { row: store.SeriesRow; plan: Plan; you: You },
    date: dateStore.DateRow,
  ): Promise<ShownDate> {
    const now = clock.now()
    const rhythmStart = dates.startOf(plan, date.on_date)
    const isBooked = date.session_state === 'reserved' || date.session_state === 'confirmed'
    const startsAt = isBooked && date.starts_at ? date.starts_at : rhythmStart
    const endsAt = isBooked && date.ends_at ? date.ends_at : later(rhythmStart, minutes(row.duration_minutes))
    const planned = reserved.paymentPlan(startsAt)
    const isFrozen = isBooked && date.frozen_at !== null
    const payment = isBooked || date.session_state !== null ? paymentOf(date, now) : 'none'
    const session =
      isBooked && date.session_state
        ? { state: date.session_state, startsAt, isPaying: payment === 'checking', isFrozen }
        : undefined
    const can = dateActions(
      {
        state: date.state,
        session,
        startsAt,
        skippedBy: date.state === 'skipped' ? date.changed_by : null,
        conflictCause: date.conflict_cause,
        isAfterEnd: !reaches(row, date.on_date),
      },
      { seriesState: row.state, you, now },
    )
    const payAt = (isBooked && date.pay_at) || planned.payAt
    const payBy = (isBooked && date.pay_by) || planned.payBy
    const isOpen = date.session_state === 'reserved' && payAt <= now && now < payBy
    const isPayable = isOpen && payment !== 'checking' && !isFrozen
    return {
      onDate: date.on_date,
      state: date.state,
      startsAt,
      endsAt,
      rhythmStart,
      session:
        date.appointment_id && date.session_state
          ? { id: date.appointment_id, state: date.session_state }
          : null,
      feePence: priceOf(date, row, you),
      payment,
      payAt,
      payBy,
      takenAtOnce: false,
      isFrozen,
      ...(date.session_state === 'reserved' && { isCardSet: date.payment_method_id !== null }),
      reservedFrom: null,
      conflict:
        date.state === 'conflict' && startsAt > now
          ? await dates.conflictOf(handle, plan, {
              onDate: date.on_date,
              startsAt,
              cause: date.conflict_cause ?? 'taken',
            })
          : null,
      can: {
        ...can,
        pay: you === 'client' && isPayable,
        allow_late_payment: you === 'practitioner' && isPayable && payBy < startsAt,
      },
    }
  }

  async function cardOf(handle: Db, row: store.SeriesRow): Promise<Series['card']> {
    if (row.payment_method_id === null) return null
    const saved = (await payments.cardsById(handle, [row.payment_method_id])).get(row.payment_method_id)
    if (!saved || saved.isRemoved) return null
    return { ...saved.card, expires_soon: saved.expiresAt <= later(clock.now(), expiresSoonMs) }
  }
}

/** What the client pays for a date, and the whole price for the practitioner. */
function priceOf(date: dateStore.DateRow, { fee_pence }: store.SeriesRow, you: You): number {
  const isBooked = date.session_state === 'reserved' || date.session_state === 'confirmed'
  if (!isBooked || date.session_fee_pence === null) return fee_pence
  return date.session_fee_pence - (you === 'client' ? (date.session_discount_pence ?? 0) : 0)
}

/** A card that expires within this time is reported. */
const expiresSoonMs = days(12)

const nothing = {
  skip: false,
  restore: false,
  move: false,
  choose_time: false,
  keep: false,
  pay: false,
  allow_late_payment: false,
}
