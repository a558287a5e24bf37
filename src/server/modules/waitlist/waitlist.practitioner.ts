import type { PractitionerWaitlist, WaitingClient } from '#contract/waitlist/waitlist.ts'
import { dayNumber, dayText, later, mondayOf } from '../../clock.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { clocksOf, localDay, startOfDay } from '../availability/availability.service.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { toWaiting } from './waitlist.mapper.ts'
import { fitOf, serviceFor, type Times } from './waitlist.matching.ts'
import type { Offers } from './waitlist.offers.ts'
import { lastsThrough, planOffer, suits } from './turns.ts'
import { initials } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as snapshots from './snapshots.store.ts'
import * as store from './waitlist.store.ts'

type Dependencies = WaitlistDependencies & { offers: Offers }

export type PractitionerSide = ReturnType<typeof createPractitionerSide>

/** What a practitioner sees of the waitlist, by initials, and their offers by hand. */
export function createPractitionerSide(deps: Dependencies) {
  const { db, clock, events, practitioners, availability, offered, offers, lookups } = deps

  return {
    /** The waitlist, and a week from its Monday; this one when no day is given. */
    async list(caller: SignedIn, from: string | undefined): Promise<PractitionerWaitlist> {
      const own = await ownOf(db, caller)
      const zone = clocksOf(own.timezone)
      const now = clock.now()
      const monday = mondayOf(from ? dayNumber(from) : localDay(zone, now.getTime()))
      const week = { from: startOfDay(zone, monday), to: startOfDay(zone, monday + 7) }
      const entries = await store.listEntriesFor(db, own.id)
      const turns = await offerStore.listOpenTurns(db, own.id)
      const times = await availability.freeTimes(db, own.id)
      const blocked = await lookups().blockedClients(db, own.id)
      const askable = entries.filter(({ state, client_id }) => state === 'waiting' && !blocked.has(client_id))
      const declined = await offerStore.listDeclined(db, own.id, {
        from: new Date(week.from),
        to: new Date(week.to),
      })
      const isInWeek = (at: Date) => week.from <= at.getTime() && at.getTime() < week.to
      return {
        open: own.waitlist === 'open',
        waiting: entries.filter(({ state }) => state !== 'paused').length,
        entries: entries.map(toWaiting),
        week: {
          week_starts: dayText(monday),
          offered: turns.flatMap((turn) => {
            const entry = entries.find(({ id }) => id === turn.entry_id)
            if (!entry || !turn.hold_expires_at || !turn.ends_at || !isInWeek(turn.starts_at)) return []
            return {
              entry_id: entry.id,
              initials: initials(entry.first_name, entry.last_name),
              starts_at: turn.starts_at.toISOString(),
              ends_at: turn.ends_at.toISOString(),
              until: turn.hold_expires_at.toISOString(),
            }
          }),
          wanted: times ? wantedIn(times, week, askable, { now, declined }) : [],
        },
      }
    },

    /**
     * Offers a free time to a client out of order, which the audit log records. Changes nothing if the client has an open
     * offer of a time that starts too soon for a turn.
     * @throws 404; 422 `slot_not_offered`; 409 `slot_taken`, `client_busy`, `request_over` if the client no longer waits
     */
    async offer(caller: SignedIn, entryId: string, startsAtText: string): Promise<WaitingClient> {
      const startsAt = new Date(startsAtText)
      const own = await ownOf(db, caller)
      const intents = await inTransaction(db, async (tx) => {
        owned('waitlist_entry', caller, await store.findEntry(tx, entryId))
        await snapshots.lockMatching(tx, own.id)
        const now = clock.now()
        const times = await availability.freeTimes(tx, own.id)
        const entry = await store.lockEntry(tx, entryId)
        if (entry?.state !== 'waiting') throw notWaiting()
        const fit = times && fitOf(times, entry, startsAt.getTime())
        if (!times || !fit) throw invalidField('starts_at', notFree, 'slot_not_offered')
        if ((await lookups().blockedClients(tx, own.id)).has(entry.client_id)) throw cannotBeAsked()
        const declined = await offerStore.listDeclined(tx, own.id, { from: startsAt, to: later(startsAt, 1) })
        if (declined.get(startsAt.getTime())?.has(entryId)) throw saidNo()
        const bookableUntil = later(startsAt, -times.leadTimeMs)
        const plan = planOffer({ startsAt, bookableUntil }, now, clocksOf(entry.timezone))
        // They know of this time already, from the practitioner or from matching.
        const told = await offerStore.listTold(tx, own.id, startsAt)
        if (plan.kind === 'broadcast' && told.has(entryId)) return []
        const old = entry.swaps_appointment_id
          ? await offered.replaceable(tx, entry.swaps_appointment_id, entry.client_id)
          : undefined
        // The refund that the client reads on the page must still be due when they pay. One that is due no more is not named.
        if (plan.kind === 'turn' && old?.until && !lastsThrough(old.until, plan.holdUntil))
          throw swapsTooLate()
        const round = { round: 1, freedAt: now }
        await events.announce(tx, 'admin.acted', {
          accountId: caller.accountId,
          action: 'offer a time out of order',
          subject: `waitlist entry ${entryId}, ${startsAt.toISOString()}`,
        })
        if (plan.kind === 'broadcast') {
          const time = { practitionerId: own.id, startsAt, round, byHand: true, madeAt: now }
          await offers.broadcast(tx, time, [entry])
          return []
        }
        const made = await offers.makeTurn(tx, {
          entry,
          ...fit,
          pauseMinutes: times.pauseMinutes,
          holdUntil: plan.holdUntil,
          round,
          byHand: true,
        })
        if (made.outcome === 'taken') throw fail('slot_taken', 'This time has just been taken.')
        if (made.outcome === 'client_busy') {
          throw fail('client_busy', 'This client has another session at that time.')
        }
        return made.intents
      })
      await offered.finishSoon({ intents })
      const row = (await store.listEntriesFor(db, own.id)).find(({ id }) => id === entryId)
      if (!row) throw notFound('This place on a waitlist')
      return toWaiting(row)
    },
  }

  async function ownOf(handle: Db, caller: SignedIn) {
    const found = await practitioners.ofAccount(handle, caller.accountId)
    const own = found && (await practitioners.work(handle, found.id))
    if (!own) throw notFound('This profile')
    return own
  }
}

