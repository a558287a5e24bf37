import type { Appointment } from '#contract/bookings/bookings.ts'
import { formatPence } from '#contract/money.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { referralDiscountPercent } from '../accounts/accounts.service.ts'
import { toAppointment } from './bookings.mapper.ts'
import { changedPrice, dueOf, placeWanted } from './bookings.rules.ts'
import { comparePrice } from './holds/quote.ts'
import { createChangePayment } from './bookings.change-payment.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import { type Bookings, changeOf, requireChangeable, reread } from './bookings.service.ts'
import { isAsWanted, lengthOf, moveTime, type Plan, requireShown, type Wanted } from './bookings.moves.ts'
import { startOf } from './bookings.starts.ts'
import { createReservedChange } from './reserved/reserved.change.ts'
import type { ReservedPrices } from './reserved/reserved.price.ts'
import * as store from './bookings.store.ts'

/**
 * Moves a confirmed session to another time, format or service. The surcharge of a dearer choice is authorised before
 * the move and captured with it. The difference of a cheaper choice is refunded after the move.
 */
export function createChange(deps: BookingDependencies & { bookings: Bookings; prices: ReservedPrices }) {
  const { db, clock, events, payments, bookings, outbox } = deps
  const payAndMove = createChangePayment(deps)
  const editReserved = createReservedChange({ ...deps, planChange, payAndMove })

  return {
    /**
     * Idempotent: a repeated request changes nothing more.
     * @throws 404; 409 `too_late_to_change`, `changed_elsewhere`, `slot_taken`; 422 `slot_not_offered`, `price_changed`; 402 from the card
     */
    async edit(caller: SignedIn, sent: Wanted): Promise<Appointment> {
      const startsAt = startOf(sent.appointment_datetime, sent.timezone)
      const body = {
        ...sent,
        appointment_datetime: startsAt.toISOString(),
        location_id: placeWanted(sent.type, sent.location_id),
      }
      const row = owned('appointment', caller, await store.findAppointment(db, body.appointment_id))
      if (row.state === 'reserved') return editReserved(caller, row, body)
      requireChangeable(row, clock.now())
      if (isAsWanted(row, body)) return toAppointment(row)
      requireShown(row, body)
      const onAnyCard = await inTransaction(db, (tx) => planChange(tx, row, body))
      const { customer_id: customerId } = body
      const card =
        onAnyCard.extraDiscountPence > 0 && customerId != null
          ? await payments.cardToPayWith(caller, customerId)
          : undefined
      const plan = card ? await inTransaction(db, (tx) => planChange(tx, row, body, card.id)) : onAnyCard
      comparePrice(plan.price, body.fee)
      const surcharge = {
        amountPence: plan.extraPence,
        discountPence: plan.extraDiscountPence,
        customerId,
        cardNeeded: `This choice costs ${formatPence(plan.extraPence)} more. Choose a card to pay with.`,
        dearerOn: async (tx: Tx, locked: store.AppointmentRow, methodId: string) => {
          if (plan.extraDiscountPence === 0) return undefined
          const again = await planChange(tx, locked, body, methodId)
          return again.extraPence > plan.extraPence ? again.price.duePence : undefined
        },
      }
      const moved = await payAndMove(
        caller,
        row.id,
        plan.extraPence > 0 ? surcharge : undefined,
        (intentId) => carryOut(caller, body, plan, { intentId, methodId: card?.id }),
      )
      return toAppointment(moved)
    },
  }

  /** @param methodId the card that pays; without it, the discount is the one of a card that had none */
  async function planChange(
    tx: Tx,
    row: store.AppointmentRow,
    body: Wanted,
    methodId?: string,
  ): Promise<Plan> {
    const serviceId = body.service_id ?? row.service_id
    // The agreed price and length stay for an unchanged choice, also once it is not offered any more. What has changed since
    // applies only to another choice.
    const sameChoice = serviceId === row.service_id && body.type === row.appointment_type
    const service =
      (sameChoice && agreedOf(row)) ||
      (await bookings.serviceWanted(tx, row.practitioner_id, {
        service_id: serviceId,
        appointment_type: body.type,
      }))
    const agreed = {
      feePence: row.fee_pence,
      discountPence: row.discount_pence,
      duePence: dueOf(row),
    }
    const price = changedPrice(agreed, sameChoice ? row.fee_pence : service.fee_pence, {
      percent: referralDiscountPercent,
      mayGrow: !methodId || !(await payments.cardHadDiscount(tx, methodId, row.id)),
    })
    return {
      price,
      serviceId: service.service_id,
      durationMinutes: service.duration_minutes,
      extraPence: price.duePence - agreed.duePence,
      extraDiscountPence: price.discountPence - agreed.discountPence,
    }
  }

  async function carryOut(
    caller: SignedIn,
    body: Wanted,
    plan: Plan,
    { intentId, methodId }: { intentId: string | undefined; methodId: string | undefined },
  ) {
    return inTransaction(db, async (tx) => {
      const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
      requireChangeable(row, clock.now())
      if (isAsWanted(row, body)) return { row, intents: [], refunds: [] }
      requireShown(row, body)
      // A concurrent request may have changed the session while this difference was being authorised.
      const again = await planChange(tx, row, body, methodId)
      if (again.extraPence !== plan.extraPence || !row.reservation_id) {
        comparePrice(again.price, plan.price.duePence / 100)
        throw new ProductError('conflict', 'This session was changed meanwhile. Please look at it again.')
      }
      const { terms, released } = await moveTime(deps, tx, row, { body, plan })
      const intents = await bookings.expireOn(tx, released)
      await store.changeTerms(tx, row.id, terms)
      if (intentId) {
        if (!(await payments.beginCapture(tx, intentId, plan.extraPence))) {
          throw new ProductError('not_paid', 'The difference has not been paid. Nothing was changed.')
        }
        intents.push(intentId)
      }
      const refunds =
        plan.extraPence <= 0
          ? await payments.requestRefund(
              tx,
              row.id,
              {
                amountPence: -plan.extraPence,
                discountPence: -plan.extraDiscountPence,
                due: { amountPence: plan.price.duePence, discountPence: plan.price.discountPence },
              },
              payments.refundedForChange,
            )
          : []
      const moved = await reread(tx, row.id)
      const hasMoved = row.starts_at?.getTime() !== moved.starts_at?.getTime()
      await outbox.note(tx, moved, 'moved', {
        movedFrom: hasMoved ? row.starts_at : null,
        refunds: plan.extraPence < 0 ? refunds : [],
      })
      await events.announce(tx, 'session.changed', changeOf(moved))
      return { row: moved, intents, refunds }
    })
  }
}

/** The service of a session as it was agreed. */
function agreedOf(row: store.AppointmentRow) {
  const length = lengthOf(row)
  if (row.service_id === null || length === undefined) return undefined
  return { service_id: row.service_id, fee_pence: row.fee_pence, duration_minutes: length }
}

export type BookingChange = ReturnType<typeof createChange>
