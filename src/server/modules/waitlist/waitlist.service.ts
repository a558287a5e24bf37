import type { z } from 'zod'
import type { BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { SlotFreeDetails, WaitlistEntry, WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import { waitlistsPerClient } from '#contract/waitlist/waitlist-limits.ts'
import { hours, later, minutes } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { waitlistChangesOfClient, waitlistJoinsOfClient } from './waitlist.limits.ts'
import { toEntry, toOffer, toTerms } from './waitlist.mapper.ts'
import { fitOf, type Matching } from './waitlist.matching.ts'
import type { Offers } from './waitlist.offers.ts'
import { suits } from './turns.ts'
import { fromWireWindows, isLive, lifetimes } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as store from './waitlist.store.ts'

type Dependencies = WaitlistDependencies & { offers: Offers; matching: Matching }

export type Waitlist = ReturnType<typeof createWaitlist>

/** What clients do: join, change, leave, and look at an offer. */
export function createWaitlist(deps: Dependencies) {
  const { db, clock, random, limits, practitioners, availability, offered, offers, outbox, matching } = deps

  return {
    /**
     * Joins the waitlist of a listed practitioner.
     * @throws 404; 409 `waitlist_closed`, `slot_free` with the slots, `conflict` for a second place; 422 by field
     */
    async join(caller: SignedIn, body: BodyOf<'POST /waitlist'>): Promise<WaitlistEntry> {
      const practitionerId = body.practitioner_id
      const terms = termsOf(body)
      await sessionToSwap(db, caller, practitionerId, terms)
      await limits.use(waitlistJoinsOfClient, caller.accountId)
      const id = random.uuid(clock.now())
      await inTransaction(db, async (tx) => {
        await store.lockClient(tx, caller.accountId)
        // A profile that is suspended or closed at the same time is so before or after, and then finds this place.
        if (!(await practitioners.lockRules(tx, practitionerId))) throw notFound('This practitioner')
        if ((await practitioners.work(tx, practitionerId))?.waitlist !== 'open') throw closed()
        await check(tx, caller, practitionerId, terms)
        if ((await store.countLive(tx, caller.accountId)) >= waitlistsPerClient) throw tooMany()
        const isFirst = (await store.countWaiting(tx, practitionerId)) === 0
        const now = clock.now()
        const isNew = await store.insertEntry(tx, {
          id,
          client_id: caller.accountId,
          practitioner_id: practitionerId,
          ...terms,
          joined_at: now,
          ends_at: later(now, lifetimes.entry),
        })
        if (!isNew) throw alreadyWaiting()
        // Nothing that is free now suits the first to join. While others wait, what came free a moment ago may suit them.
        if (isFirst) await matching.remember(tx, practitionerId)
        offers.countLater(tx, practitionerId)
      })
      return read(id)
    },

    /** The caller's live entries. Starts the clock of an open turn: the client sees it. */
    async own(caller: SignedIn): Promise<WaitlistEntry[]> {
      await offers.seenBy(caller.accountId)
      return toEntries(await store.listEntriesOf(db, caller.accountId))
    },

    /** Changes what is waited for, pauses or goes on. @throws 404; 409 `slot_free`, `request_over`; 422 by field; 429 */
    async change(caller: SignedIn, id: string, body: BodyOf<'PUT /waitlist/{id}'>): Promise<WaitlistEntry> {
      const { state, ...changes } = body
      await limits.use(waitlistChangesOfClient, caller.accountId)
      const intents = await inTransaction(db, async (tx) => {
        const found = owned('waitlist_entry', caller, await store.findEntry(tx, id))
        // The hold's locks come before that of the entry.
        const voided = state === 'paused' ? await declineTurns(tx, found) : []
        const row = await store.lockEntry(tx, id)
        if (!row || !isLive(row.state)) throw over()
        if (Object.keys(changes).length > 0) {
          const terms = termsOf({
            ...toTerms(row),
            swaps_appointment_id: row.swaps_appointment_id,
            ...changes,
          })
          await check(tx, caller, row.practitioner_id, terms)
          await store.updateTerms(tx, id, terms)
        }
        if (state === 'waiting' && row.asked_at && row.state !== 'paused') {
          await store.prolong(tx, id, later(clock.now(), lifetimes.entry))
        } else if (state && state !== row.state) await changeState(tx, row, state)
        return voided
      })
      await offered.finishSoon({ intents })
      return read(id)
    },

    /** Leaves a waitlist. Repeating it changes nothing. @throws 404 */
    async leave(caller: SignedIn, id: string): Promise<'success'> {
      const intents = await inTransaction(db, async (tx) => {
        const found = owned('waitlist_entry', caller, await store.findEntry(tx, id))
        return leave(tx, found)
      })
      await offered.finishSoon({ intents })
      return 'success'
    },

    /** An offer as it stands. Starts the clock of an open turn: the client sees it. @throws 404 */
    async offer(caller: SignedIn, id: string): Promise<WaitlistOffer> {
      owned('waitlist_offer', caller, await offerStore.findOffer(db, id))
      await offers.seenBy(caller.accountId)
      return readOffer(caller, id)
    },

    /**
     * The session that booking a time would cancel, where the client was offered the hour. Starts no clock: no offer is
     * shown.
     */
    async swap(
      caller: SignedIn,
      { practitioner_id: practitionerId, starts_at }: QueryOf<'GET /client/waitlist/swap'>,
    ): Promise<{ data: WaitlistOffer['swap'] }> {
      const startsAt = new Date(starts_at)
      const told = await offerStore.findOfferTo(db, {
        clientId: caller.accountId,
        practitionerId,
        startsAt,
      })
      return { data: told ? (await readOffer(caller, told.id)).swap : null }
    },

    /** Declines an offer; one that is over stays as it is. @throws 404 */
    async decline(caller: SignedIn, id: string): Promise<WaitlistOffer> {
      const intents = await inTransaction(db, async (tx) => {
        const offer = owned('waitlist_offer', caller, await offerStore.findOffer(tx, id))
        return offer.state === 'open' ? offers.end(tx, offer, 'client') : []
      })
      await offered.finishSoon({ intents })
      return readOffer(caller, id)
    },

    // For events -------------------------------------------------------------------------------------------------------

    /** Withdraws the open offers of a practitioner who stops work, and pauses those who wait; they keep their places. */
    async stopped(tx: Tx, practitionerId: number): Promise<void> {
      for (const turn of await offerStore.listOpenTurns(tx, practitionerId)) {
        await offers.end(tx, turn, 'system')
      }
      const range = { from: new Date(0), to: later(clock.now(), lifetimes.entry * 2) }
      for (const broadcast of await offerStore.listBroadcasts(tx, practitionerId, range)) {
        await offers.end(tx, broadcast, 'system')
      }
      for (const id of await store.listIdsIn(tx, practitionerId, ['waiting'])) {
        const entry = await store.lockEntry(tx, id)
        if (entry?.state !== 'waiting') continue
        await store.changeEntry(tx, id, 'waiting', 'paused', { paused_by: 'practitioner' })
      }
      offers.countLater(tx, practitionerId)
    },

    /** Those whom `stopped` has paused go on, and are asked in time where their places end. What is free now is not new. */
    async reinstated(tx: Tx, practitionerId: number): Promise<void> {
      const soonest = later(clock.now(), lifetimes.askBefore)
      for (const id of await store.listIdsIn(tx, practitionerId, ['paused'])) {
        const entry = await store.lockEntry(tx, id)
        if (entry?.state !== 'paused' || entry.paused_by !== 'practitioner') continue
        const isEnding = entry.ends_at < soonest
        await store.changeEntry(
          tx,
          id,
          'paused',
          'waiting',
          isEnding ? { ends_at: soonest, asked_at: null } : {},
        )
      }
      await matching.remember(tx, practitionerId)
      offers.countLater(tx, practitionerId)
    },

    /** Ends every entry for a practitioner who is closed, and says so to its client. */
    async closed(tx: Tx, practitionerId: number): Promise<void> {
      for (const id of await store.listIdsIn(tx, practitionerId, ['waiting', 'paused'])) {
        const entry = await store.lockEntry(tx, id)
        if (entry?.state === 'waiting' || entry?.state === 'paused') {
          await store.changeEntry(tx, id, entry.state, 'ended')
          await outbox.noteClosed(tx, entry)
        }
      }
      offers.countLater(tx, practitionerId)
    },

    /** Leaves every waitlist of a client whose account is deleted. */
    async leaveAll(tx: Tx, clientId: string): Promise<void> {
      for (const entry of await store.listEntriesOf(tx, clientId)) await leave(tx, entry)
    },
  }

  async function leave(tx: Tx, found: store.EntryRow): Promise<string[]> {
    const voided = await declineTurns(tx, found)
    const row = await store.lockEntry(tx, found.id)
    if (!row || (row.state !== 'waiting' && row.state !== 'paused')) return voided
    for (const open of await offerStore.listOpenOf(tx, found.id)) await offers.end(tx, open, 'client')
    await store.changeEntry(tx, found.id, row.state, 'ended')
    offers.countLater(tx, row.practitioner_id)
    return voided
  }

  async function declineTurns(tx: Tx, entry: store.EntryRow): Promise<string[]> {
    const voided: string[] = []
    for (const open of await offerStore.listOpenOf(tx, entry.id)) {
      if (open.kind === 'turn') voided.push(...(await offers.end(tx, open, 'client')))
    }
    return voided
  }

  async function changeState(tx: Tx, row: store.EntryRow, to: 'waiting' | 'paused'): Promise<void> {
    if (to === 'paused') {
      if (row.state !== 'waiting') throw over()
      await store.changeEntry(tx, row.id, 'waiting', 'paused', { paused_by: 'client' })
    } else {
      if (row.state !== 'paused') return
      if (row.paused_by === 'practitioner') throw notNow()
      const ends_at = later(clock.now(), lifetimes.entry)
      await store.changeEntry(tx, row.id, 'paused', 'waiting', { misses: 0, ends_at, asked_at: null })
    }
    offers.countLater(tx, row.practitioner_id)
  }

  /** @throws 409 `slot_free`; 422 by field */
  async function check(tx: Tx, caller: SignedIn, practitionerId: number, terms: store.Terms): Promise<void> {
    if (terms.earliest && terms.latest && terms.latest < terms.earliest) {
      throw invalidField('latest', 'Choose a last day that is not before the first.')
    }
    const old = await sessionToSwap(tx, caller, practitionerId, terms)
    const { service_id: serviceId, appointment_type: type } = terms
    const service = await practitioners.serviceOf(tx, practitionerId, serviceId, type)
    if (!service) {
      throw invalidField('service_id', 'This practitioner does not offer this service in this way.')
    }
    const times = await availability.freeTimes(tx, practitionerId)
    if (!times) return
    const now = clock.now().getTime()
    const fitting = times
      .free({ [type]: service.duration_minutes })
      .filter(({ startsAt }) => suits(terms, clocksOf(terms.timezone), startsAt, now))
      .filter(
        ({ startsAt, endsAt }) =>
          !old || old.endsAt.getTime() <= startsAt || endsAt <= old.startsAt.getTime(),
      )
    const [from, to] = [fitting[0]?.startsAt ?? 0, fitting.at(-1)?.endsAt ?? 0]
    const own = from < to ? await availability.clientsTimes(tx, caller.accountId, { from, to }) : []
    const slots = fitting.filter(({ startsAt, endsAt }) =>
      own.every((time) => time.to <= startsAt || endsAt <= time.from),
    )
    if (slots.length === 0) return
    throw fail('slot_free', 'A time that suits you is free right now. You can book it without waiting.', {
      details: {
        slots: slots.slice(0, slotsNamed).map((slot) => ({
          starts_at: new Date(slot.startsAt).toISOString(),
          ends_at: new Date(slot.endsAt).toISOString(),
          appointment_type: slot.appointmentType,
          location_id: slot.locationId,
        })),
      } satisfies z.infer<typeof SlotFreeDetails>,
    })
  }

  /** The session that is to be replaced. @throws 404; 422 `swaps_appointment_id` if it cannot be */
  async function sessionToSwap(handle: Db, caller: SignedIn, practitionerId: number, terms: store.Terms) {
    const id = terms.swaps_appointment_id
    if (!id) return undefined
    owned('appointment', caller, await offered.find(handle, id))
    const old = await offered.replaceable(handle, id, caller.accountId)
    if (old?.until && old.practitionerId === practitionerId) return old
    throw invalidField('swaps_appointment_id', 'This session cannot be replaced any more.')
  }

  async function read(id: string): Promise<WaitlistEntry> {
    const row = await store.findEntry(db, id)
    const [entry] = row ? await toEntries([row]) : []
    if (!entry) throw new Error('A waitlist entry has gone.')
    return entry
  }

  async function toEntries(rows: store.EntryRow[]): Promise<WaitlistEntry[]> {
    const cards = await practitioners.cards(
      db,
      rows.map((row) => row.practitioner_id),
    )
    const answers: WaitlistEntry[] = []
    for (const row of rows) {
      const card = cards.get(row.practitioner_id)
      if (!card) continue
      const old = row.swaps_appointment_id
        ? await offered.replaceable(db, row.swaps_appointment_id, row.client_id)
        : undefined
      answers.push(
        toEntry(row, {
          card,
          service: await serviceOf(db, row),
          swap: old,
          place: await store.readPlace(db, row),
          offers: await offerStore.listOpenOf(db, row.id),
        }),
      )
    }
    return answers
  }

  function serviceOf(handle: Db, row: store.EntryRow) {
    return practitioners.serviceOf(handle, row.practitioner_id, row.service_id, row.appointment_type)
  }

  async function readOffer(caller: SignedIn, id: string): Promise<WaitlistOffer> {
    const row = owned('waitlist_offer', caller, await offerStore.findOffer(db, id))
    const entry = await store.findEntry(db, row.entry_id)
    const card = (await practitioners.cards(db, [row.practitioner_id])).get(row.practitioner_id)
    if (!entry || !card) throw notFound('This offer')
    const appointment = row.appointment_id ? await offered.find(db, row.appointment_id) : undefined
    const service = await serviceOf(db, entry)
    const times = appointment ? undefined : await availability.freeTimes(db, row.practitioner_id)
    const fit = times && fitOf(times, entry, row.starts_at.getTime())
    const placeId = appointment ? appointment.location_id : (fit?.slot.locationId ?? null)
    const changeUntil = offered.changeUntil(row.starts_at)
    return toOffer(row, {
      now: clock.now(),
      card,
      entry,
      appointment,
      endsAt: appointment?.ends_at ?? later(row.starts_at, minutes(service?.duration_minutes ?? 60)),
      price: appointment
        ? { feePence: appointment.fee_pence, discountPence: appointment.discount_pence }
        : await offered.priceFor(db, caller.accountId, service?.fee_pence ?? 0),
      isFree: fit !== undefined,
      location: await offered.placeOf(db, placeId, appointment?.state === 'confirmed'),
      changeUntil,
      changeUntilBeforeStart: changeUntil.getTime() === later(row.starts_at, -hours(48)).getTime(),
      swap: await swapOf(caller, row.swaps_appointment_id, appointment?.fee_pence ?? service?.fee_pence ?? 0),
    })
  }

  async function swapOf(caller: SignedIn, id: string | null, feePence: number) {
    const old = id ? await offered.replaceable(db, id, caller.accountId) : undefined
    if (!id || !old) return undefined
    const price = old.isDiscounted ? await offered.priceFor(db, caller.accountId, feePence, id) : undefined
    return { ...old, id, discountPence: price?.discountPence ?? 0 }
  }
}

/** How many free times an answer names. */
const slotsNamed = 20

function termsOf(body: Omit<BodyOf<'POST /waitlist'>, 'practitioner_id'>): store.Terms {
  return {
    service_id: body.service_id,
    appointment_type: body.appointment_type,
    windows: fromWireWindows(body.windows),
    earliest: body.earliest ?? null,
    latest: body.latest ?? null,
    lead_minutes: body.lead_minutes,
    timezone: body.timezone,
    swaps_appointment_id: body.swaps_appointment_id ?? null,
  }
}

const closed = () =>
  fail('waitlist_closed', 'This practitioner takes no new names on the waitlist at the moment.')

const alreadyWaiting = () =>
  fail(
    'conflict',
    'You are on this waitlist already. You can change what you are waiting for in your account.',
  )

const tooMany = () =>
  fail(
    'conflict',
    `You can be on up to ${waitlistsPerClient} waitlists at a time. Leave one of them before you join another.`,
  )

const over = () => fail('request_over', 'You are no longer on this waitlist. Nothing was changed.')

const notNow = () =>
  fail(
    'not_changeable',
    'This practitioner takes no sessions at the moment. Your place is kept, and goes on when they are back.',
  )
