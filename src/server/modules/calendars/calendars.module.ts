import { defineModule, type Given } from '../../module.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { calendarsSweepJob, calendarsSyncJob } from './calendars.jobs.ts'
import { calendarRoutes } from './calendars.routes.ts'
import { createCalendars } from './calendars.service.ts'
import { receiveCalendarConsent } from './consent.pages.ts'

type Needs = { mails: Mails; accounts: Accounts; practitioners: Practitioners; availability: Availability }

export const calendarsModule = defineModule('calendars', (given: Given<Needs>) => {
  const { calendarProvider, isSecure } = given
  const calendars = createCalendars({ ...given, provider: calendarProvider })
  return {
    services: { calendars },
    routes: (serve) => calendarRoutes(serve, calendars, isSecure),
    apiPages: (api) => receiveCalendarConsent(api, calendars.finish, isSecure),
    jobs(handle) {
      handle(calendarsSweepJob, () => calendars.sweep())
      handle(calendarsSyncJob, ({ calendar }) => calendars.visit(calendar))
    },
    on: {
      'account.reclaimed': (tx, { accountId }) => calendars.reclaimed(tx, accountId),
      'practitioner.closed': (tx, { practitionerId }) => calendars.leaveOf(tx, practitionerId),
    },
    dashboard: {
      async tasks(db, { id }) {
        if (!(await calendars.endedSince(db, id))) return []
        return [
          {
            code: 'calendar_ended',
            urgency: 'soon',
            title: 'Connect your Google Calendar again',
            message:
              'It ended from the other side. New sessions are not written to it, and what you enter there is not kept free.',
            action: { label: 'See your calendar', path: '/therapist/calendar' },
            due: null,
          },
        ]
      },
    },
  }
})
