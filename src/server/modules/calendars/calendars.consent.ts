import { z } from 'zod'
import type { CalendarOutcome } from '#contract/calendars.ts'
import { later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { createJourneys } from '../../journeys.ts'
import { CalendarProblem, type CalendarProvider, type Consent } from '../../integrations/calendar/port.ts'
import { canBecome, lifetimes } from './calendars.rules.ts'
import type { CalendarDependencies } from './calendars.deps.ts'
import * as store from './calendars.store.ts'
import { enqueueVisit } from './calendars.visits.ts'

/** State of the consent flow, which the browser keeps encrypted in a cookie. */
const Journey = z.object({
  state: z.string(),
  verifier: z.string(),
  practitionerId: z.number().int(),
  accountId: z.string(),
  loginSessionId: z.string(),
  expires: z.number(),
})
type Journey = z.infer<typeof Journey>

/** Name of the calendar that the product creates in the practitioner's account. */
const calendarName = 'Hearth'

type Dependencies = CalendarDependencies & {
  /** @throws 404 for an account without a practitioner */
  own(caller: SignedIn): Promise<number>
}

/** The consent flow: to Google's page, on which a practitioner agrees, and back. */
export function createConsent(deps: Dependencies) {
  const { db, clock, random, queue, events, secrets, log, own, practitioners, provider } = deps
  const redirectUri = `${deps.publicUrl}/api/v7/therapist/google-calendar/callback`
  const journeys = createJourneys(deps, 'calendar consent', Journey)

  return {
    /**
     * Returns the URL of Google's consent page, and the state for the browser's cookie. The flow completes only in the
     * same browser and sign-in session.
     * @throws 409 `not_set_up` without a provider, `conflict` while a calendar is being disconnected
     */
    async begin(caller: SignedIn): Promise<{ url: string; kept: string }> {
      const practitionerId = await own(caller)
      if (!provider) {
        throw fail(
          'not_set_up',
          'Google Calendar cannot be connected here. The calendar link works with any calendar app.',
        )
      }
      const row = await store.findOf(db, practitionerId)
      if (row?.state === 'leaving') {
        throw fail('conflict', 'Your calendar is still being disconnected. Please try again in a minute.')
      }
      const journey: Journey = {
        state: random.secret(),
        verifier: random.secret(),
        practitionerId,
        accountId: caller.accountId,
        loginSessionId: caller.loginSessionId,
        expires: later(clock.now(), lifetimes.journey).getTime(),
      }
      return { url: provider.begin({ redirectUri, ...journey }).href, kept: journeys.seal(journey) }
    },

    /** Completes Google's callback. Never throws for input of the browser or Google. */
    async finish(query: URLSearchParams, kept: string | undefined): Promise<CalendarOutcome> {
      const journey = journeys.open(kept)
      if (!provider) return 'failed'
      if (!journey || query.get('state') !== journey.state) return 'expired'
      if (query.has('error')) return query.get('error') === 'access_denied' ? 'cancelled' : 'failed'
      if (!(await deps.accounts.isSignedIn(db, journey))) return 'expired'
      try {
        const consent = await provider.finish(query.get('code') ?? '', { redirectUri, ...journey })
        return consent === 'refused' ? 'failed' : await take(provider, journey, consent)
      } catch (error) {
        if (!(error instanceof CalendarProblem)) throw error
        log.warn({ status: error.status, why: error.why }, 'A calendar could not be connected.')
        return 'failed'
      }
    },
  }

  /** Stores the consent, with a calendar of ours to write to. */
  async function take(
    calendar: CalendarProvider,
    journey: Journey,
    consent: Consent,
  ): Promise<CalendarOutcome> {
    const { practitionerId } = journey
    const before = await store.findOf(db, practitionerId)
    const isSame = before?.subject === consent.subject
    if (!consent.isComplete || (before && !isSame)) {
      // Revoke the consent, unless that would also end the existing connection of the same account.
      if (!isSame) await giveBack(calendar, consent)
      return consent.isComplete ? 'other_account' : 'incomplete'
    }
    if (before?.state === 'leaving') return 'failed'
    const kept = before && before.ended_why !== 'removed' ? before.calendar_id : undefined
    const calendarId = kept ?? (await calendarFor(calendar, consent, before === undefined))
    try {
      await deps.checkpoint('calendar made')
      const outcome = await keep(journey, consent, calendarId)
      if (outcome !== 'connected') await undo()
      return outcome
    } catch (error) {
      await undo().catch(() => undefined)
      throw error
    }

    async function undo(): Promise<void> {
      // The consent does not allow listing calendars, so an unsaved one could never be found again.
      if (!kept) await calendar.deleteCalendar(consent.grant, calendarId)
      if (!before) await giveBack(calendar, consent)
    }
  }

  /**
   * Saves the connection and enqueues its first visit. Returns 'failed' if a concurrent request prevents it, and 'expired'
   * if the sign-in session has ended or the profile was closed while Google was asked.
   */
  async function keep(
    { practitionerId, ...journey }: Journey,
    consent: Consent,
    calendarId: string,
  ): Promise<'connected' | 'failed' | 'expired'> {
    return inTransaction(db, async (tx) => {
      if (!(await deps.accounts.holdSignIn(tx, journey))) return 'expired'
      await practitioners.lock(tx, practitionerId)
      if (await practitioners.closingOf(tx, practitionerId)) return 'expired'
      const now = clock.now()
      const there = await store.lockOf(tx, practitionerId)
      const id = there?.id ?? random.uuid(now)
      const sealed = secrets.seal('calendar grant', id, Buffer.from(consent.grant))
      if (there) {
        if (!canBecome(there.state, 'connected')) return 'failed'
        if (there.calendar_id !== calendarId) await store.deleteEntriesOf(tx, id)
        await store.change(tx, id, {
          state: 'connected',
          ended_why: null,
          ended_at: null,
          email: consent.email,
          calendar_id: calendarId,
          sealed_grant: sealed,
          // Sessions booked while the connection was ended stay in the calendar invitations of their mails.
          ...(there.state === 'ended' ? { connected_at: now } : {}),
          due_at: now,
          failures: 0,
        })
      } else {
        const isNew = await store.insert(tx, {
          id,
          practitioner_id: practitionerId,
          subject: consent.subject,
          email: consent.email,
          calendar_id: calendarId,
          sealed_grant: sealed,
          connected_at: now,
          due_at: now,
        })
        if (!isNew) return 'failed'
      }
      await enqueueVisit(queue, tx, id, { isUrgent: true })
      await events.announce(tx, 'calendar.connected', { practitionerId })
      return 'connected'
    })
  }

  async function calendarFor(
    calendar: CalendarProvider,
    consent: Consent,
    isFirst: boolean,
  ): Promise<string> {
    try {
      return await calendar.createCalendar(consent.grant, calendarName)
    } catch (error) {
      // Revoke a grant that was not saved.
      if (isFirst) await giveBack(calendar, consent)
      throw error
    }
  }

  /** Revokes a consent, unless another practitioner's connection uses it. Google revokes per account. */
  async function giveBack(calendar: CalendarProvider, { grant, subject }: Consent): Promise<void> {
    if (!(await store.isShared(db, { subject }))) await calendar.revoke(grant)
  }
}
