import type { CalendarFeed, NewCalendarFeed } from '#contract/schedule.ts'
import { days, hours, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import { hashSecret } from '../../ids.ts'
import { feedOf } from '../../integrations/mail/calendar-entry.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { toFeedEntry } from './bookings.mapper.ts'
import * as store from './feed.store.ts'
import { listDuring } from './practice.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random'> & {
  accounts: Pick<Accounts, 'names'>
  practitioners: Pick<Practitioners, 'placesById'>
  schedules: Pick<Schedules, 'own'>
  publicUrl: string
}

/** What a calendar is given: enough to look back on, and everything that can be booked ahead. */
const shown = { back: days(30), ahead: days(70) }

export type CalendarFeeds = ReturnType<typeof createCalendarFeeds>

/**
 * A practitioner's sessions in their own calendar, by a secret link that the calendar reads again and again. It can be
 * replaced and ended, is stored as a digest, and tells of clients no more than the mails do.
 */
export function createCalendarFeeds(deps: Dependencies) {
  const { db, clock, random, accounts, practitioners, schedules, publicUrl } = deps

  return {
    async state(caller: SignedIn): Promise<CalendarFeed> {
      const { id } = await schedules.own(db, caller)
      const feed = await store.findFeed(db, id)
      return {
        connected: feed !== undefined,
        created_at: feed?.created_at.toISOString() ?? null,
        read_at: feed?.read_at?.toISOString() ?? null,
      }
    },

    /** A new link, shown this once; the one before ends. */
    async connect(caller: SignedIn): Promise<NewCalendarFeed> {
      const token = random.secret()
      const now = clock.now()
      await inTransaction(db, async (tx) => {
        const { id } = await schedules.own(tx, caller)
        await store.replaceFeed(tx, { practitioner_id: id, token_hash: hashSecret(token), created_at: now })
      })
      return { url: `${publicUrl}/calendar/${token}.ics`, created_at: now.toISOString() }
    },

    async disconnect(caller: SignedIn): Promise<'success'> {
      const { id } = await schedules.own(db, caller)
      await store.deleteFeed(db, id)
      return 'success'
    },

    /** The sessions behind a link as an iCalendar file; nothing for a link that there is not, or no longer. */
    async read(token: string): Promise<string | undefined> {
      const feed = await store.findFeedByToken(db, hashSecret(token))
      if (!feed) return undefined
      const now = clock.now()
      if (!feed.read_at || later(feed.read_at, hours(1)) <= now) {
        await store.noteRead(db, feed.practitioner_id, now)
      }
      const rows = await listDuring(db, feed.practitioner_id, {
        from: later(now, -shown.back),
        to: later(now, shown.ahead),
      })
      const names = await accounts.names(db, [...new Set(rows.map((row) => row.client_id))])
      const places = await practitioners.placesById(
        db,
        rows.flatMap((row) => row.location_id ?? []),
      )
      const link = `${publicUrl}/therapist/sign-in?return_to=${encodeURIComponent('/therapist/schedule')}`
      return feedOf(
        rows.map((row) =>
          toFeedEntry(row, {
            name: names.get(row.client_id),
            location: row.location_id === null ? undefined : places.get(row.location_id),
            link,
            now,
          }),
        ),
      )
    },
  }
}
