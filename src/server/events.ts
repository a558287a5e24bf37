import type { SessionsChoice, SuspensionCause } from '#contract/back-office/back-office.ts'
import type { Tx } from './db/connection.ts'

/** What accounts pay the platform for. */
export type ChargePurpose = 'subscription' | 'video_production'

/** What modules announce to those after them. Subscribers run inside the announcing transaction. */
export type Events = {
  /** A practitioner registered. */
  'therapist.registered': { accountId: string }
  /** An admin changed their own sign-in, or the operator changed an admin's. The audit log records it. */
  'admin.acted': ({ accountId: string } | { operator: string }) & { action: string; subject: string }
  /** A practitioner's public facts, state or subscription changed. */
  'practitioner.changed': { practitionerId: number }
  /** A practitioner gave places up. */
  'practitioner.left-places': { practitionerId: number; locationIds: number[] }
  /** Booked sessions take place elsewhere: the words of places changed, or the online room did. */
  'practitioner.changed-places': { practitionerId: number; locationIds: number[]; isOnlineRoom: boolean }
  /** A practitioner may no longer be available now: they switched off, saved a schedule or took time off. */
  'availability.narrowed': { practitionerId: number }
  /** Either of two has blocked the other in the chat. */
  'chat.blocked': { clientId: string; practitionerId: number }
  /**
   * A practitioner is about to be suspended or closed, by the event that follows. Open requests are withdrawn here: one
   * that is accepted at this moment is waited for, and is a session that the event that follows freezes.
   */
  'practitioner.stops-work': { practitionerId: number }
  /** A practitioner was suspended: clients are protected from them in the same transaction. */
  'practitioner.suspended': {
    practitionerId: number
    accountId: string
    cause: SuspensionCause
    /** What becomes of sessions ahead. */
    sessions: SessionsChoice
  }
  /** A suspension was lifted. */
  'practitioner.reinstated': { practitionerId: number; accountId: string }
  /** A practitioner left or died: their profile is closed for good. */
  'practitioner.closed': { practitionerId: number; accountId: string }
  /** The vetted facts of a practitioner were decided on or corrected: they may hold again. */
  'practitioner.vetting-changed': { practitionerId: number }
  /** A profile was approved, for the first time or again. */
  'practitioner.approved': { practitionerId: number }
  /** What an account owed the platform has been taken. */
  'charge.captured': { chargeId: string; purpose: ChargePurpose; accountId: string; amountPence: number }
  /**
   * A practitioner's free time changed: schedule, time off, a slot taken or released. `freesNothing`: none was added;
   * `freed`: the time that was released, where it is one.
   */
  'availability.changed': {
    practitionerId: number
    freesNothing?: boolean
    freed?: { from: Date; to: Date }
  }
  /**
   * An unpaid appointment expired or was cancelled, and its time was released. `isTaken`: a reservation in the same
   * transaction takes the time.
   */
  'hold.ended': { appointmentId: string; reservationId: string; isTaken?: boolean }
  /** A practitioner's own calendar is connected: what is ahead is to be written to it. */
  'calendar.connected': { practitionerId: number }
  /**
   * A session was booked, moved, cancelled, frozen or restored, or its outcome recorded. `isPaid`: a reserved one was paid,
   * by itself or with its move.
   */
  'session.changed': {
    appointmentId: string
    practitionerId: number
    isPaid?: boolean
    /** Of one that its client has just booked: the session that may be cancelled for it, with its start; undefined where any may. */
    booked?: { replaces: string | null | undefined; replacesStart?: Date | null | undefined }
  }
  /** A session was cancelled because its practitioner did not come; `session.changed` is announced as well. */
  'session.missed-by-practitioner': { appointmentId: string; practitionerId: number; startsAt: Date }
  /** Sessions of a client with a practitioner were reserved together; `session.changed` is not announced for them. */
  'sessions.reserved': {
    practitionerId: number
    clientId: string
    sessions: readonly { appointmentId: string; startsAt: Date; endsAt: Date }[]
  }
  /** A session was cancelled for another one of the same client and practitioner, which takes its place. */
  'session.replaced': { appointmentId: string; byAppointmentId: string }
  /** A series or one of its dates changed. */
  'series.changed': { seriesId: string }
  /** A sign-in of an account has ended, or all of them, or all but one. */
  'sign-in.ended': { accountId: string }
  /** The holder of an email that was never confirmed came by another way: what its account is connected to may be a stranger's. */
  'account.reclaimed': { accountId: string }
  /** An authorisation was voided, and nothing was captured. */
  'payment.released': { appointmentId: string }
  /** A promised refund was made. */
  'payment.refunded': { appointmentId: string; refundId: string }
  /** Money went back to a client by other hands, at the payment gateway. */
  'payment.refunded-elsewhere': { appointmentId: string; refundId: string }
  /** What an account paid the platform was refunded at the payment gateway, in part or in full. */
  'charge.refunded': { chargeId: string; amountPence: number }
  /** A bank asks for what an account paid the platform. */
  'charge.disputed': { chargeId: string; amountPence: number }
  /** An admin decided that a practitioner bears a lost dispute. Pence, as taken off what they are owed. */
  'dispute.charged': { practitionerId: number; amountPence: number; startsAt: Date | null }
  /** A person asks for a decision of the back office. `id`: of this occasion, for one mail about it. */
  'decision.asked': { of: AskedDecision; id: string }
  /** Something happened at the payment gateway that an admin has to look at. */
  'payment.incident': { incidentId: string; again?: boolean }
}

/**
 * What the back office is asked to decide on: a profile, a document or licence of an approved practitioner, a disputed no-show,
 * a reported conversation or review.
 */
export type AskedDecision = 'profile' | 'fact' | 'no_show' | 'conversation' | 'review'

export type Subscriptions = { [N in keyof Events]?: Subscriber<N> }
type Subscriber<N extends keyof Events> = (tx: Tx, event: Events[N]) => Promise<void>

export type EventBus = {
  on<N extends keyof Events>(name: N, subscriber: Subscriber<N>): void
  /** As `on`, for several events. */
  subscribe(subscriptions: Subscriptions): void
  announce<N extends keyof Events>(tx: Tx, name: N, event: Events[N]): Promise<void>
}

/** Subscribers run in the order of their subscription. */
export function createEvents(): EventBus {
  const subscribers: { [N in keyof Events]?: Subscriber<N>[] } = {}
  const on: EventBus['on'] = (name, subscriber) => {
    const list: Subscriber<typeof name>[] = (subscribers[name] ??= [])
    list.push(subscriber)
  }
  return {
    on,
    subscribe(subscriptions) {
      for (const name of Object.keys(subscriptions) as (keyof Events)[]) {
        const subscriber = subscriptions[name]
        if (subscriber) on(name, subscriber as Subscriber<typeof name>)
      }
    },
    async announce(tx, name, event) {
      for (const subscriber of subscribers[name] ?? []) await subscriber(tx, event)
    },
  }
}
