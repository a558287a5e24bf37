import { hours, minutes } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Calendars } from '../calendars/calendars.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { createSessionCalendar } from './bookings.calendar.ts'
import { createChange } from './bookings.change.ts'
import { bookingsDashboard } from './bookings.dashboard.ts'
import { createReservedPrices } from './reserved/reserved.price.ts'
import { createReserved } from './reserved/reserved.service.ts'
import { createPaidSessions } from './paid-sessions/paid-sessions.service.ts'
import { createCalendarFeeds } from './calendar-feeds/calendar-feeds.service.ts'
import { createFreezes } from './freezes/freezes.service.ts'
import { createInstantSessions } from './bookings.instant.ts'
import { createOfferedSessions } from './bookings.offered.ts'
import {
  bookingsCalendarEntryJob,
  bookingsChangedPlacesJob,
  bookingsChargeJob,
  bookingsRefundedElsewhereJob,
  bookingsSweepJob,
} from './bookings.jobs.ts'
import { createChangedPlaces } from './bookings.changed-places.ts'
import { createBookingKinds } from './bookings.kinds.ts'
import { createBookingOutbox } from './mails/bookings.outbox.ts'
import { bookingsPersonalData } from './bookings.personal-data.ts'
import { createPractitionerSessions } from './practitioner/practitioner-sessions.service.ts'
import { createReferrals } from './holds/referral.ts'
import {
  bookingRoutes,
  calendarFeedRoutes,
  noShowRoutes,
  reservedRoutes,
  practitionerSessionRoutes,
} from './bookings.routes.ts'
import { createPractitionerSchedule } from './practitioner/practitioner-schedule.service.ts'
import { meetsInPerson } from './bookings.store.ts'
import { isCardAgreed } from './reserved/reserved.store.ts'
import { createBookings } from './bookings.service.ts'
import { serveCalendarFeed } from './calendar-feeds/calendar-feeds.pages.ts'
import { describePaid } from './paid-sessions/paid-sessions.store.ts'
import { createNoShows } from './no-shows/no-shows.service.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  notifications: Notifications
  practitioners: Practitioners
  availability: Availability
  schedules: Schedules
  calendars: Calendars
  payments: Payments
}

const manyAsked = 'Many people on your network have asked for help in the last minutes.'
const busyNetwork =
  'A lot of times were chosen from your network in the last minutes. Please wait a few minutes and try again.'
const refusal = 'You have chosen a lot of times within the hour. Please wait a while and try again.'

export const bookingsModule = defineModule('bookings', (given: Given<Needs>) => {
  const { backOfficeEmail, mailer } = given
  const outbox = createBookingOutbox(given)
  const calendar = createSessionCalendar(given)
  const { lookups } = given.contributions
  const deps = { ...given, outbox, lookups }
  const bookings = createBookings(deps)
  const prices = createReservedPrices({ ...deps, bookings })
  const change = createChange({ ...deps, bookings, prices })
  const noShows = createNoShows({ ...deps, views: bookings })
  const practitionerSessions = createPractitionerSessions({ ...deps, noShows })
  const reserved = createReserved({ ...deps, bookings, prices })
  const bookingKinds = createBookingKinds({ ...given, bookings, reserved })
  const freezes = createFreezes({ ...deps, bookings, contactEmail: backOfficeEmail ?? mailer.sender.address })
  const feeds = createCalendarFeeds(given)
  const changedPlaces = createChangedPlaces(deps)
  const limitOf = (hits: number) => createSlidingLimit({ hits, window: hours(1), refusal }, given)
  return {
    services: {
      bookings,
      bookingKinds,
      practitionerSessions,
      noShows,
      freezes,
      outbox,
      reserved,
      instant: createInstantSessions(deps),
      offered: createOfferedSessions({ ...deps, bookings, reserved }),
      paidSessions: createPaidSessions(deps),
    },
    routes(serve) {
      bookingRoutes(
        serve,
        bookings,
        bookingKinds,
        change,
        createReferrals(given),
        createPractitionerSchedule(given),
        // Each leaves rows, and a move a mail to the practitioner, also where the client takes it back at once.
        { begun: limitOf(120), moved: limitOf(30) },
        // Accounts are free: without it, many of one network could keep a diary, or all who help right now, taken.
        // A time is held for ten minutes and a practitioner claimed for five.
        {
          held: createSlidingLimit({ hits: 100, window: minutes(15), refusal: busyNetwork }, given),
          claimed: createSlidingLimit({ hits: 20, window: minutes(10), refusal: manyAsked }, given),
        },
      )
      reservedRoutes(serve, reserved, practitionerSessions)
      calendarFeedRoutes(serve, feeds)
      practitionerSessionRoutes(serve, practitionerSessions, freezes)
      noShowRoutes(serve, noShows)
    },
    async pages(app) {
      const perAddress = createSlidingLimit({ hits: 120, window: minutes(1) }, given)
      await app.register(serveCalendarFeed, { read: feeds.read, perAddress })
    },
    jobs(handle) {
      handle(bookingsSweepJob, async () => {
        // First: the others wait for the payment gateway, which may hang.
        await outbox.remind()
        await freezes.sweep()
        await bookings.sweep()
      })
      handle(bookingsChargeJob, () => reserved.sweep())
      handle(bookingsCalendarEntryJob, (job) => calendar.write(job))
      handle(bookingsChangedPlacesJob, (job) => changedPlaces.mail(job))
      handle(bookingsRefundedElsewhereJob, ({ appointment_id, refund_id }) =>
        outbox.refundedElsewhere(appointment_id, refund_id),
      )
    },
    on: {
      'session.changed': (tx, { practitionerId, appointmentId }) =>
        calendar.note(tx, practitionerId, [appointmentId]),
      'sessions.reserved': (tx, { practitionerId, sessions }) =>
        calendar.note(
          tx,
          practitionerId,
          sessions.map(({ appointmentId }) => appointmentId),
        ),
      'calendar.connected': (tx, { practitionerId }) => calendar.noteAhead(tx, practitionerId),
      'practitioner.changed-places': (tx, change) => changedPlaces.note(tx, change),
      'practitioner.suspended': (tx, suspension) => freezes.suspended(tx, suspension),
      'practitioner.reinstated': (tx, { practitionerId }) => freezes.reinstated(tx, { practitionerId }),
      'practitioner.closed': (tx, { practitionerId }) => freezes.closed(tx, { practitionerId }),
      'practitioner.vetting-changed': (tx, { practitionerId }) =>
        freezes.vettingChanged(tx, { practitionerId }),
      'account.reclaimed': (tx, { accountId }) => feeds.end(tx, accountId),
      'payment.refunded': (tx, refund) => outbox.refundSucceeded(tx, refund),
      'payment.refunded-elsewhere': (tx, refund) => outbox.noteRefundedElsewhere(tx, refund),
    },
    personalData: bookingsPersonalData(deps),
    dashboard: bookingsDashboard(practitionerSessions),
    lookups: { paidSessions: describePaid, meetsInPerson, isCardAgreed },
  }
})
