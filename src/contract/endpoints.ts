import type { z } from 'zod'
import { accountSettingsEndpoints } from './accounts/account-settings.ts'
import { accountEndpoints } from './accounts/accounts.ts'
import { identityEndpoints } from './accounts/identity.ts'
import { personalDataEndpoints } from './accounts/personal-data.ts'
import { secondFactorEndpoints } from './accounts/second-factor.ts'
import { availabilityEndpoints } from './availability/availability.ts'
import { scheduleEndpoints } from './availability/schedule.ts'
import { absenceEndpoints } from './back-office/absences.ts'
import { backOfficeEndpoints } from './back-office/back-office.ts'
import { chatReportEndpoints } from './back-office/chat-reports.ts'
import { disputedNoShowEndpoints } from './back-office/no-shows.ts'
import { paymentsAdminEndpoints } from './back-office/payments.ts'
import { practitionersAdminEndpoints } from './back-office/practitioners.ts'
import { reportEndpoints } from './back-office/reports.ts'
import { bookingEndpoints } from './bookings/bookings.ts'
import { calendarFeedEndpoints } from './bookings/calendar-feeds.ts'
import { noShowEndpoints } from './bookings/no-shows.ts'
import { therapistSessionEndpoints } from './bookings/practitioner-sessions.ts'
import { calendarEndpoints } from './calendars.ts'
import { chatEndpoints } from './chat/chat.ts'
import { moderationEndpoints } from './chat/moderation.ts'
import { getHelpEndpoints } from './get-help/get-help.ts'
import { notificationEndpoints } from './notifications.ts'
import { paymentEndpoints } from './payments.ts'
import { dashboardEndpoints } from './practitioners/dashboard.ts'
import { onboardingEndpoints } from './practitioners/onboarding.ts'
import { practitionerEndpoints } from './practitioners/practitioners.ts'
import { reviewEndpoints } from './reviews.ts'
import { roomEndpoints } from './rooms/rooms.ts'
import { searchEndpoints } from './search.ts'
import { seriesEndpoints } from './series/client-series.ts'
import { therapistSeriesEndpoints } from './series/therapist-series.ts'
import { sessionEndpoints } from './sessions.ts'
import { shortlistEndpoints } from './shortlist.ts'
import { subscriptionEndpoints } from './subscriptions/subscriptions.ts'
import { waitlistEndpoints } from './waitlist/waitlist.ts'
import type { Endpoint } from './endpoint.ts'

/** Every call of the product, by method and path below `/api/v7`. */
export const endpoints = {
  ...accountSettingsEndpoints,
  ...accountEndpoints,
  ...identityEndpoints,
  ...personalDataEndpoints,
  ...secondFactorEndpoints,
  ...notificationEndpoints,
  ...dashboardEndpoints,
  ...onboardingEndpoints,
  ...practitionerEndpoints,
  ...availabilityEndpoints,
  ...scheduleEndpoints,
  ...calendarEndpoints,
  ...paymentEndpoints,
  ...subscriptionEndpoints,
  ...bookingEndpoints,
  ...calendarFeedEndpoints,
  ...noShowEndpoints,
  ...therapistSessionEndpoints,
  ...seriesEndpoints,
  ...therapistSeriesEndpoints,
  ...waitlistEndpoints,
  ...chatEndpoints,
  ...moderationEndpoints,
  ...roomEndpoints,
  ...reviewEndpoints,
  ...getHelpEndpoints,
  ...sessionEndpoints,
  ...searchEndpoints,
  ...shortlistEndpoints,
  ...backOfficeEndpoints,
  ...chatReportEndpoints,
  ...disputedNoShowEndpoints,
  ...absenceEndpoints,
  ...paymentsAdminEndpoints,
  ...practitionersAdminEndpoints,
  ...reportEndpoints,
}

export type Endpoints = typeof endpoints
export type EndpointKey = keyof Endpoints

type Parsed<K extends EndpointKey, Part extends keyof Endpoint> =
  Endpoints[K] extends Record<Part, z.ZodType> ? z.infer<Endpoints[K][Part]> : undefined
type Sent<K extends EndpointKey, Part extends keyof Endpoint> =
  Endpoints[K] extends Record<Part, z.ZodType> ? z.input<Endpoints[K][Part]> : undefined

/** What a handler receives, after parsing. */
export type ParamsOf<K extends EndpointKey> = Parsed<K, 'params'>
export type QueryOf<K extends EndpointKey> = Parsed<K, 'query'>
export type BodyOf<K extends EndpointKey> = Parsed<K, 'body'>
/** What a caller sends, before parsing. */
export type BodySent<K extends EndpointKey> = Sent<K, 'body'>
/** What an endpoint answers. */
export type AnswerOf<K extends EndpointKey> = Parsed<K, 'answer'>
