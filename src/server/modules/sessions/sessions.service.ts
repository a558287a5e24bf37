import type { z } from 'zod'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { Session, SessionOfChatQuery } from '#contract/sessions.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { clocksOf, localDay, startOfDay } from '../availability/availability.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Reviews } from '../reviews/reviews.service.ts'
import type { SeriesOfSessions } from '../series/series.sessions.ts'
import { type Facts, toClientSession, toPractitionerSession } from './sessions.mapper.ts'
import * as store from './sessions.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'live'> & {
  reviews: Pick<Reviews, 'session'>
  practitionerSessions: Pick<PractitionerSessions, 'detail'>
  seriesOfSessions: SeriesOfSessions
}

export type Sessions = ReturnType<typeof createSessions>

/** The day of an instant in a zone. PostgreSQL knows other names of zones, and reads offsets the other way round. */
function dayOf(instant: Date, timezone: string): { from: Date; to: Date } {
  const zone = clocksOf(timezone)
  const day = localDay(zone, instant.getTime())
  return { from: new Date(startOfDay(zone, day)), to: new Date(startOfDay(zone, day + 1)) }
}

/** The page of one session, for its client and its practitioner. */
export function createSessions({
  db,
  clock,
  live,
  reviews,
  practitionerSessions,
  seriesOfSessions,
}: Dependencies) {
  return {
    detail,

    /** The session that a chat's two people have today, and their series. Empty for a caller who is neither of them. */
    async ofChat(
      caller: SignedIn,
      { dialog_id: dialogId, timezone }: z.infer<typeof SessionOfChatQuery>,
    ): Promise<AnswerOf<'GET /sessions/today'>> {
      const { accountId } = caller
      const pair = await store.findPair(db, { dialogId, accountId })
      if (!pair) return { data: null, series: [] }
      const now = clock.now()
      const id = await store.findOfPair(db, { ...pair, day: dayOf(now, timezone), now })
      return {
        data: id === undefined ? null : await detail(caller, id),
        series: await seriesOfSessions.between(db, pair),
      }
    },

    /** Sends live events to both people of sessions of the two, once the transaction has committed. */
    async noteChange(tx: Tx, appointmentIds: readonly string[]): Promise<void> {
      const [first] = appointmentIds
      if (first === undefined) return
      const people = await store.findPeople(tx, first)
      afterCommit(tx, () => {
        for (const id of appointmentIds) live.tell(people, { type: 'session.changed', appointment_id: id })
      })
    },
  }

  /** @throws 404, also for a session that was never booked */
  async function detail(caller: SignedIn, id: string): Promise<Session> {
    if (caller.role !== 'client') {
      return toPractitionerSession(await practitionerSessions.detail(caller, id), await factsOf(id))
    }
    const session = toClientSession(await reviews.session(caller, id), await factsOf(id))
    if (!session) throw notFound('This session')
    return session
  }

  async function factsOf(id: string): Promise<Facts> {
    const facts = await store.findFacts(db, id)
    if (!facts) throw notFound('This session')
    return { ...facts, series: (await seriesOfSessions.of(db, [id])).get(id) ?? null }
  }
}
