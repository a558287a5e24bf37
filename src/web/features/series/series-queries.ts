import { queryOptions } from '@tanstack/react-query'
import type { EveryWeeks } from '#contract/series/series.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { apiQuery } from '#web/lib/api-query.ts'

/** Of all queries: a change of a series changes sessions, free times and the schedule as well. */
export const everything = [[]]

/** Of all queries of series. */
export const seriesRoot = () => accountKey('series')

/** The client's own series, live ones first. */
export const ownSeriesQuery = () => apiQuery(accountKey('series', 'list'), 'GET /client/series')

/** The practitioner's own series, live ones first. */
export const therapistSeriesQuery = () =>
  apiQuery(accountKey('series', 'therapist'), 'GET /therapist/series', { staleTime: 0 })

/** One series. Never from the cache: its state decides what the client agrees to. */
export const seriesQuery = (id: string) =>
  apiQuery(accountKey('series', 'one', id), 'GET /series/{series_id}', {
    params: { series_id: id },
    staleTime: 0,
  })

/** What a series that goes on from a session would be. */
export const previewQuery = (appointmentId: string, everyWeeks: EveryWeeks) =>
  queryOptions({
    queryKey: accountKey('series', 'preview', appointmentId, everyWeeks),
    queryFn: ({ signal }) =>
      callApi('POST /series/preview', {
        body: { appointment_id: appointmentId, every_weeks: everyWeeks },
        signal,
      }),
    staleTime: 0,
  })

export type ChangedHour = { from: string; weekday: number; start: string; everyWeeks: EveryWeeks }

/** What a series would be in another rhythm. */
export const changePreviewQuery = (id: string, { from, weekday, start, everyWeeks }: ChangedHour) =>
  queryOptions({
    queryKey: accountKey('series', 'change', id, from, weekday, start, everyWeeks),
    queryFn: ({ signal }) =>
      callApi('POST /series/{series_id}/change-preview', {
        params: { series_id: id },
        body: { from, weekday, start, every_weeks: everyWeeks },
        signal,
      }),
    staleTime: 0,
  })

export type ProposedHour = {
  appointmentId: string
  weekday: number
  start: string
  everyWeeks: EveryWeeks
  firstOn: string
}

/** What a practitioner proposes, as the contract has it. */
export function proposalBody({ appointmentId, weekday, start, everyWeeks, firstOn }: ProposedHour) {
  return {
    appointment_id: appointmentId,
    weekday,
    start,
    every_weeks: everyWeeks,
    first_on: firstOn || null,
  }
}

/** The dates of a series that a practitioner would propose. */
export const proposalPreviewQuery = (hour: ProposedHour) =>
  queryOptions({
    queryKey: accountKey('series', 'proposal', hour),
    queryFn: ({ signal }) => callApi('POST /therapist/series/preview', { body: proposalBody(hour), signal }),
    staleTime: 0,
  })

/** The hour of a session, as a practitioner would offer it to be kept. */
export const hourOfSessionQuery = (appointmentId: string) =>
  queryOptions({
    queryKey: accountKey('series', 'hour', appointmentId),
    queryFn: ({ signal }) =>
      callApi('POST /therapist/series/preview', { body: { appointment_id: appointmentId }, signal }),
    staleTime: 0,
  })

export type WantedOff = {
  first_day: string
  last_day: string | null
  from_time: string | null
  to_time: string | null
}

/** The sessions of series within time off, planned or wanted. */
export const inTimeOffQuery = (wanted: WantedOff) =>
  queryOptions({
    queryKey: accountKey('series', 'in-time-off', wanted),
    queryFn: ({ signal }) => callApi('POST /therapist/series/in-time-off', { body: wanted, signal }),
    staleTime: 0,
  })
