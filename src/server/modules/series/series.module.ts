import { defineModule, type Given } from '../../module.ts'
import type { SeriesNeeds } from './series.deps.ts'
import { seriesExtendJob, seriesSweepJob } from './series.jobs.ts'
import { createSeriesOutbox } from './series.outbox.ts'
import { seriesPersonalData } from './series.personal-data.ts'
import { createPractitionerSeries } from './series.practitioner.ts'
import { practitionerSeriesRoutes, seriesRoutes } from './series.routes.ts'
import { createSeries } from './series.service.ts'
import { createSeriesOfSessions } from './series.sessions.ts'
import { findAgreedHour } from './series.store.ts'
import { createSweep } from './series.sweep.ts'

/** Weekly series: a client and a practitioner keep the same hour. */
export const seriesModule = defineModule('series', (given: Given<SeriesNeeds>) => {
  const outbox = createSeriesOutbox(given)
  const deps = { ...given, outbox }
  const series = createSeries(deps)
  const practitionerSeries = createPractitionerSeries({ ...deps, series })
  const sweep = createSweep({ ...deps, series })
  return {
    services: {
      series: { sweep: sweep.sweep, extend: sweep.extend },
      seriesOfSessions: createSeriesOfSessions(),
    },
    routes(serve) {
      seriesRoutes(serve, series)
      practitionerSeriesRoutes(serve, practitionerSeries)
    },
    jobs(handle) {
      handle(seriesSweepJob, () => sweep.sweep())
      handle(seriesExtendJob, ({ series_id }) => sweep.extend(series_id))
    },
    on: {
      'session.changed': (tx, session) => sweep.sessionChanged(tx, session),
      'session.replaced': (tx, replaced) => sweep.sessionReplaced(tx, replaced),
      'series.changed': (tx, change) => sweep.seriesChanged(tx, change),
      'practitioner.changed': (tx, { practitionerId }) => sweep.practitionerChanged(tx, { practitionerId }),
      'practitioner.suspended': (tx, { practitionerId }) => sweep.suspended(tx, { practitionerId }),
      'practitioner.reinstated': (tx, { practitionerId }) => sweep.reinstated(tx, { practitionerId }),
      'practitioner.vetting-changed': (tx, { practitionerId }) => sweep.reinstated(tx, { practitionerId }),
      'practitioner.closed': (tx, { practitionerId }) => sweep.closed(tx, { practitionerId }),
      'practitioner.left-places': (tx, left) => series.requirePlacesFree(tx, left),
    },
    personalData: seriesPersonalData({ ...deps, series }),
    lookups: { agreedHour: findAgreedHour },
  }
})
