/** A busy time in the calendar, for any reason. */
export type BusyTime = { from: Date; to: Date }

/** The content of a calendar entry. */
export type CalendarEvent = {
  startsAt: Date
  endsAt: Date
  summary: string
  description: string
  location: string
  /** Whether it is not certain yet. */
  tentative?: boolean
}

/** Where an entry stands. Its id is ours. */
export type EventPlace = { calendarId: string; eventId: string }

/** What a practitioner has agreed to. */
export type Consent = {
  /** The token for access until it is revoked. Secret. */
  grant: string
  /** The id of the calendar's account. It stays the same when the account's email changes. */
  subject: string
  email: string
  /** Whether every needed scope was granted: the practitioner may leave some out. */
  isComplete: boolean
}

/** What a way to the provider's page is known by. All random; `verifier` is that of PKCE (RFC 7636). */
export type ConsentJourney = { redirectUri: string; state: string; verifier: string }

/**
 * Why something could not be done. `revoked`: the provider no longer lets us in. `removed`: the calendar is not there.
 * `changed`: the entry is another one than was last seen. `locked`: it was deleted there by hand, and its id is spent.
 * `away`: no answer, or none that makes sense; it may have been done all the same.
 */
export class CalendarProblem extends Error {
  override name = 'CalendarProblem'
  readonly why: 'revoked' | 'removed' | 'changed' | 'locked' | 'away'
  /** The status answered, where there was one. What the provider says in words is left out: it may repeat an entry. */
  readonly status: number | undefined

  constructor(why: CalendarProblem['why'], status?: number) {
    super(`The calendar is ${why}${status === undefined ? '' : ` (${status})`}.`)
    this.why = why
    this.status = status
  }
}

/**
 * A service that people keep their calendars with. All methods but `begin` call it over the network and throw
 * `CalendarProblem`.
 */
export type CalendarProvider = {
  /** The address of the page that asks for consent. */
  begin(journey: ConsentJourney): URL
  /** Trades the code that came back for a grant. */
  finish(code: string, journey: ConsentJourney): Promise<Consent | 'refused'>
  /** Gives a grant back. One that is no good any more is none. */
  revoke(grant: string): Promise<void>
  /** Makes a calendar beside those that there are, and answers its id. */
  createCalendar(grant: string, name: string): Promise<string>
  /** Removes a calendar that we made, with everything in it. One that is gone is gone. */
  deleteCalendar(grant: string, calendarId: string): Promise<void>
  /** When the account's own calendar is taken. Of what is in it, nothing is asked. */
  busy(grant: string, range: BusyTime): Promise<BusyTime[]>
  /**
   * Writes an entry under an id of ours. With the etag of what was seen last, only over that; without, only where nothing
   * has ever been. @returns the etag of what stands there now @throws CalendarProblem `changed`, `locked`
   */
  put(grant: string, at: EventPlace, event: CalendarEvent, etag: string | undefined): Promise<string>
  /** The etag of an entry as it stands, or as it was deleted; nothing where there never was one. */
  etagOf(grant: string, at: EventPlace): Promise<string | undefined>
  /** Takes an entry out. One that is gone is gone. */
  remove(grant: string, at: EventPlace): Promise<void>
}
