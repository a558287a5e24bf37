import type { Serve } from '../../http/serve.ts'
import type { SeriesService } from './series.service.ts'
import type { PractitionerSeries } from './series.practitioner.ts'

export function seriesRoutes(serve: Serve, series: SeriesService): void {
  serve('POST /series/preview', ({ caller, body }) => series.preview(caller, body))
  serve('POST /series', ({ caller, body }) => series.create(caller, body))
  serve('GET /client/series', ({ caller }) => series.list(caller))
  serve('GET /series/{series_id}', ({ caller, params }) => series.detail(caller, params.series_id))
  serve('POST /series/{series_id}/agree', ({ caller, params, body }) =>
    series.agree(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/dates/{on_date}/skip', ({ caller, params, body }) =>
    series.skip(caller, params.series_id, params.on_date, body.starts_at),
  )
  serve('POST /series/{series_id}/dates/{on_date}/restore', ({ caller, params }) =>
    series.restore(caller, params.series_id, params.on_date),
  )
  serve('POST /series/{series_id}/dates/{on_date}/move', ({ caller, params, body }) =>
    series.move(caller, params.series_id, params.on_date, body.starts_at),
  )
  serve('POST /series/{series_id}/away', ({ caller, params, body }) =>
    series.away(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/change', ({ caller, params, body }) =>
    series.change(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/change-preview', ({ caller, params, body }) =>
    series.previewChange(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/end', ({ caller, params, body }) =>
    series.end(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/resume', ({ caller, params }) => series.resume(caller, params.series_id))
  serve('POST /series/{series_id}/confirm-zone', ({ caller, params, body }) =>
    series.confirmZone(caller, params.series_id, body.timezone),
  )
  serve('PUT /series/{series_id}/card', ({ caller, params, body }) =>
    series.setCard(caller, params.series_id, body),
  )
  serve('POST /series/{series_id}/price', ({ caller, params, body }) =>
    series.answerPrice(caller, params.series_id, body),
  )
}

export function practitionerSeriesRoutes(serve: Serve, series: PractitionerSeries): void {
  serve('GET /therapist/series', ({ caller }) => series.list(caller))
  serve('POST /therapist/series/preview', ({ caller, body }) => series.preview(caller, body))
  serve('POST /therapist/series', ({ caller, body }) => series.propose(caller, body))
  serve('POST /therapist/series/{series_id}/accept', ({ caller, params }) =>
    series.accept(caller, params.series_id),
  )
  serve('POST /therapist/series/{series_id}/decline', ({ caller, params, body }) =>
    series.decline(caller, params.series_id, body.reason ?? null),
  )
  serve('POST /therapist/series/{series_id}/end', ({ caller, params, body }) =>
    series.end(caller, params.series_id, body),
  )
  serve('POST /therapist/series/{series_id}/new-price', ({ caller, params, body }) =>
    series.newPrice(caller, params.series_id, body),
  )
  serve('POST /therapist/series/{series_id}/dates/{on_date}/keep', ({ caller, params }) =>
    series.keep(caller, params.series_id, params.on_date),
  )
  serve('POST /therapist/series/in-time-off', ({ caller, body }) => series.inTimeOff(caller, body))
  serve('POST /therapist/time-off/{id}/skip-series', ({ caller, params, body }) =>
    series.skipInTimeOff(caller, params.id, body),
  )
}