type NamedRow = Awaited<ReturnType<typeof store.listEntriesFor>>[number]

/** The scheduled hours of a week that clients who wait would like, and have not declined. */
function wantedIn(
  times: Times,
  week: { from: number; to: number },
  waiting: readonly NamedRow[],
  { now, declined }: { now: Date; declined: ReadonlyMap<number, ReadonlySet<string>> },
): PractitionerWaitlist['week']['wanted'] {
  const startsOf = new Map<string, ReadonlySet<number>>()
  /** Whether the hour is free for what a client waits for. */
  const fits = (entry: NamedRow, start: number) => {
    const key = `${entry.service_id} ${entry.appointment_type}`
    const known = startsOf.get(key) ?? freeStarts(times, week, entry)
    startsOf.set(key, known)
    return known.has(start)
  }
  const scheduled = Map.groupBy(times.scheduled(week), ({ startsAt }) => startsAt)
  const free = new Set(times.free(undefined, week).map(({ startsAt }) => startsAt))
  return [...scheduled].flatMap(([start, slots]) => {
    const formats = new Set(slots.map(({ appointmentType }) => appointmentType))
    const wanting = waiting.filter(
      (entry) =>
        formats.has(entry.appointment_type) &&
        (!free.has(start) || fits(entry, start)) &&
        !declined.get(start)?.has(entry.id) &&
        suits(entry, clocksOf(entry.timezone), start, now.getTime()),
    )
    if (wanting.length === 0) return []
    return {
      starts_at: new Date(start).toISOString(),
      entry_ids: wanting.map(({ id }) => id),
      free: free.has(start),
    }
  })
}

/** The starts at which a session such as a client waits for could be booked. */
function freeStarts(times: Times, week: { from: number; to: number }, entry: NamedRow): ReadonlySet<number> {
  const service = serviceFor(times, entry)
  const slots = service ? times.free({ [entry.appointment_type]: service.duration_minutes }, week) : []
  return new Set(slots.map(({ startsAt }) => startsAt))
}

const notFree = 'This time is not free for what the client is waiting for.'

const cannotBeAsked = () =>
  fail('request_over', 'You cannot offer a time to this client at the moment. Nothing was changed.')

const saidNo = () =>
  fail('request_over', 'This client has said no to this time already. Nothing was changed.')

const swapsTooLate = () =>
  fail(
    'request_over',
    'This client would give up another session for it, which could no longer be cancelled by the time they have to answer. Nothing was changed.',
  )

const notWaiting = () =>
  fail('request_over', 'This client is not waiting for an offer at the moment. Nothing was changed.')
