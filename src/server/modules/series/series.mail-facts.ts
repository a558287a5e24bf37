// Which mails about a series there are, who gets each, and what they are written from.

export type SeriesRecipient = 'client' | 'practitioner'

/** Who gets each mail about a series. */
export const recipientsOf = {
  /** A client asks the practitioner to keep an hour. */
  asked: ['practitioner'],
  /** A practitioner offers an hour. */
  proposed: ['client'],
  accepted: ['client'],
  agreed: ['client', 'practitioner'],
  /** Declined, withdrawn or not answered. */
  declined: ['client', 'practitioner'],
  /** A date cannot be had. */
  conflict: ['client', 'practitioner'],
  /** The practitioner keeps a date that their other calendar was in the way of. */
  kept: ['client'],
  /** Dates were skipped for time off. */
  skipped: ['client'],
  new_price: ['client'],
  price_accepted: ['practitioner'],
  paused: ['client', 'practitioner'],
  resumable: ['client'],
  /** It has a last day. */
  ending: ['client', 'practitioner'],
  ended: ['client', 'practitioner'],
  /** No new dates are made, as the practitioner is not listed. */
  unlisted: ['client', 'practitioner'],
  /** The practitioner has moved to another zone, and the hour stays. */
  zone_changed: ['client', 'practitioner'],
} as const satisfies Record<string, readonly SeriesRecipient[]>

export type SeriesMailKind = keyof typeof recipientsOf
export const seriesMailKinds = Object.keys(recipientsOf) as SeriesMailKind[]

/** What a mail stores as of its change. */
export type Facts = {
  /** The day of the rhythm that it is about. */
  on_date?: string
  /** Starts of sessions, as ISO text. */
  starts?: string[]
  /** Free times, as ISO text. */
  alternatives?: string[]
  fee_pence?: number
  from_date?: string
  answer_by?: string
  /** Money on its way back, in pence. */
  refund_pence?: number
  /** The practitioner's new zone. */
  zone?: string
  /** The rhythm that an agreed one replaces: the start of one of its dates, as ISO text. */
  replaced?: { hour: string; every_weeks: 1 | 2 | 4 }
}

/** The data of a mail about a series at the time of sending. Amounts in pence. */
export type SeriesMail = {
  kind: SeriesMailKind
  recipient: SeriesRecipient
  to: { email: string; firstName: string; lastName: string; verified: boolean }
  facts: Facts
  series: {
    /** The start of a date, for the weekday and the time. */
    hour: Date
    zone: string
    everyWeeks: 1 | 2 | 4
    feePence: number
    pausedCause: 'unpaid' | 'suspension' | null
    pausedUntil: Date | null
    proposedBy: 'client' | 'practitioner'
    proposedUntil: Date | null
    endedBy: 'client' | 'practitioner' | 'system' | null
    endCause: string | null
    endReason: string | null
    /** It ended after a suspension or a lapse whose end the practitioner has seen, but that the client did not take up. */
    isNotTakenUp: boolean
  }
  /** Sessions that are paid and stay, and the next ones that are not paid yet. */
  paid: Date[]
  reserved: Date[]
  /** Whether it is being checked if sessions ahead can take place. */
  areChecked: boolean
  practitioner: { fullName: string }
  client: { firstName: string; lastName: string }
}
