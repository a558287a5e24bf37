import type { z } from 'zod'
import { accountEndpoints } from './accounts.ts'
import { availabilityEndpoints } from './availability.ts'
import { backOfficeEndpoints } from './back-office.ts'
import { bookingEndpoints } from './bookings.ts'
import { calendarEndpoints } from './calendars.ts'
import { chatEndpoints } from './chat.ts'
import { chatCareEndpoints } from './chat-care.ts'
import { dashboardEndpoints } from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { getHelpEndpoints } from './get-help.ts'
import { noShowEndpoints } from './no-shows.ts'
import { noticeEndpoints } from './notices.ts'
import { identityEndpoints } from './identity.ts'
import { ownAccountEndpoints } from './own-account.ts'
import { paymentDeskEndpoints } from './payment-desk.ts'
import { paymentEndpoints } from './payments.ts'
import { personalDataEndpoints } from './personal-data.ts'
import { practiceDeskEndpoints } from './practice-desk.ts'
import { practiceEndpoints } from './practice.ts'
import { practitionerEndpoints } from './practitioners.ts'
import { reportEndpoints, reviewEndpoints } from './reviews.ts'
import { scheduleEndpoints } from './schedule.ts'
import { searchEndpoints } from './search.ts'
import { subscriptionEndpoints } from './subscriptions.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { therapistSessionEndpoints } from './therapist-sessions.ts'

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
