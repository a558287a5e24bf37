import { keepPreviousData } from '@tanstack/react-query'
import type { PaidFilter } from '#contract/back-office/payments.ts'
import type { ReportState } from '#contract/reviews.ts'
import type { PractitionerState } from '#contract/back-office/back-office.ts'
import { apiQuery } from '#web/lib/api-query.ts'

/** Of a page of a list. Never from memory: others decide as well. */
const paged = { placeholderData: keepPreviousData, staleTime: 0 }

/** Who is signed in to the back office, and whether a second factor is on. */
export const adminProfileQuery = () => apiQuery(['admin', 'profile'], 'GET /admin/profile')

export type QueueFilter = { show: 'waiting' | 'all' | PractitionerState; search: string; page: number }

/** Practitioners, those who wait for a decision longest first. */
export const queueQuery = ({ show, search, page }: QueueFilter) =>
  apiQuery(['admin', 'practitioners', show, search, page], 'GET /admin/practitioners', {
    query: {
      ...(show === 'waiting' && { waiting: 'true' }),
      ...(show !== 'waiting' && show !== 'all' && { status: show }),
      ...(search && { search }),
      page,
    },
    ...paged,
  })

/** One practitioner, with what vetting needs. */
export const fileQuery = (id: number) =>
  apiQuery(['admin', 'practitioner', id], 'GET /admin/practitioners/{id}', { params: { id }, staleTime: 0 })

/** What a suspension would touch. */
export const aheadQuery = (id: number) =>
  apiQuery(['admin', 'practitioner', id, 'ahead'], 'GET /admin/practitioners/{id}/ahead', {
    params: { id },
    staleTime: 0,
  })

/** Vetted facts that lapse while sessions are booked for later. A part of the practitioners, as decisions change both. */
export const lapsesQuery = () =>
  apiQuery(['admin', 'practitioners', 'lapses'], 'GET /admin/vetting-lapses', { staleTime: 0 })

/** Practitioners who repeatedly did not come. */
export const absencesQuery = () =>
  apiQuery(['admin', 'no-shows', 'absences'], 'GET /admin/absences', { staleTime: 0 })

export type AuditFilter = { action: string; actor: string; practitioner: string; page: number }

/** What admins did and looked at, newest first. */
export const auditQuery = ({ action, actor, practitioner, page }: AuditFilter) =>
  apiQuery(['admin', 'audit', action, actor, practitioner, page], 'GET /admin/audit', {
    query: {
      ...(action && { action }),
      ...(actor && { actor }),
      ...(practitioner && { practitioner_id: practitioner }),
      page,
    },
    ...paged,
  })

/** Sessions that were paid for, the newest payment first. */
export const paymentsQuery = ({ show, search, page }: { show: PaidFilter; search: string; page: number }) =>
  apiQuery(['admin', 'payments', show, search, page], 'GET /admin/payments', {
    query: { show, ...(search && { search }), page },
    ...paged,
  })

/** Money that should have been back with its client by now. */
export const lateReturnsQuery = () =>
  apiQuery(['admin', 'late-returns'], 'GET /admin/payments/late-returns', { staleTime: 0 })

/** Changes made outside the product at the payment provider. Keyed below the payments: a decision changes both. */
export const incidentsQuery = () =>
  apiQuery(['admin', 'payments', 'incidents'], 'GET /admin/payments/incidents', { staleTime: 0 })

/** What is owed to practitioners, the most that can be paid out first. */
export const payoutsQuery = (search: string, page: number) =>
  apiQuery(['admin', 'payouts', 'owed', search, page], 'GET /admin/payouts', {
    query: { ...(search && { search }), page },
    ...paged,
  })

/** Payouts that were recorded, newest first. Keyed below what is owed: a reversal changes both. */
export const recordedPayoutsQuery = (search: string, page: number) =>
  apiQuery(['admin', 'payouts', 'recorded', search, page], 'GET /admin/payouts/recorded', {
    query: { ...(search && { search }), page },
    ...paged,
  })

/** No-shows that clients dispute. */
export const noShowsQuery = (status: 'open' | 'decided', page: number) =>
  apiQuery(['admin', 'no-shows', status, page], 'GET /admin/no-shows', { query: { status, page }, ...paged })

/** Videos that practitioners ordered. */
export const videoOrdersQuery = (status: 'open' | 'done', page: number) =>
  apiQuery(['admin', 'video-orders', status, page], 'GET /admin/video-orders', {
    query: { status, page },
    ...paged,
  })

/** What people reported of conversations. */
export const chatReportsQuery = (status: 'open' | 'settled', page: number) =>
  apiQuery(['admin', 'chat-reports', status, page], 'GET /admin/chat-reports', {
    query: { status, page },
    ...paged,
  })

/** What people reported of reviews and replies. */
export const reportsQuery = (status: ReportState, page: number) =>
  apiQuery(['admin', 'reports', status, page], 'GET /admin/reports', { query: { status, page }, ...paged })

/** Of what shows a practitioner's standing, for a decision about it. */
export const decisionKeys = (id: number) => [
  fileQuery(id).queryKey,
  aheadQuery(id).queryKey,
  ['admin', 'practitioners'],
]
