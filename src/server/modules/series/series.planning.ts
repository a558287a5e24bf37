import type { BodyOf } from '#contract/endpoints.ts'
import type { AppointmentState } from '#contract/bookings/bookings.ts'
import { type SeriesWanted, shownDates } from '#contract/series/series.ts'
import type { AppointmentType } from '#contract/common.ts'
import { clientName } from '#contract/client-name.ts'
import { dayNumber, dayText, later, minuteOf, weekdayOf } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import type { Plan, SeriesDates } from './series.dates.ts'
import { deadlines, firstOn, localOf, nextInRhythm } from './series.rules.ts'
import * as store from './series.store.ts'
import { listPriceChanges } from './series-prices.store.ts'
import { unanswered } from './series.refusals.ts'
import { seriesTerms } from './series.terms.ts'

/** A session that a series is wished for from. */
type Origin = {
  clientId: string
  practitionerId: number
  serviceId: number | null
  appointmentType: AppointmentType | null
  locationId: number | null
  startsAt: Date | null
}

/** Sessions that a series may go on from: booked ones and past ones. */
const origins: readonly AppointmentState[] = ['confirmed', 'completed', 'no_show']

/** How far ahead a series may begin. Days. */
const furthestFirst = 70

type Dependencies = Pick<SeriesDependencies, 'clock' | 'random' | 'practitioners' | 'bookings'> & {
  dates: SeriesDates
}

