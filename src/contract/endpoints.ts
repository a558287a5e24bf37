import type { z } from 'zod'
import { accountEndpoints } from './accounts/accounts.ts'
import { availabilityEndpoints } from './availability/availability.ts'
import { backOfficeEndpoints } from './back-office/back-office.ts'
import { bookingEndpoints } from './bookings/bookings.ts'
import { calendarEndpoints } from './calendars/calendars.ts'
import { chatEndpoints } from './chat/chat.ts'
import { chatCareEndpoints } from './chat/moderation.ts'
import { dashboardEndpoints } from './practitioners/dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { getHelpEndpoints } from './get-help/get-help.ts'
import { noShowEndpoints } from './bookings/no-shows.ts'
import { noticeEndpoints } from './notices/notices.ts'
import { identityEndpoints } from './accounts/identity.ts'
import { ownAccountEndpoints } from './accounts/account-settings.ts'
import { paymentDeskEndpoints } from './back-office/payments.ts'
import { paymentEndpoints } from './payments/payments.ts'
import { personalDataEndpoints } from './accounts/personal-data.ts'
import { practiceDeskEndpoints } from './back-office/practitioners.ts'
import { practiceEndpoints } from './practitioners/onboarding.ts'
import { practitionerEndpoints } from './practitioners/practitioners.ts'
import { reportEndpoints, reviewEndpoints } from './reviews/reviews.ts'
import { scheduleEndpoints } from './availability/schedule.ts'
import { searchEndpoints } from './search/search.ts'
import { subscriptionEndpoints } from './subscriptions/subscriptions.ts'
import { secondFactorEndpoints } from './accounts/second-factor.ts'
import { therapistSessionEndpoints } from './bookings/practitioner-sessions.ts'

/** Every call of the product, by method and path below `/api/v7`. */
export const endpoints = {
  ...accountEndpoints,
  ...secondFactorEndpoints,
  ...identityEndpoints,
  ...ownAccountEndpoints,
  ...personalDataEndpoints,
  ...practitionerEndpoints,
  ...practiceEndpoints,
  ...availabilityEndpoints,
  ...scheduleEndpoints,
  ...calendarEndpoints,
  ...paymentEndpoints,
  ...subscriptionEndpoints,
  ...bookingEndpoints,
  ...therapistSessionEndpoints,
  ...noShowEndpoints,
  ...chatEndpoints,
  ...chatCareEndpoints,
  ...noticeEndpoints,
  ...reviewEndpoints,
  ...getHelpEndpoints,
  ...dashboardEndpoints,
  ...searchEndpoints,
  ...backOfficeEndpoints,
  ...paymentDeskEndpoints,
  ...practiceDeskEndpoints,
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
