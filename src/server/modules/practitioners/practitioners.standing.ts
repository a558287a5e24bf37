import type { PractitionerState, SessionsChoice, SuspensionCause } from '#contract/back-office/back-office.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import { isListed, lapsedAt, stateAfter, type Transition } from './practitioners.rules.ts'
import * as store from './practitioners.store.ts'
import * as standing from './standing.store.ts'
import * as work from './work.store.ts'

/** Why a practitioner is suspended, in words for them, and what becomes of sessions ahead. */
export type Suspension = { reason: string; cause: SuspensionCause; sessions: SessionsChoice }

/** Who is listed, and the life cycle of a profile's state. */
export function createStanding({ db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>) {
  const listedAmong = async (handle: Db, ids: number[]) => {
    const now = clock.now()
    return (await standing.readStates(handle, ids)).filter((row) => isListed(row, now))
  }

  return {
    /** Approved and subscribed. */
    async listed(handle: Db, id: number): Promise<boolean> {
      return (await listedAmong(handle, [id])).length === 1
    },

    /** The ids of the listed ones of the given practitioners. */
    async listedIds(handle: Db, ids: number[]): Promise<number[]> {
      return (await listedAmong(handle, ids)).map((row) => row.id)
    },

    /** @throws 404 unless listed */
    async requireListed(handle: Db, id: number): Promise<void> {
      if ((await listedAmong(handle, [id])).length === 0) throw notFound('This practitioner')
    },

    /** Keeps others from changing this practitioner until the transaction ends. False when there is none. */
    async lock(tx: Tx, id: number): Promise<boolean> {
      return (await standing.lockState(tx, id)) !== undefined
    },

    /**
     * Moves a profile along its life cycle and announces it.
     * @throws 404; 409 `transition_refused`, with nothing changed
     */
    async changeState(
      tx: Tx,
      id: number,
      transition: Exclude<Transition, 'suspend' | 'close'>,
      reason: string | null,
    ): Promise<void> {
      const { next, accountId } = await moveOn(tx, id, transition, reason)
      if (transition === 'reinstate') {
        await standing.endSuspension(tx, id, clock.now())
        await events.announce(tx, 'practitioner.reinstated', { practitionerId: id, accountId })
      }
      if (next === 'approved') await events.announce(tx, 'practitioner.approved', { practitionerId: id })
    },

    /**
     * Suspends an approved practitioner. What follows for clients happens in the same transaction: subscribers freeze
     * sessions and end what is open.
     * @throws 404; 409 `transition_refused`, with nothing changed
     */
    async suspend(tx: Tx, id: number, suspension: Suspension): Promise<void> {
      const { reason, cause, sessions } = suspension
      const { accountId } = await moveOn(tx, id, 'suspend', reason)
      await work.updateWork(tx, id, { available_now_until: null })
      await standing.insertSuspension(tx, { practitioner_id: id, cause, sessions, reason, at: clock.now() })
      await events.announce(tx, 'practitioner.stops-work', { practitionerId: id })
      await events.announce(tx, 'practitioner.suspended', { practitionerId: id, accountId, cause, sessions })
    },

    /**
     * Closes the profile of a practitioner who left or died. What follows for clients happens in the same transaction.
     * @throws 404; 409 `transition_refused`, with nothing changed
     */
    async close(tx: Tx, id: number, reason: string): Promise<void> {
      const { accountId } = await moveOn(tx, id, 'close', reason)
      await work.updateWork(tx, id, { available_now_until: null })
      await standing.endSuspension(tx, id, clock.now())
      await events.announce(tx, 'practitioner.stops-work', { practitionerId: id })
      await events.announce(tx, 'practitioner.closed', { practitionerId: id, accountId })
    },

    /** Since when the vetted facts of an approved practitioner have lapsed; null while they hold. */
    async lapsedAt(handle: Db, id: number): Promise<Date | null> {
      const [row] = await standing.readStates(handle, [id])
      return row ? lapsedAt(row, clock.now()) : null
    },

    /** Whether a practitioner is approved, with vetted facts that hold: listed while their subscription runs. */
    async isVetted(handle: Db, id: number): Promise<boolean> {
      const [row] = await standing.readStates(handle, [id])
      return row?.state === 'approved' && lapsedAt(row, clock.now()) === null
    },

    /** Why and since when a profile is closed. */
    closingOf: standing.findClosing,

    /** The open suspension of a practitioner, if there is one. */
    suspensionOf: (handle: Db, id: number) => standing.findSuspension(handle, id),

    /** Whether the practitioner who signs in with this account is suspended or closed. */
    async isSuspended(accountId: string): Promise<boolean> {
      const state = (await store.findByAccount(db, accountId))?.state
      return state === 'suspended' || state === 'closed'
    },

    /** Until when the subscription is paid; null when there is none. Announces it. */
    async setSubscribedUntil(tx: Tx, id: number, until: Date | null): Promise<void> {
      await standing.setSubscribedUntil(tx, id, until)
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
    },
  }

  /** Moves a profile along its life cycle: where to, and whose account it is. */
  async function moveOn(
    tx: Tx,
    id: number,
    transition: Transition,
    reason: string | null,
  ): Promise<{ next: PractitionerState; accountId: string }> {
    const state = await standing.lockState(tx, id)
    if (!state) throw notFound('This practitioner')
    const next = stateAfter(transition, state)
    if (!next) {
      throw fail('transition_refused', `A profile that is ${state} cannot be changed in this way.`, {
        details: { status: state, transition },
      })
    }
    await standing.setState(tx, id, { state: next, state_reason: reason, state_changed_at: clock.now() })
    await events.announce(tx, 'practitioner.changed', { practitionerId: id })
    const [row] = await standing.readStates(tx, [id])
    if (!row) throw notFound('This practitioner')
    return { next, accountId: row.account_id }
  }
}
