import type { z } from 'zod'
import type {
  Appointment,
  BookingType,
  CancelSession,
  CreatedSession,
  CreateSession,
  ExistingCardPayment,
  FollowedAppointment,
  Payment,
} from '#contract/bookings/bookings.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Bookings } from './bookings.service.ts'
import type { Reserved } from './reserved/reserved.service.ts'
import { findBookingType, findState } from './bookings.store.ts'

/** The calls that every kind of booking implements. Each call checks who owns the booking. */
export type BookingKind = {
  create(caller: SignedIn, body: z.infer<typeof CreateSession>): Promise<CreatedSession>
  pay(caller: SignedIn, provider: string, body: z.infer<typeof ExistingCardPayment>): Promise<Payment>
  confirmAuthentication(caller: SignedIn, provider: string, sessionId: string): Promise<Payment>
  cancel(caller: SignedIn, body: z.infer<typeof CancelSession>): Promise<Appointment>
  detail(caller: SignedIn, id: string): Promise<FollowedAppointment>
}

type Dependencies = Pick<Deps, 'db'> & { bookings: Bookings; reserved: Pick<Reserved, 'afterAuthentication'> }

export type BookingKinds = ReturnType<typeof createBookingKinds>

/** The kinds of booking. Scheduled sessions are this module's own; later modules register theirs. */
export function createBookingKinds({ db, bookings, reserved }: Dependencies) {
  const scheduled: BookingKind = {
    create: async (caller, body) => ({
      ...(await bookings.create(caller, body)),
      practitioner: null,
      dispatch: null,
    }),
    pay: bookings.pay,
    async confirmAuthentication(caller, provider, id) {
      const { purpose, payment } = await bookings.confirmAuthentication(caller, provider, id)
      // A reserved session has its time already, so its payment is captured at once; one for a move with the move.
      const isTaken = purpose === 'booking' && (await findState(db, id)) === 'reserved'
      return isTaken ? reserved.afterAuthentication(id) : payment
    },
    cancel: bookings.cancel,
    detail: async (caller, id) => ({ ...(await bookings.detail(caller, id)), dispatch: null }),
  }
  const kinds = new Map<BookingType, BookingKind>([['schedule', scheduled]])
  /** The scheduled kind throws the 404 of an unknown appointment. */
  const ofAppointment = async (id: string) => ofType((await findBookingType(db, id)) ?? 'schedule')

  /** @throws as the same call of the booking's kind */
  const calls: BookingKind = {
    create: (caller, body) => ofType(body.booking_type).create(caller, body),
    pay: async (caller, provider, body) => (await ofAppointment(body.session_id)).pay(caller, provider, body),
    confirmAuthentication: async (caller, provider, id) =>
      (await ofAppointment(id)).confirmAuthentication(caller, provider, id),
    cancel: async (caller, body) => (await ofAppointment(body.appointment_id)).cancel(caller, body),
    detail: async (caller, id) => (await ofAppointment(id)).detail(caller, id),
  }
  return {
    ...calls,
    /** Registers a kind of booking. */
    register(type: BookingType, kind: BookingKind): void {
      if (kinds.has(type)) throw new Error(`The kind of booking ${type} is registered already.`)
      kinds.set(type, kind)
    },
  }

  function ofType(type: BookingType): BookingKind {
    const kind = kinds.get(type)
    if (!kind) throw new Error(`No module registered the kind of booking ${type}.`)
    return kind
  }
}
