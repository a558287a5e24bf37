import type { Payable } from '#contract/back-office/practitioners.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { AvailableHours, PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import type { SessionAttendance } from '#contract/rooms/attendance.ts'
import type { Db } from '../db/connection.ts'

/** When both sides were in the room of a session. */
export type KnownAttendance = SessionAttendance & {
  /** Which sides were in the room at all, also once their times are forgotten. */
  seen: { client: boolean; practitioner: boolean }
  /**
   * The client was in the room for ten minutes between the session's start and end, or could have been if the practitioner
   * had not ended it.
   */
  clientCame: boolean
  /** The practitioner has not come to the room, and the session goes on, or its client may say so. */
  practitionerIsMissing: boolean
}

/** The average times 100, 0 without reviews. */
export type Rating = { hundredths: number; total: number }

/** What a payment is for. */
export type PaidSession = {
  practitionerId: number
  startsAt: Date | null
  serviceName: string | null
  isInstant: boolean
  /** Whether it does not take place, so that all of it is refunded. */
  isCalledOff: boolean
  /** Names are empty, and the email null, once the client's account is deleted. */
  client: { firstName: string; lastName: string; email: string | null }
}

/** What a client and a practitioner have agreed to meet as. */
export type AgreedHour = {
  appointmentType: AppointmentType
  locationId: number | null
  durationMinutes: number
}

/**
 * What earlier modules read of later ones' tables: each is declared by the module that owns the table. Complete once
 * every module was added.
 */
export type Lookups = {
  /** The practitioner of a therapist's account, for its sign-in. */
  practitionerId(db: Db, accountId: string): Promise<number | undefined>
  /** Sessions by appointment, for the ledger and its papers. */
  paidSessions(db: Db, appointmentIds: string[]): Promise<Map<string, PaidSession>>
  /** Ratings of practitioners that have reviews. */
  ratings(db: Db, practitionerIds: number[]): Promise<Map<number, Rating>>
  /** The saved weekly hours of practitioners, those without any included. */
  weeklyHours(db: Db, practitionerIds: number[]): Promise<Map<number, AvailableHours>>
  /** Whether reserved sessions are to be charged to a card. */
  isCardAgreed(db: Db, methodId: string): Promise<boolean>
  /** What the hour of a weekly series was agreed as. */
  agreedHour(db: Db, seriesId: string): Promise<AgreedHour | undefined>
  /** Whether a client has a confirmed face-to-face session with a practitioner. */
  meetsInPerson(db: Db, clientId: string, practitionerId: number): Promise<boolean>
  /** The clients of a practitioner whose dialog in the chat is blocked by either of the two. */
  blockedClients(db: Db, practitionerId: number): Promise<Set<string>>
  /** The practitioners whose dialog with a client in the chat is blocked by either of the two, and by which. */
  blockedPractitioners(db: Db, clientId: string): Promise<Map<number, { byPractitioner: boolean }>>
  /** When each side was in the room of an online session, by appointment; sessions in which neither came are left out. */
  attendance(db: Db, appointmentIds: readonly string[]): Promise<Map<string, KnownAttendance>>
  /** When the rooms of online sessions were ended, by appointment; those that can still be entered are left out. */
  roomEnds(db: Db, appointmentIds: readonly string[]): Promise<Map<string, Date>>
  /** How many listed practitioners match filters, given as the query of a search. */
  countMatches(db: Db, filters: Record<string, string>): Promise<number>
  /** What of a practitioner's balance may still go back to clients, in pounds, and whether a suspension withholds payouts. */
  payable(db: Db, practitionerId: number): Promise<Pick<Payable, 'held' | 'is_withheld'>>
  /** The newest reviews of a practitioner that are shown. */
  newestReviews(db: Db, practitionerId: number, limit: number): Promise<PractitionerProfile['reviews_list']>
}
