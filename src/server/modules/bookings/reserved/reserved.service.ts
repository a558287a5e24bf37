import type { AppointmentType } from '#contract/common.ts'
import { later } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { referralDiscountPercent } from '../../accounts/accounts.service.ts'
import type { Obstacle } from '../../availability/agreed-times.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { type CancelCode, priceOf } from '../bookings.rules.ts'
import { type Bookings, changeOf, notChangeable, requireUnmoved, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { mayBeInCalendar } from '../mails/bookings.mails.store.ts'
import { paymentPlan } from './reserved.rules.ts'
import { createReservedPayments } from './reserved.payment.ts'
import type { ReservedPrices } from './reserved.price.ts'
import * as reservedStore from './reserved.store.ts'

type Dependencies = BookingDependencies & { bookings: Pick<Bookings, 'expireOn'>; prices: ReservedPrices }

/** A date of a series. */
export type WantedDate = {
  seriesId: string
  clientId: string
  practitionerId: number
  serviceId: number
  appointmentType: AppointmentType
  locationId: number | null
  startsAt: Date
  durationMinutes: number
  feePence: number
  /** The zone of the agreement. */
  timezone: string
  /** The practitioner has proposed the time. */
  mayLieOutsideSchedule: boolean
  /** The practitioner keeps the time although their other calendar is busy then. */
  mayBeBusyElsewhere?: boolean
  /** The card to charge without the client; null if the client pays on the page. */
  methodId: string | null
}

type WantedTime = Omit<WantedDate, 'seriesId' | 'serviceId' | 'feePence' | 'methodId'>

/** Alternatives to a time that cannot be had. */
const alternatives = 3

/** Cancellations that come with a mail of the series. It takes nothing out of a calendar. */
const mailedBySeries: readonly (CancelCode | undefined)[] = ['series_ended', 'absence', 'closed']

export type Reserved = ReturnType<typeof createReserved>

/**
 * Sessions of weekly series: their time is booked first, and paid two days before they start. For the module of series,
 * which learns of every change by `session.changed`.
 */
export function createReserved(deps: Dependencies) {
  const { clock, random, events, availability, payments, outbox, bookings, prices } = deps
  const money = createReservedPayments(deps)

  return {
    sweep: money.sweep,
    figures: money.figures,
    pay: money.pay,
    afterAuthentication: money.afterAuthentication,

    /** Reserves a date of a series. Repeating it returns the same appointment. */
    async reserve(tx: Tx, wanted: WantedDate): Promise<{ appointmentId: string } | { conflict: Obstacle }> {
      const { seriesId, clientId, practitionerId, startsAt } = wanted
      const known = await reservedStore.findOfSeries(tx, seriesId, startsAt)
      if (known) return { appointmentId: known }
      const { pauseMinutes, conflict } = await availability.obstacleTo(tx, wanted, { isLocked: true })
      const isIgnored = conflict === 'busy_elsewhere' && wanted.mayBeBusyElsewhere
      if (conflict && !isIgnored) return meanwhile(tx, wanted, conflict)
      const endsAt = later(startsAt, wanted.durationMinutes * 60_000)
      const time = { startsAt, endsAt, pauseMinutes }
      const { outcome, released } = await availability.take(tx, { practitionerId, clientId, ...time })
      await bookings.expireOn(tx, released)
      if (outcome === 'taken') return meanwhile(tx, wanted, 'taken')
      if (outcome === 'client_busy') return meanwhile(tx, wanted, 'own_session')
      const now = clock.now()
      const { payAt, payBy } = paymentPlan(startsAt, now)
      const id = random.uuid(now)
      await reservedStore.insertReserved(tx, {
        id,
        series_id: seriesId,
        client_id: clientId,
        practitioner_id: practitionerId,
        service_id: wanted.serviceId,
        appointment_type: wanted.appointmentType,
        location_id: wanted.locationId,
        reservation_id: outcome.reservationId,
        payment_method_id: wanted.methodId,
        starts_at: startsAt,
        ends_at: endsAt,
        fee_pence: wanted.feePence,
        timezone: wanted.timezone,
        pay_at: payAt,
        pay_by: payBy,
        now,
      })
      await events.announce(tx, 'session.changed', { appointmentId: id, practitionerId })
      return { appointmentId: id }
    },

    /**
     * Reserves those of several dates of a series that nothing is in the way of, in one trip each for their times and their
     * sessions. Returns the appointments by start in epoch milliseconds; `reserve` tells what is in the way of the others.
     */
    async reserveClear(
      tx: Tx,
      wanted: Omit<WantedDate, 'startsAt' | 'feePence'>,
      dates: readonly Pick<WantedDate, 'startsAt' | 'feePence'>[],
    ): Promise<Map<number, string>> {
      const startsAt = dates.map((date) => date.startsAt)
      const reservations = await availability.takeClear(tx, { ...wanted, startsAt })
      if (reservations.size === 0) return new Map()
      const { clientId, practitionerId } = wanted
      const now = clock.now()
      const made = dates.flatMap((date) => {
        const reservationId = reservations.get(date.startsAt.getTime())
        const endsAt = later(date.startsAt, wanted.durationMinutes * 60_000)
        const plan = paymentPlan(date.startsAt, now)
        return reservationId ? { ...date, ...plan, id: random.uuid(now), reservationId, endsAt } : []
      })
      await reservedStore.insertAllReserved(tx, {
        ids: made.map(({ id }) => id),
        reservations: made.map(({ reservationId }) => reservationId),
        starts: made.map((date) => date.startsAt),
        ends: made.map(({ endsAt }) => endsAt),
        fees: made.map(({ feePence }) => feePence),
        payAt: made.map(({ payAt }) => payAt),
        payBy: made.map(({ payBy }) => payBy),
        seriesId: wanted.seriesId,
        clientId,
        practitionerId,
        serviceId: wanted.serviceId,
        appointmentType: wanted.appointmentType,
        locationId: wanted.locationId,
        methodId: wanted.methodId,
        timezone: wanted.timezone,
        now,
      })
      const sessions = made.map(({ id, ...time }) => ({ appointmentId: id, ...time }))
      await events.announce(tx, 'sessions.reserved', { clientId, practitionerId, sessions })
      return new Map(made.map((date) => [date.startsAt.getTime(), date.id]))
    },

    /** What `reserve` would find in the way of a time now, once the reservations of `except` are released. */
    async check(
      handle: Db,
      wanted: WantedTime,
      except: readonly string[] = [],
    ): Promise<Obstacle | undefined> {
      return (await availability.obstacleTo(handle, wanted, { isLocked: false, except })).conflict
    },

    /** Up to three free times of the week of a date, nearest to it first. */
    async nearestFree(
      handle: Db,
      wanted: Omit<WantedTime, 'mayLieOutsideSchedule'>,
    ): Promise<{ startsAt: Date; endsAt: Date; locationId: number | null }[]> {
      const slots = await availability.nearestFree(handle, wanted, alternatives)
      return slots.map((slot) => ({
        startsAt: new Date(slot.startsAt),
        endsAt: new Date(slot.endsAt),
        locationId: slot.locationId,
      }))
    },

    /** Has the reserved sessions of a series charged to another card; null charges none without the client. */
    useCard: reservedStore.setCard,

    /** Changes the price of a session that is not paid. */
    setFee: (tx: Tx, id: string, feePence: number) =>
      reservedStore.setFee(tx, id, priceOf(feePence, referralDiscountPercent)),

    useDiscount: prices.useDiscount,
    previewPrice: prices.preview,

    /** When the money of a session that is reserved now is taken, and until when it can be paid. */
    paymentPlan: (startsAt: Date) => paymentPlan(startsAt, clock.now()),

    /**
     * Cancels a reserved session, for which nothing was paid, and releases its time. Repeating it changes nothing. Returns
     * the payment intents to void after the commit; a job does it at the latest.
     * @param startsAt when it begins, by what is known of it
     * @throws 409 `not_changeable` once it is paid, `changed_elsewhere` once it was moved
     */
    async cancelReserved(
      tx: Tx,
      id: string,
      {
        by,
        code,
        reason = null,
        startsAt,
      }: {
        by: 'client' | 'practitioner' | 'system'
        code?: CancelCode
        reason?: string | null
        startsAt?: Date
      },
    ): Promise<string[]> {
      const row = await store.lockAppointment(tx, id)
      if (row?.state === 'cancelled') return []
      if (row?.state !== 'reserved') throw notChangeable()
      requireUnmoved(row, startsAt?.toISOString())
      await store.changeState(tx, id, 'reserved', 'cancelled', {
        cancelled_by: by,
        cancel_reason: reason,
        ...(code ? { cancel_code: code } : {}),
      })
      if (row.reservation_id) await availability.release(tx, row.reservation_id)
      const intents = await payments.releaseAll(tx, id)
      const after = await reread(tx, id)
      if (!mailedBySeries.includes(code) || (await mayBeInCalendar(tx, id))) {
        await outbox.note(tx, after, 'cancelled')
      }
      await events.announce(tx, 'session.changed', changeOf(after))
      return intents
    },
  }

  /** The same date may have been reserved by a concurrent call, which then is in its own way. */
  async function meanwhile(tx: Tx, { seriesId, startsAt }: WantedDate, conflict: Obstacle) {
    const known = conflict === 'taken' ? await reservedStore.findOfSeries(tx, seriesId, startsAt) : undefined
    return known ? { appointmentId: known } : { conflict }
  }
}
