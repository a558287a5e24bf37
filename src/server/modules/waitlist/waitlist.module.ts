import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { OfferedSessions } from '../bookings/bookings.offered.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { waitlistMatchJob, waitlistNextJob, waitlistSweepJob } from './waitlist.jobs.ts'
import { createMatching } from './waitlist.matching.ts'
import { createOffers } from './waitlist.offers.ts'
import { createWaitlistOutbox } from './waitlist.outbox.ts'
import { waitlistPersonalData } from './waitlist.personal-data.ts'
import { createPractitionerSide } from './waitlist.practitioner.ts'
import { waitlistRoutes } from './waitlist.routes.ts'
import { createWaitlist } from './waitlist.service.ts'
import { createSearchWishes } from './waitlist.wishes.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  notifications: Notifications
  practitioners: Practitioners
  availability: Availability
  payments: Payments
  offered: OfferedSessions
}

export const waitlistModule = defineModule('waitlist', (given: Given<Needs>) => {
  const outbox = createWaitlistOutbox(given)
  const deps = { ...given, outbox, lookups: given.contributions.lookups }
  const offers = createOffers(deps)
  outbox.startWith(offers.start)
  const matching = createMatching({ ...deps, offers })
  const waitlist = createWaitlist({ ...deps, offers, matching })
  const wishes = createSearchWishes(deps)
  const practitionerSide = createPractitionerSide({ ...deps, offers })
  return {
    services: { waitlist, waitlistMatching: matching, searchWishes: wishes },
    routes: (serve) => waitlistRoutes(serve, waitlist, practitionerSide, wishes),
    jobs(handle) {
      handle(waitlistMatchJob, ({ practitioner_id }) => matching.run(practitioner_id))
      handle(waitlistNextJob, ({ practitioner_id }) => matching.run(practitioner_id))
      handle(waitlistSweepJob, async () => {
        await matching.sweep()
        await wishes.sweep()
      })
    },
    on: {
      'availability.changed': async (tx, { practitionerId, freesNothing, freed }) => {
        if (!freesNothing) await matching.note(tx, practitionerId, freed)
      },
      'hold.ended': async (tx, { appointmentId, isTaken }) => {
        const ended = await offers.holdEnded(tx, appointmentId)
        if (ended && !isTaken) matching.follow(tx, ended)
      },
      'session.changed': (tx, { appointmentId, booked }) => offers.confirmed(tx, appointmentId, booked),
      'sessions.reserved': (tx, reserved) => offers.reserved(tx, reserved),
      'practitioner.stops-work': (tx, { practitionerId }) => waitlist.stopped(tx, practitionerId),
      'practitioner.reinstated': (tx, { practitionerId }) => waitlist.reinstated(tx, practitionerId),
      'practitioner.closed': (tx, { practitionerId }) => waitlist.closed(tx, practitionerId),
    },
    personalData: waitlistPersonalData({ waitlist, wishes }),
  }
})
