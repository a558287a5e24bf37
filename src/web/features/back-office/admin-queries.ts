import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PaidFilter } from '#contract/back-office/payments.ts'
import type { ReportState } from '#contract/reviews.ts'
import type { PractitionerState } from '#contract/back-office/back-office.ts'
import { callApi } from '#web/lib/api.ts'

/** Who is signed in to the back office, and whether a second factor is on. */
export const adminProfileQuery = () =>
  queryOptions({
    queryKey: ['admin', 'profile'],
    queryFn: ({ signal }) => callApi('GET /admin/profile', { signal }),
  })

export type QueueFilter = { show: 'waiting' | 'all' | PractitionerState; search: string; page: number }

/** Practitioners, those who wait for a decision longest first. Never from memory: others decide as well. */
export const queueQuery = ({ show, search, page }: QueueFilter) =>
  queryOptions({
    queryKey: ['admin', 'practitioners', show, search, page],
    queryFn: ({ signal }) =>
      callApi('GET /admin/practitioners', {
        query: {
          ...(show === 'waiting' && { waiting: 'true' }),
          ...(show !== 'waiting' && show !== 'all' && { status: show }),
          ...(search && { search }),
          page,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** One practitioner, with what vetting needs. */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'practitioner', id],
    queryFn: ({ signal }) => callApi('GET /admin/practitioners/{id}', { params: { id }, signal }),
    staleTime: 0,
  })

/** What a suspension would touch. */
export const aheadQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'practitioner', id, 'ahead'],
    queryFn: ({ signal }) => callApi('GET /admin/practitioners/{id}/ahead', { params: { id }, signal }),
    staleTime: 0,
  })

/** Vetted facts that lapse while sessions are booked for later. A part of the practitioners, as decisions change both. */
export const lapsesQuery = () =>
  queryOptions({
    queryKey: ['admin', 'practitioners', 'lapses'],
    queryFn: ({ signal }) => callApi('GET /admin/vetting-lapses', { signal }),
    staleTime: 0,
  })

/** Practitioners who repeatedly did not come. */
export const absencesQuery = () =>
  queryOptions({
    queryKey: ['admin', 'no-shows', 'absences'],
    queryFn: ({ signal }) => callApi('GET /admin/absences', { signal }),
    staleTime: 0,
  })

export type AuditFilter = { action: string; actor: string; practitioner: string; page: number }

/** What admins did and looked at, newest first. */
export const auditQuery = ({ action, actor, practitioner, page }: AuditFilter) =>
  queryOptions({
    queryKey: ['admin', 'audit', action, actor, practitioner, page],
    queryFn: ({ signal }) =>
      callApi('GET /admin/audit', {
        query: {
          ...(action && { action }),
          ...(actor && { actor }),
          ...(practitioner && { practitioner_id: practitioner }),
          page,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Sessions that were paid for, the newest payment first. */
export const paymentsQuery = ({ show, search, page }: { show: PaidFilter; search: string; page: number }) =>
  queryOptions({
    queryKey: ['admin', 'payments', show, search, page],
    queryFn: ({ signal }) =>
      callApi('GET /admin/payments', { query: { show, ...(search && { search }), page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Money that should have been back with its client by now. */
export const lateReturnsQuery = () =>
  queryOptions({
    queryKey: ['admin', 'late-returns'],
    queryFn: ({ signal }) => callApi('GET /admin/payments/late-returns', { signal }),
    staleTime: 0,
  })

/** Changes made outside the product at the payment provider. Keyed below the payments: a decision changes both. */
export const incidentsQuery = () =>
  queryOptions({
    queryKey: ['admin', 'payments', 'incidents'],
    queryFn: ({ signal }) => callApi('GET /admin/payments/incidents', { signal }),
    staleTime: 0,
  })

/** What is owed to practitioners, the most that can be paid out first. */
export const payoutsQuery = (page: number) =>
  queryOptions({
    queryKey: ['admin', 'payouts', page],
    queryFn: ({ signal }) => callApi('GET /admin/payouts', { query: { page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** No-shows that clients dispute. */
export const noShowsQuery = (status: 'open' | 'decided', page: number) =>
  queryOptions({
    queryKey: ['admin', 'no-shows', status, page],
    queryFn: ({ signal }) => callApi('GET /admin/no-shows', { query: { status, page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Videos that practitioners ordered. */
export const videoOrdersQuery = (status: 'open' | 'done', page: number) =>
  queryOptions({
    queryKey: ['admin', 'video-orders', status, page],
    queryFn: ({ signal }) => callApi('GET /admin/video-orders', { query: { status, page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** What people reported of conversations. */
export const chatReportsQuery = (status: 'open' | 'settled', page: number) =>
  queryOptions({
    queryKey: ['admin', 'chat-reports', status, page],
    queryFn: ({ signal }) => callApi('GET /admin/chat-reports', { query: { status, page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** What people reported of reviews and replies. */
export const reportsQuery = (status: ReportState, page: number) =>
  queryOptions({
    queryKey: ['admin', 'reports', status, page],
    queryFn: ({ signal }) => callApi('GET /admin/reports', { query: { status, page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Of what shows a practitioner's standing, for a decision about it. */
export const decisionKeys = (id: number) => [
  fileQuery(id).queryKey,
  aheadQuery(id).queryKey,
  ['admin', 'practitioners'],
]
