import { formatDayAndTime } from './time.ts'

/** To its practitioner, what becomes of a session that is being checked. */
export const theirFrozenLabel = (frozenUntil: string, clientName: string, zone: string): string =>
  `If it cannot take place, it is cancelled on ${formatDayAndTime(frozenUntil, zone)} at the latest. ${clientName} has been told.`
