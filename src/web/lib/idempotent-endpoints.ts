import type { EndpointKey, Endpoints } from '#contract/endpoints.ts'

/** Endpoints that the contract marks `idempotent`. */
type IdempotentKey = {
  [K in EndpointKey]: Endpoints[K] extends { idempotent: true } ? K : never
}[EndpointKey]

/**
 * The contract's marks as values: the contract itself brings a validator that the browser does not load. A mark without
 * its line here does not compile, and neither does a line without its mark.
 */
const marks: Record<IdempotentKey, true> = {
  'POST /waitlist': true,
  'POST /admin/sessions/{appointment_id}/cancel': true,
  'POST /admin/payments/incidents/{id}/resolve': true,
  'POST /admin/payments/{id}/refund': true,
  'POST /admin/payouts/{id}': true,
  'POST /appointment/create-session': true,
  'POST /appointment/{appointment_id}/extend-hold': true,
  'POST /payment/{provider}/existing-card-payment': true,
  'POST /appointment/instant-book': true,
  'POST /appointment/edit-session': true,
  'POST /appointment/cancel-session': true,
  'POST /appointment/{appointment_id}/dispute-no-show': true,
  'POST /therapist/sessions/{appointment_id}/cancel': true,
  'POST /therapist/sessions/{appointment_id}/complete': true,
  'POST /therapist/sessions/{appointment_id}/no-show': true,
  'POST /payment/{provider}/add-new-card': true,
  'POST /appointment/{appointment_id}/review': true,
  'POST /therapist/payment/add-new-card': true,
  'POST /therapist/subscription/subscribe': true,
  'POST /therapist/video-production/order': true,
  'POST /series': true,
  'POST /series/{series_id}/agree': true,
  'POST /series/{series_id}/away': true,
  'POST /series/{series_id}/confirm-zone': true,
  'POST /series/{series_id}/change': true,
  'POST /series/{series_id}/dates/{on_date}/move': true,
  'POST /series/{series_id}/dates/{on_date}/restore': true,
  'POST /series/{series_id}/dates/{on_date}/skip': true,
  'POST /series/{series_id}/end': true,
  'POST /series/{series_id}/price': true,
  'POST /series/{series_id}/resume': true,
  'POST /therapist/series': true,
  'POST /therapist/series/{series_id}/accept': true,
  'POST /therapist/series/{series_id}/dates/{on_date}/keep': true,
  'POST /therapist/series/{series_id}/decline': true,
  'POST /therapist/series/{series_id}/end': true,
  'POST /therapist/series/{series_id}/new-price': true,
  'POST /appointment/{appointment_id}/pay': true,
  'POST /therapist/sessions/{appointment_id}/allow-late-payment': true,
  'POST /therapist/sessions/{appointment_id}/technical-failure': true,
  'POST /appointment/{appointment_id}/nobody-came': true,
  'PUT /therapist/update-profile': true,
  'POST /therapist/add-language-list': true,
  'POST /therapist/add-license-list': true,
  'POST /therapist/add-therapy-approach-list': true,
  'POST /therapist/add-issue-list': true,
  'POST /therapist/add-service-list': true,
  'POST /therapist/add-location-list': true,
  'POST /therapist/add-insurance-company-list': true,
  'DELETE /therapist/video-captions': true,
}

/** Whether the endpoint reads an `Idempotency-Key`. */
export const isIdempotent = (key: EndpointKey): boolean => key in marks
