import { clientName } from '#contract/client-name.ts'
import type { CalendarFeed, NewCalendarFeed } from '#contract/bookings/calendar-feeds.ts'
import { days, hours, later } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { fail } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { owned } from '../../../http/policies.ts'
import { hashSecret } from '../../../ids.ts'
import { feedOf, fileOf } from '../../../integrations/mail/calendar-entry.ts'
import type { Accounts } from '../../accounts/accounts.service.ts'
import type { Schedules } from '../../availability/schedule.service.ts'
import type { Practitioners } from '../../practitioners/practitioners.service.ts'
import { shownPlace } from '../bookings.rules.ts'
import { joinUrlOf, roomOf } from '../online-rooms.mapper.ts'
import { sessionPath } from '../../../integrations/mail/format.ts'
import { toFeedEntry } from './calendar-feeds.mapper.ts'
import * as store from './calendar-feeds.store.ts'
import {
  findSession,
  listDuring,
  listOfClient,
  type SessionRow,
} from '../practitioner/practitioner-schedule.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'publicUrl'> & {
  accounts: Pick<Accounts, 'holdSignIn' | 'names'>
  practitioners: Pick<Practitioners, 'placesById' | 'cards' | 'onlineRooms' | 'suspensionOf' | 'closingOf'>
  schedules: Pick<Schedules, 'own'>
}

/** The range of a feed: recent sessions, and the whole period that can be booked. */
const shown = { back: days(30), ahead: days(70) }

export type CalendarFeeds = ReturnType<typeof createCalendarFeeds>

/**
 * Calendar feeds of clients and practitioners, read by calendar apps through a secret link. The owner can replace or
 * end the link. The database stores only its digest. A feed contains no more of the other party than the mails do. It
 * leads to this product's room, which asks for a sign-in, and never contains a practitioner's own link, because the secret
 * link alone proves no identity.
 */
export function createCalendarFeeds(deps: Dependencies) {
  const { db, clock, random, accounts, practitioners, schedules, publicUrl } = deps

  return {
    async state(caller: SignedIn): Promise<CalendarFeed> {
      const feed = await store.findFeed(db, await ownerOf(caller))
      return {
        connected: feed !== undefined,
        created_at: feed?.created_at.toISOString() ?? null,
        read_at: feed?.read_at?.toISOString() ?? null,
      }
    },

    /** Creates a link, shown only in this response. The previous link ends. */
    async connect(caller: SignedIn): Promise<NewCalendarFeed> {
      const token = random.secret()
      const now = clock.now()
      await inTransaction(db, async (tx) => {
        // The link outlives the sign-in, which may be ending: the account may be going back to its holder.
        if (!(await accounts.holdSignIn(tx, caller))) throw fail('unauthenticated', 'Your sign-in has ended.')
        const feed = { token_hash: hashSecret(token), created_at: now }
        await store.replaceFeed(tx, await ownerOf(caller, tx), feed)
      })
      return { url: `${publicUrl}/calendar/${token}.ics`, created_at: now.toISOString() }
    },

    async disconnect(caller: SignedIn): Promise<'success'> {
      await store.deleteFeed(db, await ownerOf(caller))
      return 'success'
    },

    /** Ends the link of an account, if it has one. */
    end: (tx: Tx, accountId: string) => store.deleteFeedOfAccount(tx, accountId),

    /**
     * One booked session of the caller as a file; a reserved one is tentative. The entry has the same id as the one in
     * our mails, so that a calendar keeps a single entry.
     * @throws 404; 409 `conflict` for a session that is not booked
     */
    async file(caller: SignedIn, id: string): Promise<{ name: string; type: string; bytes: Buffer }> {
      const row = owned('appointment', caller, await findSession(db, id))
      if (row.state !== 'confirmed' && row.state !== 'reserved')
        throw fail('conflict', 'Only a booked session goes into a calendar.')
      const rooms = await practitioners.onlineRooms(db, [row.practitioner_id])
      const recipient = caller.role === 'client' ? 'client' : 'practitioner'
      const describe = recipient === 'client' ? await forClient([row]) : await forPractitioner([row])
      const entry = toFeedEntry(row, {
        ...describe(row),
        location: (await placesOf([row], recipient))(row),
        joinUrl: joinUrlOf(roomOf(row, rooms.get(row.practitioner_id)), recipient, publicUrl),
        now: clock.now(),
      })
      return { name: 'session.ics', type: 'text/calendar; charset=utf-8', bytes: Buffer.from(fileOf(entry)) }
    },

    /**
     * The sessions behind a link as an iCalendar file; undefined for an unknown or ended link. A suspended
     * practitioner's calendar is empty until they are reinstated; a closed practitioner's stays empty.
     */
    async read(token: string): Promise<string | undefined> {
      const feed = await store.findFeedByToken(db, hashSecret(token))
      if (!feed) return undefined
      const { owner } = feed
      const now = clock.now()
      if (!feed.read_at || later(feed.read_at, hours(1)) <= now) await store.noteRead(db, owner, now)
      const range = { from: later(now, -shown.back), to: later(now, shown.ahead) }
      const rows =
        'clientId' in owner
          ? await listOfClient(db, owner.clientId, range)
          : (await practitioners.suspensionOf(db, owner.practitionerId)) ||
              (await practitioners.closingOf(db, owner.practitionerId))
            ? []
            : await listDuring(db, owner.practitionerId, range)
      const recipient = 'clientId' in owner ? 'client' : 'practitioner'
      const placeOf = await placesOf(rows, recipient)
      const describe = recipient === 'client' ? await forClient(rows) : await forPractitioner(rows)
      const rooms = await practitioners.onlineRooms(db, [...new Set(rows.map((row) => row.practitioner_id))])
      return feedOf(
        rows.map((row) => {
          const room = roomOf(row, rooms.get(row.practitioner_id))
          return toFeedEntry(row, {
            ...describe(row),
            location: placeOf(row),
            joinUrl: room?.kind === 'hearth' ? joinUrlOf(room, recipient, publicUrl) : undefined,
            now,
          })
        }),
      )
    },
  }

  async function placesOf(rows: readonly SessionRow[], recipient: 'client' | 'practitioner') {
    const places = await practitioners.placesById(
      db,
      rows.flatMap((row) => row.location_id ?? []),
    )
    return (row: SessionRow) => {
      const place = places.get(row.location_id ?? 0)
      return recipient === 'client' ? shownPlace(row, place) : place
    }
  }

  async function ownerOf(caller: SignedIn, handle: Db = db): Promise<store.FeedOwner> {
    if (caller.role === 'client') return { clientId: caller.accountId }
    return { practitionerId: (await schedules.own(handle, caller)).id }
  }

  async function forPractitioner(rows: readonly SessionRow[]) {
    const names = await accounts.names(db, [...new Set(rows.map((row) => row.client_id))])
    return (row: SessionRow) => ({
      uid: `${row.id}-practitioner`,
      who: clientName(names.get(row.client_id)),
      link: signInUrl('/therapist/sign-in', sessionPath(row.id)),
    })
  }

  async function forClient(rows: readonly SessionRow[]) {
    const cards = await practitioners.cards(db, [...new Set(rows.map((row) => row.practitioner_id))])
    return (row: SessionRow) => ({
      uid: row.id,
      who: cards.get(row.practitioner_id)?.full_name ?? 'your practitioner',
      link: signInUrl('/sign-in', sessionPath(row.id)),
    })
  }

  /** Links through the sign-in, because a new tab starts signed out. */
  function signInUrl(page: string, path: string): string {
    return `${publicUrl}${page}?return_to=${encodeURIComponent(path)}`
  }
}
