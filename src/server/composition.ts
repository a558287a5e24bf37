import { type Idempotency, rememberedAnswers } from './http/idempotency.ts'
import { compose } from './module.ts'
import { accountsModule } from './modules/accounts/accounts.module.ts'
import { availabilityModule } from './modules/availability/availability.module.ts'
import { backOfficeModule } from './modules/back-office/back-office.module.ts'
import { bookingsModule } from './modules/bookings/bookings.module.ts'
import { calendarsModule } from './modules/calendars/calendars.module.ts'
import { chatModule } from './modules/chat/chat.module.ts'
import { getHelpModule } from './modules/get-help/get-help.module.ts'
import { mailsModule } from './modules/mails/mails.module.ts'
import { notificationsModule } from './modules/notifications/notifications.module.ts'
import { paymentsModule } from './modules/payments/payments.module.ts'
import { practitionersModule } from './modules/practitioners/practitioners.module.ts'
import { reviewsModule } from './modules/reviews/reviews.module.ts'
import { roomsModule } from './modules/rooms/rooms.module.ts'
import { searchModule } from './modules/search/search.module.ts'
import { seriesModule } from './modules/series/series.module.ts'
import { sessionsModule } from './modules/sessions/sessions.module.ts'
import { shortlistModule } from './modules/shortlist/shortlist.module.ts'
import { subscriptionsModule } from './modules/subscriptions/subscriptions.module.ts'
import { waitlistModule } from './modules/waitlist/waitlist.module.ts'
import type { Platform } from './platform.ts'

/** The modules, each added after those that it needs: it does not compile before them. */
export function composeModules(platform: Platform, idempotency: Idempotency) {
  return compose(platform, [rememberedAnswers(idempotency)])
    .add(mailsModule)
    .add(accountsModule)
    .add(notificationsModule)
    .add(practitionersModule)
    .add(availabilityModule)
    .add(calendarsModule)
    .add(paymentsModule)
    .add(subscriptionsModule)
    .add(bookingsModule)
    .add(seriesModule)
    .add(waitlistModule)
    .add(chatModule)
    .add(roomsModule)
    .add(reviewsModule)
    .add(getHelpModule)
    .add(sessionsModule)
    .add(searchModule)
    .add(shortlistModule)
    .add(backOfficeModule)
    .complete()
}
