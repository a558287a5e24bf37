import type { z } from 'zod'
import type { BookingPreview, BookingPreviewQuery } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { formatPence } from '#contract/money.ts'
import { later } from '../../../clock.ts'
import type { Db } from '../../../db/connection.ts'
import { fail, invalidField, notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { referralDiscountPercent } from '../../accounts/accounts.service.ts'
import type { Bookable, BookableService } from '../../practitioners/practitioners.service.ts'
import { changeDeadline, placeWanted, type Price, penceSent, priceOf } from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { findAgreed } from '../bookings.moves.ts'
import * as store from '../bookings.store.ts'

export type ServiceWanted = {
  service_id?: number | null
  appointment_type?: AppointmentType | null
  /** Pounds; older clients send it without a service. */
  fee?: number | undefined
}

/** Service and price of a booking. The server computes every price itself. */
export function createQuotes(deps: BookingDependencies) {
  const { db, clock, accounts, practitioners, availability } = deps
  return {
    /** Price and terms of a booking under consideration. @throws 404; 422 for a service that is not offered */
    async preview(caller: SignedIn, query: z.infer<typeof BookingPreviewQuery>): Promise<BookingPreview> {
      const service = await serviceWanted(db, query.practitioner_id, query)
      const price = await priceFor(db, caller.accountId, service.fee_pence)
      const startsAt = new Date(query.datetime)
      const own =
        query.appointment_id === undefined
          ? undefined
          : await store.findOwnTime(db, query.appointment_id, caller.accountId)
      const wanted = {
        practitionerId: query.practitioner_id,
        clientId: caller.accountId,
        startsAt,
        durationMinutes: service.duration_minutes,
        appointmentType: service.appointment_type,
        locationId: placeWanted(service.appointment_type, query.location_id),
      }
      const agreed = own && (await findAgreed(deps.lookups, db, own, wanted))
      const slot = await availability.slotAt(db, {
        ...wanted,
        ...(agreed ? { locationId: null } : {}),
        ownReservationId: own?.reservation_id ?? undefined,
      })
      return {
        fee: price.duePence / 100,
        full_fee: price.feePence / 100,
        discount: price.discountPence / 100,
        starts_at: startsAt.toISOString(),
        ends_at: later(startsAt, service.duration_minutes * 60_000).toISOString(),
        change_until: changeDeadline({ firstBookedAt: clock.now(), startsAt }).toISOString(),
        free: slot !== undefined,
        location_id: (slot && (agreed ?? slot).locationId) ?? null,
        may_use_code:
          (await accounts.referredBy(db, caller.accountId)) === null &&
          !(await store.hasUsedDiscount(db, caller.accountId)),
      }
    },
    serviceWanted,
    serviceOf,
    priceFor,
    priceOfReferred,
  }

  /** The service of a booking. @throws 404 practitioner; 422 `price_changed` or by field */
  async function serviceWanted(
    handle: Db,
    practitionerId: number,
    wanted: ServiceWanted,
  ): Promise<BookableService> {
    const bookable = (await practitioners.bookable(handle, [practitionerId])).get(practitionerId)
    if (!bookable) throw notFound('This practitioner')
    return serviceOf(bookable, wanted)
  }

  /** The service of a booking with a practitioner. @throws 422 `price_changed` or by field */
  function serviceOf(bookable: Bookable, wanted: ServiceWanted): BookableService {
    const offered = bookable.services.filter(
      (service) => wanted.appointment_type == null || service.appointment_type === wanted.appointment_type,
    )
    if (wanted.service_id != null) {
      const service = offered.find((each) => each.service_id === wanted.service_id)
      if (!service)
        throw invalidField('service_id', 'This practitioner does not offer this service in this way.')
      return service
    }
    // Older clients send no service. It is found by the price they saw: a list price, or one with their discount.
    if (wanted.fee === undefined) throw invalidField('service_id', 'Choose a service.')
    const sent = penceSent(wanted.fee)
    const service =
      offered.find((each) => each.fee_pence === sent) ??
      offered.find((each) => priceOf(each.fee_pence, referralDiscountPercent).duePence === sent)
    if (service) return service
    const [cheapest] = offered
    if (!cheapest)
      throw invalidField('appointment_type', 'This practitioner does not offer this kind of session.')
    throw priceChanged(cheapest.fee_pence)
  }

  /**
   * The client's price for a list price. `except` is the appointment being priced, which does not use up the discount.
   */
  async function priceFor(handle: Db, clientId: string, feePence: number, except?: string): Promise<Price> {
    return priceOfReferred(handle, clientId, await accounts.referredBy(handle, clientId), feePence, except)
  }

  /** The same where it is known already who referred the client. */
  async function priceOfReferred(
    handle: Db,
    clientId: string,
    referred: string | null,
    feePence: number,
    except?: string,
  ): Promise<Price> {
    const first = referred !== null && !(await store.hasUsedDiscount(handle, clientId, except))
    return priceOf(feePence, first ? referralDiscountPercent : 0)
  }
}

export type Quotes = ReturnType<typeof createQuotes>

/** @throws 422 `price_changed` with the right amount, when another amount was sent */
export function comparePrice(price: Price, sent: number | null | undefined, field = 'fee'): void {
  if (sent == null || penceSent(sent) === price.duePence) return
  throw priceChanged(price.duePence, field)
}

export function priceChanged(pence: number, field = 'fee') {
  const message = `The price is ${formatPence(pence)}.`
  return fail('price_changed', `${message} Nothing was charged. Please check it and go on.`, {
    errors: { [field]: [message] },
    details: { fee: pence / 100 },
  })
}
