import type { z } from 'zod'
import type {
  Appointment,
  CancelSession,
  CreateSession,
  ExistingCardPayment,
  Payment,
  CreatedSession,
  FollowedAppointment,
} from '#contract/bookings/bookings.ts'
import { helpFeePence } from '#contract/get-help/get-help.ts'
import type { HelpDispatch, HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { RefundSum } from '../payments/refund-sums.rules.ts'
import type { Dispatch, DispatchDependencies } from './get-help.dispatch.ts'
import { getHelpSweepJob } from './get-help.jobs.ts'
import { helpSearchesOfClient } from './get-help.limits.ts'
import { toDispatch, toHelpPractitioner } from './get-help.mapper.ts'
import { isDue, lifetimes, moneyState } from './get-help.rules.ts'
import * as store from './get-help.store.ts'

type Dependencies = DispatchDependencies &
  Pick<Deps, 'limits'> & { availability: Availability; bookings: Bookings; dispatch: Dispatch }

export type GetHelp = ReturnType<typeof createGetHelp>

/** Help right now as a kind of booking, and what a client reads of a search. */
export function createGetHelp(deps: Dependencies) {
  const { db, clock, queue, limits, practitioners, payments, availability } = deps
  const { bookings, instant, matching, dispatch, checkpoint } = deps

  return {
    /** Returns the practitioner who would be asked now, if any is free, without a claim. */
    async search(caller: SignedIn, issueId: number): Promise<{ data: HelpPractitioner[] }> {
      await dispatch.endUnpaid()
      const id = await matching.best(db, caller.accountId, issueId)
      const card = id === undefined ? undefined : (await practitioners.cards(db, [id])).get(id)
      return { data: card ? [toHelpPractitioner(card)] : [] }
    },

    /**
     * Starts a search: a practitioner is claimed for 5 minutes: the preferred one if still free, else the
     * next. Asking again for the same finds the same claim; for something else, the one before ends.
     * @throws 409 `nobody_available`, `help_under_way`, `client_busy`; 422 by field; 429. As `bookings.create` otherwise
     */
    async create(caller: SignedIn, body: z.infer<typeof CreateSession>): Promise<CreatedSession> {
      const issueId = await issueWanted(body.issue_id)
      instant.comparePrice(helpFeePence, body.fee)
      await limits.use(helpSearchesOfClient, caller.accountId)
      await dispatch.endUnpaid()
      const { id, intents } = await inTransaction(db, (tx) => claim(tx, caller, issueId, body))
      await checkpoint('help claimed')
      await payments.finishSoon({ intents })
      const { appointment } = await instant.read(db, id)
      const found = await follow(await reread(db, id))
      return {
        ...appointment,
        hold_expires_at: found.pay_by,
        practitioner: found.practitioner,
        dispatch: found,
      }
    },

    /**
     * Authorises the price. In a search for help, asks the claimed practitioner at once.
     * @throws as `bookings.pay`
     */
    async pay(
      caller: SignedIn,
      provider: string,
      body: z.infer<typeof ExistingCardPayment>,
    ): Promise<Payment> {
      await ofCaller(caller, body.session_id)
      payments.checkProvider(provider)
      const card = await payments.cardToPayWith(caller, body.customer_id)
      const begun = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, body.session_id)
        // A browser repeats the payment once the bank has approved it: the search may have ended by then.
        if (row && ['asking', 'accepted', 'nobody'].includes(row.state)) return undefined
        if (row?.state !== 'claimed' || isDue(row.deadline, clock.now())) throw claimExpired()
        return instant.beginPayment(tx, caller, body, card.id)
      })
      if (begun) {
        try {
          await payments.authorise(caller, begun)
        } catch (error) {
          if (error instanceof ProductError && error.code === 'authentication_required') {
            await extendClaim(body.session_id)
          }
          throw error
        }
        await checkpoint('help paid')
        await dispatch.begin(body.session_id)
      }
      return paymentAnswer(await reread(db, body.session_id))
    },

    /** Goes on after the bank has checked that it is the client. @throws as `pay` */
    async confirmAuthentication(caller: SignedIn, provider: string, sessionId: string): Promise<Payment> {
      const search = await ofCaller(caller, sessionId)
      payments.checkProvider(provider)
      if (search.state === 'claimed') {
        await payments.confirm(sessionId)
        await checkpoint('help paid')
        await dispatch.begin(sessionId)
      }
      return paymentAnswer(await reread(db, sessionId))
    },

    /**
     * Stops the search at no cost, until a practitioner has accepted.
     * @throws as `bookings.cancel`
     */
    async cancel(caller: SignedIn, body: z.infer<typeof CancelSession>): Promise<Appointment> {
      await ofCaller(caller, body.appointment_id)
      if (await dispatch.stop(body.appointment_id, body.reason ?? null)) {
        return (await instant.read(db, body.appointment_id)).appointment
      }
      const { appointment, state } = await instant.read(db, body.appointment_id)
      if (state === 'cancelled' || state === 'expired') return appointment
      throw fail(
        'too_late_to_change',
        `${(await reread(db, body.appointment_id)).state === 'accepted' ? 'Someone has accepted, and your session has begun: it' : 'This session'} can no longer be cancelled.`,
      )
    },

    /** One session of the caller, and how far a search has come. @throws 404 */
    async detail(caller: SignedIn, id: string): Promise<FollowedAppointment> {
      const detail = await bookings.detail(caller, id)
      const row = await store.findDispatch(db, id)
      return { ...detail, dispatch: row ? await follow(row) : null }
    },

    /** Where the caller's search stands: the live one, or one that ended within the last hour. */
    async current(caller: SignedIn): Promise<{ data: FollowedAppointment | null }> {
      const row = await store.findLatest(db, caller.accountId, later(clock.now(), -lifetimes.shown))
      if (!row) return { data: null }
      const detail = await bookings.detail(caller, row.appointment_id)
      return { data: { ...detail, dispatch: await follow(row) } }
    },
  }

  async function claim(
    tx: Tx,
    caller: SignedIn,
    issueId: number,
    body: z.infer<typeof CreateSession>,
  ): Promise<{ id: string; intents: string[] }> {
    const clientId = caller.accountId
    await availability.lockClient(tx, clientId)
    const preferredId = body.preferred_practitioner_id ?? body.practitioner_id ?? null
    const before = await store.findLiveId(tx, clientId)
    const live = before === undefined ? undefined : await store.lockDispatch(tx, before)
    if (live?.state === 'asking') throw underWay(live.appointment_id)
    if (live && isSame(live, issueId, preferredId)) return { id: live.appointment_id, intents: [] }
    const intents = live?.state === 'claimed' ? await dispatch.endByClient(tx, live, null) : []
    const found = await matching.claim(tx, { clientId, issueId, dispatchId: null, preferredId })
    if (found === 'client_busy') throw availability.clientBusy()
    if (found === 'nobody') throw nobodyAvailable()
    const { intents: expired, ...claimed } = found
    const now = clock.now()
    const deadline = later(now, lifetimes.claim)
    const id = await instant.insert(tx, {
      clientId,
      issueId,
      feePence: helpFeePence,
      timezone: body.timezone ?? null,
      ...claimed,
    })
    await store.insertDispatch(tx, { appointment_id: id, client_id: clientId, deadline, created_at: now })
    await queue.enqueue(tx, getHelpSweepJob, {}, { startAfter: deadline })
    return { id, intents: [...intents, ...expired] }
  }

  /** Whether an unexpired claim fits a repeated search: same issue, and the preferred practitioner if one is named. */
  function isSame(row: store.DispatchRow, issueId: number, preferredId: number | null): boolean {
    return (
      row.state === 'claimed' &&
      !isDue(row.deadline, clock.now()) &&
      row.issue_id === issueId &&
      (preferredId === null || preferredId === row.practitioner_id)
    )
  }

  async function issueWanted(issueId: number | null | undefined): Promise<number> {
    if (issueId == null) throw invalidField('issue_id', 'Choose what you need help with.')
    const known = await practitioners.issues()
    if (!known.some((issue) => issue.issue_id === issueId)) {
      throw invalidField('issue_id', 'Choose one of the issues.')
    }
    return issueId
  }

  /** The search of a session. @throws 404 for another client's */
  async function ofCaller(caller: SignedIn, sessionId: string): Promise<store.DispatchRow> {
    return owned('appointment', caller, await store.findDispatch(db, sessionId))
  }

  async function extendClaim(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const row = await store.lockDispatch(tx, id)
      if (row?.state !== 'claimed' || row.deadline_extended || !row.deadline) return
      const until = later(row.deadline, lifetimes.claimExtension)
      await store.extendDeadline(tx, id, until)
      await queue.enqueue(tx, getHelpSweepJob, {}, { startAfter: until })
    })
  }

  async function follow(row: store.DispatchRow): Promise<HelpDispatch> {
    const cards = await practitioners.cards(db, [row.practitioner_id])
    const refunds = await payments.refundsOf(db, [row.appointment_id])
    const intents = await payments.standings(db, row.appointment_id)
    return toDispatch(row, {
      now: clock.now(),
      practitioner: cards.get(row.practitioner_id),
      money: moneyState({
        intents,
        isPaid: row.paid_at !== null,
        refund: refundOf(row, refunds.get(row.appointment_id)),
      }),
    })
  }
}

