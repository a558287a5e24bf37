import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Consents } from '../accounts/accounts.consents.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Reserved } from '../bookings/reserved/reserved.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { seriesExtendJob, seriesSweepJob } from './series.jobs.ts'
import { createSeriesOutbox } from './series.outbox.ts'
import { seriesPersonalData } from './series.personal-data.ts'
import { createPractitionerSeries } from './series.practitioner.ts'
import { practitionerSeriesRoutes, seriesRoutes } from './series.routes.ts'
import { createSeries } from './series.service.ts'
import { createSeriesOfSessions } from './series.sessions.ts'
import { createSweep } from './series.sweep.ts'

type Needs = {
  mails: Mails
  accounts: Accounts
  consents: Consents
  notifications: Notifications
  practitioners: Practitioners
  availability: Availability
  schedules: Schedules
  payments: Payments
  bookings: Bookings
  practitionerSessions: PractitionerSessions
  reserved: Reserved
}

/** Weekly series: a client and a practitioner keep the same hour. */
export const seriesModule = defineModule('series', (given: Given<Needs>) => {
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
      'practitioner.lapse-resolved': (tx, { practitionerId }) => sweep.reinstated(tx, { practitionerId }),
      'practitioner.closed': (tx, { practitionerId }) => sweep.closed(tx, { practitionerId }),
      'practitioner.left-places': (tx, left) => series.requirePlacesFree(tx, left),
    },
    personalData: seriesPersonalData({ ...deps, series }),
  }
})
