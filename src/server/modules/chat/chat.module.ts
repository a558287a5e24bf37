import { hours } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { createChatModeration } from './chat.moderation.ts'
import { listBlockedClients, listBlockedPractitioners } from './moderation.store.ts'
import { chatUnreadSweepJob } from './chat.jobs.ts'
import { chatPersonalData } from './chat.personal-data.ts'
import { chatModerationRoutes, chatRoutes } from './chat.routes.ts'
import { createChat } from './chat.service.ts'
import { createUnread } from './chat.unread.ts'
import { countEnquiries, medianResponse } from './dashboard.store.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  notifications: Notifications
  practitioners: Practitioners
  bookings: Bookings
  practitionerSessions: PractitionerSessions
}

export const chatModule = defineModule('chat', (given: Given<Needs>) => {
  const unread = createUnread(given)
  const mints = createSlidingLimit({ hits: 300, window: hours(1) }, given)
  const chat = createChat({ ...given, unread, mints, sessions: given.practitionerSessions })
  const chatModeration = createChatModeration({ ...given, chat })
  return {
    services: { chat, chatModeration, unread },
    routes(serve) {
      chatRoutes(serve, chat)
      chatModerationRoutes(serve, chatModeration)
    },
    pages(app) {
      app.addHook('onClose', async () => unread.stop())
    },
    jobs(handle) {
      handle(chatUnreadSweepJob, () => unread.sweep())
    },
    // Open sockets are checked again.
    on: {
      'sign-in.ended': async (tx, { accountId }) => chat.recheckAfter(tx, accountId),
      'practitioner.suspended': (tx, practitioner) => chat.stopped(tx, practitioner),
      'practitioner.reinstated': (tx, { practitionerId }) => chat.tellClientsOf(tx, practitionerId),
      'practitioner.closed': (tx, practitioner) => chat.stopped(tx, practitioner),
    },
    lookups: { blockedClients: listBlockedClients, blockedPractitioners: listBlockedPractitioners },
    tidy: () => chat.tidy(),
    personalData: chatPersonalData(given),
    dashboard: {
      parts: {
        enquiries_count: (db, { id }) => countEnquiries(db, id),
        response_minutes: (db, { id }) => medianResponse(db, id),
      },
    },
  }
})