/** Of a session that began, its own `refund` has the part that came back, and what did not arrive. */
function refundOf(row: store.DispatchRow, sum: RefundSum | undefined) {
  const isWhole = sum?.amountPence === row.fee_pence && sum.failedPence === 0
  return row.state === 'accepted' && !isWhole ? undefined : returnOf(sum?.state)
}

async function reread(handle: Db, id: string): Promise<store.DispatchRow> {
  const row = await store.findDispatch(handle, id)
  if (!row) throw new Error('A search for help has gone.')
  return row
}

function paymentAnswer(row: store.DispatchRow): Payment {
  if (row.state === 'expired' || row.state === 'stopped') throw claimExpired()
  return {
    session_id: row.appointment_id,
    status: row.state === 'accepted' ? 'captured' : 'authorised',
    amount: row.fee_pence / 100,
    hold_expires_at: row.deadline?.toISOString() ?? null,
  }
}

const nobodyAvailable = () =>
  fail('nobody_available', 'Sorry, right now all our Therapists are busy. Nothing was charged.')

const underWay = (id: string) =>
  fail('help_under_way', 'You have already asked for help, and we are asking someone for you now.', {
    details: { appointment_id: id },
  })

const claimExpired = () =>
  fail('hold_expired', 'The time to pay has run out. Nothing was charged. Please search again.')

/** A refund that the card's bank has sent back is still to be paid, in another way. */
const returnOf = (state: 'requested' | 'succeeded' | 'failed' | undefined) =>
  state === 'failed' ? 'requested' : state
