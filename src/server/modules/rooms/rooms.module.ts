import { minutes, seconds } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { roomsPersonalData } from './rooms.personal-data.ts'
import { roomRoutes } from './rooms.routes.ts'
import { createRooms } from './rooms.service.ts'
import { findRoomEnds } from './rooms.store.ts'

type Needs = { practitioners: Practitioners; bookings: Bookings; freezes: Freezes; payments: Payments }

export const roomsModule = defineModule('rooms', (given: Given<Needs>) => {
  const calls = createSlidingLimit({ hits: 300, window: minutes(1) }, given)
  const signals = createSlidingLimit({ hits: 200, window: seconds(10) }, given)
  const rooms = createRooms({ ...given, calls, signals })
  return {
    services: { rooms },
    routes: (serve) => roomRoutes(serve, rooms),
    on: {
      'session.changed': (tx, { appointmentId }) => rooms.sessionChanged(tx, appointmentId),
      'practitioner.suspended': (tx, { practitionerId }) => rooms.practitionerStopped(tx, practitionerId),
      'practitioner.closed': (tx, { practitionerId }) => rooms.practitionerStopped(tx, practitionerId),
      'sign-in.ended': (tx, { accountId }) => rooms.signInEnded(tx, accountId),
    },
    tidy: rooms.tidy,
    lookups: { attendance: rooms.knownAttendance, roomEnds: findRoomEnds },
    personalData: roomsPersonalData,
  }
})
