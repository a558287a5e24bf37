import { z } from 'zod'
import {
  AppointmentType,
  FreeText,
  Id,
  IdInPath,
  IdSent,
  Instant,
  InstantSent,
  Pounds,
  PoundsSent,
  RoomKind,
  SessionShown,
  StartSent,
  StartShown,
  ViewerZone,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { HelpDispatch, HelpPractitioner } from '../get-help/help-dispatch.ts'

export const BookingType = z.enum(['schedule', 'get-help-right-now'])
export type BookingType = z.infer<typeof BookingType>

/** Booking types that `instant-book` confirms. A practitioner's acceptance confirms help right now. */
const Bookable = z.enum(['schedule'])

/** `instant` is what some clients call help right now. */
const BookingTypeSent = z
  .enum(['schedule', 'get-help-right-now', 'instant'])
  .transform((type) => (type === 'instant' ? 'get-help-right-now' : type))

export const appointmentStates = [
  'draft',
  'pending',
  'reserved',
  'confirmed',
  'completed',
  'cancelled',
  'no_show',
  'expired',
] as const
export const AppointmentState = z.enum(appointmentStates)
export type AppointmentState = z.infer<typeof AppointmentState>

/**
 * How the payment of a reserved session stands. `planned`: taken at `pay_at`. `retrying`: declined, and tried once more.
 * `needed`: declined, and the client has to pay by `pay_by`. `open`: the same without an attempt to take it. `checking`: the
 * payment was begun and its result is not known yet.
 */
export const PaymentDue = z.enum(['planned', 'retrying', 'needed', 'open', 'checking'])
export type PaymentDue = z.infer<typeof PaymentDue>

/** Of the appointment; `session_id` and `appointment_id` are the same id. */
export const Appointment = z.object({
  session_id: z.uuid(),
  appointment_id: z.uuid(),
  patient_id: z.uuid(),
  practitioner_id: Id,
  location_id: Id.nullable(),
  appointment_type: AppointmentType.nullable(),
  /** 1, individual: the only category there is. */
  client_category_id: z.literal(1),
  booking_type: BookingType,
  status: AppointmentState,
  service_id: Id.nullable(),
  service_name: z.string().nullable(),
  /** What the client pays, any discount taken off. */
  fee: Pounds,
  full_fee: Pounds,
  discount: Pounds,
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  hold_expires_at: Instant.nullable(),
  /** Whether the hold can still be extended, which it can be once. */
  hold_extendable: z.boolean(),
})
export type Appointment = z.infer<typeof Appointment>

/** What may still be done to a session, computed by the server at the moment of the answer. */
export const Changeability = z.object({
  allowed: z.boolean(),
  /** Until when it may be changed or cancelled free of charge; null when it can't be any more. */
  until: Instant.nullable(),
})

/** That the client did not come, as the practitioner said, and what came of a dispute. */
export const NoShow = z.object({
  state: z.enum(['declared', 'disputed', 'upheld', 'overturned']),
  /** The client may dispute it until then; the fee is not paid out before. */
  dispute_until: Instant,
})

/** Where an online session is held. */
export const SessionRoom = z.object({
  /** `hearth`: in this product, from 15 minutes before the start. `own`: behind the practitioner's own link. */
  kind: RoomKind,
  /** With `hearth` a path of this product, with `own` an address elsewhere; null where the practitioner has given none. */
  link: z.string().nullable(),
  /** When it was ended for both before its time was up: it cannot be entered any more. Null for a room elsewhere. */
  ended_at: Instant.nullable(),
})
export type SessionRoom = z.infer<typeof SessionRoom>

/** Why a session was cancelled, where both sides may know it. */
export const SharedCancelCause = z.enum([
  'unpaid',
  'series_ended',
  'practitioner_absent',
  'technical_failure',
])
export type SharedCancelCause = z.infer<typeof SharedCancelCause>

/** An appointment with its practitioner, place, refund, dispute and no-show, as one screen shows it. */
export const AppointmentDetail = Appointment.extend({
  id: z.uuid(),
  /** Increments with every change of the appointment. A mail's link carries it, which tells an old link. */
  sequence: z.number().int(),
  appointment_datetime: Instant.nullable(),
  type: AppointmentType.nullable(),
  services: z.array(z.object({ service_name: z.string() })),
  practitioner: z.object({
    practitioner_id: Id,
    first_name: z.string(),
    last_name: z.string(),
    full_name: z.string(),
    main_image: z.string().nullable(),
    provider_types: z.array(z.string()),
    timezone: z.string(),
    /** Whether they can be booked now. */
    bookable: z.boolean(),
  }),
  location: z.object({ location_name: z.string(), address: z.string() }).nullable(),
  /** The link of `room` if it is the practitioner's own. */
  meeting_link: z.string().nullable(),
  /** Only while the session is confirmed, online and not being checked. */
  room: SessionRoom.nullable(),
  change: Changeability,
  /** Money on its way back, if any. `failed`: the card's bank has sent it back, and the back office pays it in another way. */
  refund: z
    .object({
      amount: Pounds,
      /** The part of it that came back for a change to a cheaper session. */
      on_change: Pounds.optional(),
      /** The part of it that did not reach the card, and that the client has not got back in another way. */
      failed: Pounds.optional(),
      /** The part of it that the back office paid by bank transfer, as it did not reach the card. */
      by_transfer: Pounds.optional(),
      state: z.enum(['requested', 'succeeded', 'failed']),
    })
    .nullable(),
  /** How the client's dispute with their bank stands, if they have begun one. */
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  cancelled_by: z.enum(['client', 'practitioner', 'system']).nullable(),
  cancelled_because: SharedCancelCause.nullable().optional(),
  /**
   * Until when the session is being checked: it keeps its time, cannot be moved, may be cancelled with a full refund,
   * and is cancelled by then unless it is restored. Null for any other session.
   */
  frozen_until: Instant.nullable(),
  /** The weekly series that it belongs to. */
  series_id: z.uuid().nullable(),
  /** When the money of a session of a series is taken. */
  pay_at: Instant.nullable(),
  /** Until when a reserved session can be paid; it is cancelled then. */
  pay_by: Instant.nullable(),
  /** Null unless it is reserved and not paid yet. */
  payment_due: PaymentDue.nullable(),
  /** Only of a reserved session: whether a card is set that can be charged at `pay_at`. */
  card_set: z.boolean().optional(),
  /** Null unless the practitioner said that the client did not come. */
  no_show: NoShow.extend({
    declared_at: Instant,
    can_dispute: z.boolean(),
    your_words: z.string().nullable(),
  }).nullable(),
})
export type AppointmentDetail = z.infer<typeof AppointmentDetail>

export const CreateSession = z.object({
  practitioner_id: IdSent.nullish(),
  fee: PoundsSent.optional(),
  booking_type: BookingTypeSent,
  service_id: IdSent.nullish(),
  datetime: StartSent.nullish(),
  appointment_type: AppointmentType.nullish(),
  location_id: IdSent.nullish(),
  /** What help right now is wanted with. */
  issue_id: IdSent.nullish(),
  /** Whom the search has shown: held if still free, else the next. */
  preferred_practitioner_id: IdSent.nullish(),
  timezone: ViewerZone,
})

export const ExistingCardPayment = z.object({
  session_id: z.uuid(),
  fee_amount: PoundsSent.optional(),
  customer_id: z.uuid(),
})

export const Payment = z.object({
  session_id: z.uuid(),
  status: z.enum(['authorised', 'captured']),
  amount: Pounds,
  hold_expires_at: Instant.nullable(),
})
export type Payment = z.infer<typeof Payment>

export const InstantBook = z.object({
  practitioner_id: IdSent.nullish(),
  appointment_id: z.uuid(),
  patient_id: z.uuid().nullish(),
  location_id: IdSent.nullish(),
  appointment_type: AppointmentType.nullish(),
  client_category_id: IdSent.pipe(z.literal(1)).nullish(),
  /** A text of `free_datetime` is on the clocks of the `timezone` that the booking was started with. */
  datetime: StartSent.nullish(),
  service_id: IdSent.nullish(),
  booking_type: Bookable.nullish(),
  /**
   * Of a time that came free for the waitlist: the session that was shown to be cancelled for this one, or null. Without it,
   * the one that the place on the waitlist names.
   */
  replaces_appointment_id: z.uuid().nullish(),
  /** The start of that session as it was shown. One that has been moved since stays. */
  replaces_starts_at: InstantSent.nullish(),
})

export const EditSession = z.object({
  appointment_id: z.uuid(),
  type: AppointmentType,
  location_id: IdSent.nullish(),
  appointment_datetime: StartSent,
  service_id: IdSent.nullish(),
  /** The saved card that pays the difference when the choice is dearer. */
  customer_id: z.uuid().nullish(),
  /** What the client saw as the new price; compared, never believed. */
  fee: PoundsSent.nullish(),
  timezone: ViewerZone,
  shown: SessionShown,
})

export const CancelSession = z.object({
  appointment_id: z.uuid(),
  reason: FreeText(1000).nullish(),
  /** Only releases the slot of a scheduled session: once it has been booked, the answer is 409 `changed_elsewhere`. */
  hold_only: z.boolean().optional(),
  starts_at: StartShown,
})

export const BookingPreviewQuery = z.object({
  practitioner_id: IdInPath,
  service_id: IdInPath,
  appointment_type: AppointmentType,
  datetime: InstantSent,
  /** The caller's session that would be moved: the time that it has now counts as free for it. */
  appointment_id: z.uuid().optional(),
  /** Where it would take place; without it, wherever the practitioner works at that hour. */
  location_id: IdInPath.optional(),
})

/** What a booking would cost and until when it could be changed, before anything is held. */
export const BookingPreview = z.object({
  fee: Pounds,
  full_fee: Pounds,
  discount: Pounds,
  starts_at: Instant,
  ends_at: Instant,
  change_until: Instant,
  free: z.boolean(),
  /** Where it would take place; null online, without a known place, and for a time that is not free. */
  location_id: Id.nullable(),
  /** Whether the caller may still enter a referral code that reduces this price. */
  may_use_code: z.boolean(),
})
export type BookingPreview = z.infer<typeof BookingPreview>

/** The appointment as it was started; of 'Get help right now' with whom, and how far it has come. */
export const CreatedSession = Appointment.extend({
  practitioner: HelpPractitioner.nullable(),
  dispatch: HelpDispatch.nullable(),
})
export type CreatedSession = z.infer<typeof CreatedSession>

export const FollowedAppointment = AppointmentDetail.extend({ dispatch: HelpDispatch.nullable() })
export type FollowedAppointment = z.infer<typeof FollowedAppointment>

const ofAppointment = z.object({ appointment_id: z.uuid() })
const ofProvider = z.object({ provider: z.string().max(40) })
/** Of one session of the caller. */
const own = { access: ['client'], owner: 'appointment' } as const

export const bookingEndpoints = defineEndpoints({
  'POST /appointment/create-session': {
    access: ['client'],
    summary: 'Start a booking, the slot held for 10 minutes; or get help right now, somebody held for 5',
    body: CreateSession,
    answer: CreatedSession,
    status: 201,
    idempotent: true,
  },
  'GET /appointment/{appointment_id}': {
    ...own,
    summary: 'One session of the caller; of help right now with how far the search has come',
    params: ofAppointment,
    answer: FollowedAppointment,
  },
  'GET /appointment/preview': {
    access: ['client'],
    summary: 'Price, length and change window of a booking that is being considered; holds nothing',
    query: BookingPreviewQuery,
    answer: BookingPreview,
  },
  'POST /payment/{provider}/existing-card-payment': {
    ...own,
    summary: 'Authorise the price of a started booking on a saved card; nothing is taken yet',
    params: ofProvider,
    body: ExistingCardPayment,
    answer: Payment,
    idempotent: true,
  },
  'POST /payment/{provider}/confirm-authentication': {
    ...own,
    summary: "Go on after the card's extra authentication",
    params: ofProvider,
    body: z.object({ session_id: z.uuid() }),
    answer: Payment,
  },
  'POST /appointment/instant-book': {
    ...own,
    summary: 'Confirm a paid booking: takes the slot and the money',
    body: InstantBook,
    answer: Appointment,
    idempotent: true,
  },
  'POST /appointment/edit-session': {
    ...own,
    summary: 'Move a booked session to another time, format or service',
    body: EditSession,
    answer: Appointment,
    idempotent: true,
  },
  'POST /appointment/cancel-session': {
    ...own,
    summary: 'Cancel a booked session with a full refund, let go of a held slot, or stop the search for help',
    body: CancelSession,
    answer: Appointment,
    idempotent: true,
  },
  'POST /appointment/{appointment_id}/pay': {
    ...own,
    summary: 'Pay for a reserved session of a series whose money could not be taken by itself',
    params: ofAppointment,
    body: z.object({ customer_id: z.uuid() }),
    answer: Payment,
    idempotent: true,
  },
  'POST /appointment/{appointment_id}/extend-hold': {
    ...own,
    summary: 'Hold an unpaid time for 10 more minutes: once, and before the hold ends',
    params: ofAppointment,
    answer: Appointment,
    idempotent: true,
  },
  'GET /appointment/{appointment_id}/calendar-file': {
    access: ['client', 'therapist'],
    owner: 'appointment',
    summary:
      'A booked session as a file for calendar programs of its client and its practitioner, with the link to the room',
    params: ofAppointment,
    answer: z.string(),
    file: ['text/calendar'],
  },
  'GET /appointment/get-upcoming-sessions': {
    access: ['client'],
    summary:
      "The caller's sessions that have not ended, soonest first; or the unpaid times held for the caller",
    query: z.object({ held: z.enum(['true', 'false']).optional() }),
    answer: z.array(AppointmentDetail),
  },
  'GET /client/check-referral-code': {
    access: ['client'],
    summary: 'The code that the caller entered, and whether a code can still reduce a first session',
    answer: z.object({
      /** `over`: a first session is booked, or is held at the reduced price. */
      state: z.enum(['none', 'saved', 'over']),
      /** Null if none was entered, and once the friend's account is deleted. */
      referral_code: z.string().nullable(),
      discount_percent: z.number().int(),
    }),
  },
  'POST /client/check-referral-code': {
    access: 'anyone',
    summary: 'Check a referral code; with a token it is kept for the first session',
    body: z.object({ referral_code: FreeText(40).trim().min(1) }),
    answer: z.object({ valid: z.literal(true), discount_percent: z.number().int() }),
  },
})
