import type { Serve } from '../../http/serve.ts'
import type { SlidingLimit } from '../../http/sliding-limit.ts'
import type { BookingChange } from './bookings.change.ts'
import type { Freezes } from './freezes/freezes.service.ts'
import type { CalendarFeeds } from './calendar-feeds/calendar-feeds.service.ts'
import type { BookingKinds } from './bookings.kinds.ts'
import type { PractitionerSessions } from './practitioner/practitioner-sessions.service.ts'
import type { Referrals } from './holds/referral.ts'
import type { PractitionerSchedule } from './practitioner/practitioner-schedule.service.ts'
import type { NoShows } from './no-shows/no-shows.service.ts'
import type { Reserved } from './reserved/reserved.service.ts'
import type { Bookings } from './bookings.service.ts'

export function bookingRoutes(
  serve: Serve,
  bookings: Bookings,
  kinds: BookingKinds,
  change: BookingChange,
  referrals: Referrals,
  schedule: PractitionerSchedule,
  perAccount: { begun: SlidingLimit; moved: SlidingLimit },
  perAddress: { held: SlidingLimit; claimed: SlidingLimit },
): void {
  serve('GET /client/check-referral-code', ({ caller }) => referrals.own(caller))
  serve('POST /client/check-referral-code', ({ body, caller, address }) =>
    referrals.check(caller, body.referral_code, address),
  )
  serve('POST /appointment/create-session', ({ caller, body, address }) => {
    perAccount.begun.use(caller.accountId)
    if (body.booking_type === 'get-help-right-now') perAddress.claimed.use(address)
    else if (body.datetime != null) perAddress.held.use(address)
    return kinds.create(caller, body)
  })
  serve('POST /payment/{provider}/existing-card-payment', ({ caller, params, body }) =>
    kinds.pay(caller, params.provider, body),
  )
  serve('POST /payment/{provider}/confirm-authentication', ({ caller, params, body }) =>
    kinds.confirmAuthentication(caller, params.provider, body.session_id),
  )
  serve('POST /appointment/cancel-session', ({ caller, body }) => kinds.cancel(caller, body))
  serve('GET /appointment/{appointment_id}', ({ caller, params }) =>
    kinds.detail(caller, params.appointment_id),
  )
  serve('POST /appointment/{appointment_id}/extend-hold', ({ caller, params }) =>
    bookings.extendHold(caller, params.appointment_id),
  )
  serve('GET /appointment/preview', ({ caller, query }) => bookings.preview(caller, query))
  serve('POST /appointment/instant-book', ({ caller, body }) => bookings.book(caller, body))
  serve('POST /appointment/edit-session', ({ caller, body }) => {
    perAccount.moved.use(caller.accountId)
    return change.edit(caller, body)
  })
  serve('GET /appointment/get-upcoming-sessions', ({ caller, query }) =>
    query.held === 'true' ? bookings.held(caller) : bookings.upcoming(caller),
  )
  serve('GET /therapist/schedule', ({ caller, query }) => schedule.week(caller, query.from))
}

/** A practitioner's own sessions. */
export function practitionerSessionRoutes(
  serve: Serve,
  sessions: PractitionerSessions,
  freezes: Freezes,
): void {
  serve('GET /therapist/suspension', ({ caller }) => freezes.own(caller))
  serve('GET /therapist/sessions', ({ caller, query }) => sessions.list(caller, query))
  serve('POST /therapist/sessions/{appointment_id}/cancel', ({ caller, params, body }) =>
    sessions.cancel(caller, params.appointment_id, body),
  )
  serve('POST /therapist/sessions/{appointment_id}/technical-failure', ({ caller, params, body }) =>
    sessions.technicalFailure(caller, params.appointment_id, body.reason ?? null),
  )
  serve('POST /therapist/sessions/{appointment_id}/complete', ({ caller, params }) =>
    sessions.recordOutcome(caller, params.appointment_id, 'completed'),
  )
  serve('POST /therapist/sessions/{appointment_id}/no-show', ({ caller, params }) =>
    sessions.recordOutcome(caller, params.appointment_id, 'no_show'),
  )
}

/** Payment of reserved sessions. */
export function reservedRoutes(serve: Serve, reserved: Reserved, sessions: PractitionerSessions): void {
  serve('POST /appointment/{appointment_id}/pay', ({ caller, params, body }) =>
    reserved.pay(caller, params.appointment_id, body.customer_id),
  )
  serve('POST /therapist/sessions/{appointment_id}/allow-late-payment', ({ caller, params }) =>
    sessions.allowLatePayment(caller, params.appointment_id),
  )
}

/** Disputes about sessions with a declared no-show. */
export function noShowRoutes(serve: Serve, noShows: NoShows): void {
  serve('POST /appointment/{appointment_id}/dispute-no-show', ({ caller, params, body }) =>
    noShows.dispute(caller, params.appointment_id, body.reason),
  )
}

/** Calendar links of practitioners and clients, and single sessions as files. */
export function calendarFeedRoutes(serve: Serve, feeds: CalendarFeeds): void {
  serve('GET /therapist/calendar-feed', ({ caller }) => feeds.state(caller))
  serve('POST /therapist/calendar-feed', ({ caller }) => feeds.connect(caller))
  serve('DELETE /therapist/calendar-feed', ({ caller }) => feeds.disconnect(caller))
  serve('GET /client/calendar-feed', ({ caller }) => feeds.state(caller))
  serve('POST /client/calendar-feed', ({ caller }) => feeds.connect(caller))
  serve('DELETE /client/calendar-feed', ({ caller }) => feeds.disconnect(caller))
  serve('GET /appointment/{appointment_id}/calendar-file', ({ caller, params }) =>
    feeds.file(caller, params.appointment_id),
  )
}
