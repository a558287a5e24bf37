import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { InstantSessions } from '../bookings/bookings.instant.ts'
import type { BookingKinds } from '../bookings/bookings.kinds.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Chat } from '../chat/chat.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { createDispatch } from './get-help.dispatch.ts'
import { getHelpPassOnJob, getHelpSweepJob } from './get-help.jobs.ts'
import { createHelpOutbox } from './get-help.outbox.ts'
import { createMatching } from './get-help.matching.ts'
import { createHelpNews } from './get-help.news.ts'
import { getHelpPersonalData } from './get-help.personal-data.ts'
import { createPractitionerHelp } from './get-help.practitioner.ts'
import { getHelpRoutes } from './get-help.routes.ts'
import { createGetHelp } from './get-help.service.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  notifications: Notifications
  practitioners: Practitioners
  availability: Availability
  payments: Payments
  bookings: Bookings
  bookingKinds: BookingKinds
  instant: InstantSessions
  chat: Chat
}

export const getHelpModule = defineModule('get-help', (given: Given<Needs>) => {
  const outbox = createHelpOutbox(given)
  const deps = {
    ...given,
    outbox,
    matching: createMatching({ ...given, lookups: given.contributions.lookups }),
    news: createHelpNews(given),
  }
  const dispatch = createDispatch(deps)
  const getHelp = createGetHelp({ ...deps, dispatch })
  given.bookingKinds.register('get-help-right-now', getHelp)
  const practitionerHelp = createPractitionerHelp({ ...given, dispatch })
  return {
    services: { dispatch, getHelp },
    routes: (serve) => getHelpRoutes(serve, getHelp, practitionerHelp),
    jobs(handle) {
      handle(getHelpSweepJob, () => dispatch.sweep())
      handle(getHelpPassOnJob, ({ practitioner_id: id }) => dispatch.passOn(id))
    },
    on: {
      // In a transaction of its own: a search is locked before its practitioner.
      'availability.narrowed': (tx, { practitionerId }) =>
        given.queue.enqueue(tx, getHelpPassOnJob, { practitioner_id: practitionerId }),
      'practitioner.stops-work': (tx, { practitionerId }) => dispatch.withdrawFrom(tx, practitionerId),
      'chat.blocked': (tx, { practitionerId, clientId }) =>
        dispatch.withdrawFrom(tx, practitionerId, { clientId }),
      'payment.released': (tx, { appointmentId }) => outbox.released(tx, appointmentId),
    },
    personalData: getHelpPersonalData({ dispatch }),
  }
})
