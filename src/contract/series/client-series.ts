import { z } from 'zod'
import { Day, FreeText, InstantSent, PoundsSent, StartShown, TimeZone } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import {
  Agreement,
  ChangedRhythm,
  Series,
  seriesChange,
  seriesDateParams,
  SeriesPreview,
  seriesParams,
  SeriesWanted,
} from './series.ts'

const change = { access: ['client'], ...seriesChange } as const

export const seriesEndpoints = defineEndpoints({
  'POST /series/preview': {
    access: ['client'],
    owner: 'appointment',
    summary: 'The first ten dates of a series with conflicts, prices and terms; makes nothing',
    body: SeriesWanted,
    answer: SeriesPreview,
  },
  'POST /series': {
    access: ['client'],
    owner: 'appointment',
    summary: 'Propose a series; it begins once the client agrees, or the practitioner has accepted first',
    body: SeriesWanted,
    answer: seriesChange.answer,
    status: 201,
    idempotent: true,
  },
  'GET /client/series': {
    access: ['client'],
    summary: "The caller's series, live ones first; of those that ended, the last 90 days'",
    answer: z.object({ data: z.array(Series) }),
  },
  'GET /series/{series_id}': {
    access: ['client', 'therapist'],
    owner: 'series',
    summary: 'One series with its next dates, for its client and its practitioner alike',
    params: seriesParams,
    answer: seriesChange.answer,
  },
  'POST /series/{series_id}/agree': {
    ...change,
    summary:
      'Agree to a series with a saved card: its dates are reserved, and a session within 48 hours is paid',
    body: Agreement,
  },
  'POST /series/{series_id}/dates/{on_date}/skip': {
    ...change,
    summary: 'Skip one date of a series, free of charge until its money is taken',
    params: seriesDateParams,
    body: z.object({ starts_at: StartShown }),
    hadNoBody: true,
  },
  'POST /series/{series_id}/dates/{on_date}/restore': {
    ...change,
    summary: 'Take a skipped date of a series up again',
    params: seriesDateParams,
  },
  'POST /series/{series_id}/dates/{on_date}/move': {
    ...change,
    summary: 'Choose another time for a date in conflict; a session is moved by edit-session',
    params: seriesDateParams,
    body: z.object({ starts_at: InstantSent }),
  },
  'POST /series/{series_id}/away': {
    access: ['client'],
    owner: 'series',
    summary: 'Skip every date of a series in a range of days',
    params: seriesParams,
    body: z.object({
      from: Day,
      to: Day,
      /** On whose clocks the days are; those of the series without it. */
      timezone: TimeZone.optional(),
    }),
    answer: z.object({
      data: Series,
      skipped: z.array(Day),
      refused: z.array(z.object({ on_date: Day, message: z.string() })),
    }),
    idempotent: true,
  },
  'POST /series/{series_id}/change': {
    ...change,
    summary: 'Change the rhythm: the series ends, and a new one goes on in its place',
    body: ChangedRhythm,
  },
  'POST /series/{series_id}/change-preview': {
    access: ['client'],
    owner: 'series',
    summary: 'The first ten dates of a changed rhythm; changes nothing',
    params: seriesParams,
    body: ChangedRhythm.omit({ dates: true }),
    answer: SeriesPreview,
  },
  'POST /series/{series_id}/end': {
    ...change,
    summary: 'End a series at once, or decline a proposal: what is paid stays, what is reserved goes',
    body: z.object({
      reason: FreeText(1000).trim().nullish(),
      /** Only declines or withdraws: a series that has been agreed meanwhile is answered 409 `changed_elsewhere`. */
      proposal_only: z.boolean().optional(),
    }),
  },
  'POST /series/{series_id}/resume': {
    ...change,
    summary: 'Go on with a series after its practitioner was reinstated',
  },
  'POST /series/{series_id}/confirm-zone': {
    access: ['client', 'therapist'],
    owner: 'series',
    summary: "Confirm the hour of a series as the clocks of the practitioner's new zone show it",
    params: seriesParams,
    /** The zone that was shown. */
    body: z.object({ timezone: z.string().max(64) }),
    answer: seriesChange.answer,
    idempotent: true,
  },
  'PUT /series/{series_id}/card': {
    access: ['client'],
    owner: 'series',
    summary: 'Change the saved card that a series is paid with',
    params: seriesParams,
    body: z.object({ customer_id: z.uuid() }),
    answer: seriesChange.answer,
  },
  'POST /series/{series_id}/price': {
    ...change,
    summary: 'Answer a new price: accepted, it applies from its date; declined, the series ends there',
    body: z.object({
      accept: z.boolean(),
      /** The price as it was shown, with its first day: where it is another by now, the answer is 409 `changed_elsewhere`. */
      shown: z.object({ fee: PoundsSent, from_date: Day }).optional(),
    }),
  },
})
