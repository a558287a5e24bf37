import { minutes, seconds } from '../../clock.ts'
import { createSlidingLimit } from '../../http/sliding-limit.ts'
import { defineModule, type Given } from '../../module.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { roomsPersonalData } from './rooms.personal-data.ts'
import { roomRoutes } from './rooms.routes.ts'
import { createRooms } from './rooms.service.ts'

export const roomsModule = defineModule('rooms', (given: Given<{ practitioners: Practitioners }>) => {
  const { clock, rateLimitScale } = given
  const calls = createSlidingLimit({
    hits: 300,
    window: minutes(1),
    scale: rateLimitScale,
    clock,
    refusal: 'That was a lot at once. Please wait a moment.',
  })
  const signals = createSlidingLimit({
    hits: 200,
    window: seconds(10),
    scale: rateLimitScale,
    clock,
    refusal: 'That was a lot at once. Please wait a moment.',
  })
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
    lookups: { attendance: rooms.attendance },
    personalData: roomsPersonalData,
  }
})
