import type { AvailableHours, PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import type { Db } from '../db/connection.ts'

/** Times of one side in a room. */
export type SideAttendance = {
  /** Null once the times are forgotten: only that the side came is kept. */
  firstIn: Date | null
  lastOut: Date | null
  seconds: number
  /** Of those, between the session's start and end. */
  sessionSeconds: number
}
/** Null for a side that never came. */
export type SessionAttendance = { client: SideAttendance | null; practitioner: SideAttendance | null }

/** The average times 100, 0 without reviews. */
export type Rating = { hundredths: number; total: number }

/** What a payment is for. */
export type PaidSession = {
  practitionerId: number
  startsAt: Date | null
  serviceName: string | null
  isInstant: boolean
  /** Names are empty, and the email null, once the client's account is deleted. */
  client: { firstName: string; lastName: string; email: string | null }
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
  /** Whether a client has a confirmed face-to-face session with a practitioner. */
  meetsInPerson(db: Db, clientId: string, practitionerId: number): Promise<boolean>
  /** The clients of a practitioner whose dialog in the chat is blocked by either of the two. */
  blockedClients(db: Db, practitionerId: number): Promise<Set<string>>
  /** When each side was in the room of an online session, by appointment; sessions in which neither came are left out. */
  attendance(db: Db, appointmentIds: readonly string[]): Promise<Map<string, SessionAttendance>>
  /** How many listed practitioners match filters, given as the query of a search. */
  countMatches(db: Db, filters: Record<string, string>): Promise<number>
  /** The newest reviews of a practitioner that are shown. */
  newestReviews(db: Db, practitionerId: number, limit: number): Promise<PractitionerProfile['reviews_list']>
}