/** What a series is to be: what is asked for, completed by a session and checked against what there is. */
export function createPlanning({ clock, random, practitioners, bookings, dates }: Dependencies) {
  return { planOfClient, planWanted, changedPlan, heldBy, serviceNamed, ownSession, insert }

  /** What a client wants, completed and checked against what there is. */
  async function planOfClient(handle: Db, caller: SignedIn, body: SeriesWanted) {
    const origin = await originOf(handle, caller, body)
    const made = await planWanted(handle, { ...origin, clientId: caller.accountId }, body, 'client')
    const work = await practitioners.work(handle, made.plan.practitionerId)
    if (!work || !(await practitioners.listed(handle, made.plan.practitionerId))) throw noLongerListed()
    await bookings.requireUnblocked(handle, caller.accountId, made.plan.practitionerId)
    if (work.series_rule === 'closed') {
      throw fail(
        'not_changeable',
        'This practitioner does not keep weekly hours. Please book each session by itself.',
      )
    }
    return { ...made, needsAcceptance: work.series_rule === 'ask' }
  }

  async function originOf(handle: Db, caller: SignedIn, body: SeriesWanted): Promise<Origin> {
    if (body.appointment_id != null) return ownSession(handle, caller, body.appointment_id)
    if (body.practitioner_id == null) throw invalidField('practitioner_id', 'Choose a practitioner.')
    return {
      clientId: caller.accountId,
      practitionerId: body.practitioner_id,
      serviceId: null,
      appointmentType: null,
      locationId: null,
      startsAt: null,
    }
  }

  /** The caller's own session, of either side. @throws 404; 409 unless it is booked and paid, or past */
  async function ownSession(
    handle: Db,
    caller: SignedIn,
    id: string,
  ): Promise<Origin & { clientName: string }> {
    const found = await store.findSession(handle, id)
    // Only the client may see what was started and never booked.
    const isSeen = caller.role === 'client' || found?.first_booked_at !== null
    const row = owned('appointment', caller, isSeen ? found : undefined)
    if (!row.first_booked_at || !row.starts_at) {
      throw fail('not_changeable', 'Book this session first, then keep its hour.')
    }
    if (row.client_deleted_at) throw fail('not_changeable', 'This client has left.')
    if (!origins.includes(row.state)) {
      throw fail('not_changeable', 'Choose a session that takes place or took place, to keep its hour.')
    }
    return {
      clientId: row.client_id,
      practitionerId: row.practitioner_id,
      serviceId: row.service_id,
      appointmentType: row.appointment_type,
      locationId: row.location_id,
      startsAt: row.starts_at,
      clientName: clientName({ firstName: row.client_first_name, lastName: row.client_last_name }),
    }
  }

  /** The plan of a series that is asked for; a session gives what is left out. @throws 404; 422 by field */
  async function planWanted(handle: Db, origin: Origin, body: SeriesWanted, by: 'client' | 'practitioner') {
    const { practitionerId } = origin
    const timezone = await practitioners.timezoneOf(handle, practitionerId)
    if (timezone === undefined) throw notFound('This practitioner')
    const zone = clocksOf(timezone)
    const now = clock.now()
    const from = origin.startsAt && localOf(zone, origin.startsAt)
    const serviceId = body.service_id ?? origin.serviceId
    const appointmentType = body.appointment_type ?? origin.appointmentType
    if (serviceId === null) throw invalidField('service_id', 'Choose a service.')
    if (appointmentType === null) throw invalidField('appointment_type', 'Choose online or face to face.')
    const weekday = body.weekday ?? from?.weekday
    const startMinute = body.start == null ? from?.startMinute : minuteOf(body.start)
    if (weekday === undefined) throw invalidField('weekday', 'Choose a day of the week.')
    if (startMinute === undefined) throw invalidField('start', 'Choose a time.')
    const service = await practitioners.serviceOf(handle, practitionerId, serviceId, appointmentType)
    if (!service) throw invalidField('service_id', 'This service is no longer offered in this form.')
    const locationId =
      appointmentType === 'face_to_face' ? (body.location_id ?? origin.locationId ?? null) : null
    if (locationId !== null) {
      const places = await practitioners.locationsOf(handle, practitionerId)
      if (!places.some((place) => place.location_id === locationId)) {
        throw invalidField(
          'location_id',
          body.location_id == null
            ? 'The place of this session is no longer offered.'
            : 'Choose one of the places that are offered.',
        )
      }
    }
    const today = localOf(zone, now).onDate
    const after = from && from.onDate >= today ? dayText(dayNumber(from.onDate) + 1) : today
    const first_on =
      body.first_on ??
      (from?.weekday === weekday
        ? nextInRhythm(from.onDate, body.every_weeks, today)
        : firstOn(weekday, after))
    if (weekdayOf(dayNumber(first_on)) !== weekday) {
      throw invalidField('first_on', 'The first day is not the day of the week that you chose.')
    }
    if (first_on < today || dayNumber(first_on) - dayNumber(today) > furthestFirst) {
      throw invalidField('first_on', 'Begin within the next ten weeks.')
    }
    const plan: Plan = {
      clientId: origin.clientId,
      practitionerId,
      serviceId,
      appointmentType,
      locationId,
      startMinute,
      durationMinutes: service.duration_minutes,
      timezone,
      first_on,
      last_on: null,
      every_weeks: body.every_weeks,
      feePence: service.fee_pence,
      mayLieOutsideSchedule: by === 'practitioner',
      keptOn: null,
    }
    return { plan, weekday, serviceName: service.name }
  }

  /**
   * The plan that goes on in the place of a series. The price of an unchanged choice stays, as does a new one that was
   * asked for. @throws 422 by field
   */
  async function changedPlan(
    handle: Db,
    row: store.SeriesRow,
    body: BodyOf<'POST /series/{series_id}/change-preview'>,
  ): Promise<Plan> {
    const origin: Origin = {
      clientId: row.client_id,
      practitionerId: row.practitioner_id,
      serviceId: row.service_id,
      appointmentType: row.appointment_type,
      locationId: row.location_id,
      startsAt: null,
    }
    await bookings.requireUnblocked(handle, row.client_id, row.practitioner_id)
    const today = localOf(clocksOf(row.timezone), clock.now()).onDate
    if (body.from < today) throw invalidField('from', 'Choose today or a later day.')
    const { plan } = await planWanted(
      handle,
      origin,
      {
        ...body,
        every_weeks: body.every_weeks ?? row.every_weeks,
        first_on: firstOn(body.weekday, body.from),
      },
      'client',
    )
    const isSame = plan.serviceId === row.service_id && plan.appointmentType === row.appointment_type
    const [price] = await listPriceChanges(handle, [row.id])
    if (price?.answer === null && price.from_date < body.from) throw unanswered()
    const newPrice = isSame ? price : undefined
    const isOwnHour = body.weekday === row.weekday && plan.startMinute === row.start_minute
    return {
      ...plan,
      timezone: row.timezone,
      feePence: isSame ? row.fee_pence : plan.feePence,
      newPrice,
      durationMinutes: isSame ? row.duration_minutes : plan.durationMinutes,
      mayLieOutsideSchedule: isOwnHour,
    }
  }

  /** The dates of a plan at whose hours sessions stand. */
  function heldBy(plan: Plan, sessions: readonly { starts_at: Date }[]): Set<string> {
    const held = new Set(sessions.map(({ starts_at }) => starts_at.getTime()))
    return new Set(
      dates.upcoming(plan, shownDates).filter((onDate) => held.has(dates.startOf(plan, onDate).getTime())),
    )
  }

  async function serviceNamed(handle: Db, plan: Plan): Promise<string> {
    const { practitionerId, serviceId, appointmentType } = plan
    return (await practitioners.serviceOf(handle, practitionerId, serviceId, appointmentType))?.name ?? ''
  }

  /** Inserts a series, or finds the live one of the two at this hour. */
  async function insert(
    tx: Tx,
    plan: Plan,
    {
      weekday,
      proposedBy,
      keptReservationId,
      agreed: agreement,
    }: {
      weekday: number
      proposedBy: 'client' | 'practitioner'
      keptReservationId: string | null
      agreed?: { methodId: string; acceptedAt: Date | null }
    },
  ): Promise<{ id: string; isNew: boolean }> {
    const now = clock.now()
    const id = random.uuid(now)
    const isNew = await store.insertSeries(tx, {
      id,
      client_id: plan.clientId,
      practitioner_id: plan.practitionerId,
      service_id: plan.serviceId,
      appointment_type: plan.appointmentType,
      location_id: plan.locationId,
      weekday,
      start_minute: plan.startMinute,
      duration_minutes: plan.durationMinutes,
      every_weeks: plan.every_weeks,
      timezone: plan.timezone,
      first_on: plan.first_on,
      fee_pence: plan.feePence,
      state: agreement ? 'active' : 'proposed',
      proposed_by: proposedBy,
      proposed_until: agreement ? null : later(now, deadlines.proposal),
      accepted_at: agreement?.acceptedAt ?? null,
      payment_method_id: agreement?.methodId ?? null,
      agreed_at: agreement ? now : null,
      terms_version: agreement ? seriesTerms.version : null,
      kept_reservation_id: keptReservationId,
      created_at: now,
    })
    if (isNew) {
      await dates.announce(tx, id)
      return { id, isNew }
    }
    const { clientId, practitionerId, startMinute } = plan
    const known = await store.findLive(tx, { clientId, practitionerId, weekday, startMinute })
    if (known === undefined)
      throw fail('conflict', 'These regular sessions were changed meanwhile. Please try again.')
    return { id: known, isNew }
  }
}

export const noLongerListed = () =>
  fail('not_changeable', 'This practitioner cannot be booked at the moment. Nothing was agreed.')
