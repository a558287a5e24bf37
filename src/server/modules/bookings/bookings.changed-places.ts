import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { bookingsChangedPlacesJob } from './bookings.jobs.ts'
import { isAhead, isFrozen } from './bookings.rules.ts'
import { changeOf, reread } from './bookings.service.ts'
import { changeTerms, lockAppointment } from './bookings.store.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import { kindOf, profileChangeIn } from './mails/bookings.mails.facts.ts'
import { statesWhenAndWhere } from './mails/bookings.mails.rules.ts'
import type { BookingOutbox } from './mails/bookings.outbox.ts'
import { mayBeInCalendar } from './mails/bookings.mails.store.ts'
import { listAheadIn } from './practitioner/practitioner-schedule.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'events' | 'random'> & {
  mails: Pick<Mails, 'lockAbout'>
  outbox: Pick<BookingOutbox, 'noteProfileChange'>
}

type Change = NonNullable<(typeof bookingsChangedPlacesJob)['data']>

/**
 * A place or an online room that is described anew holds for booked sessions too: their clients get a mail about it, and
 * calendars show the new one. By a job, so that a practitioner with many sessions does not wait.
 */
export function createChangedPlaces({ db, clock, queue, events, random, mails, outbox }: Dependencies) {
  return {
    async note(
      tx: Tx,
      change: { practitionerId: number; locationIds: number[]; isOnlineRoom: boolean },
    ): Promise<void> {
      await queue.enqueue(tx, bookingsChangedPlacesJob, {
        change_id: random.uuid(clock.now()),
        practitioner_id: change.practitionerId,
        location_ids: change.locationIds,
        is_online_room: change.isOnlineRoom,
      })
    },

    /** Mails the clients of the sessions ahead. Repeating it mails no session twice. */
    async mail(job: Change): Promise<void> {
      const { practitioner_id: practitionerId, location_ids: locationIds, is_online_room: isOnline } = job
      const ids = await listAheadIn(db, practitionerId, { locationIds, isOnline }, clock.now())
      for (const id of ids) await inTransaction(db, (tx) => mailOne(tx, id, job))
    },
  }

  async function mailOne(
    tx: Tx,
    id: string,
    { change_id: changeId, is_online_room: isOnlineRoom }: Change,
  ): Promise<void> {
    const what = isOnlineRoom ? 'room' : 'place'
    const row = await lockAppointment(tx, id)
    if (!row || !isAhead(row.state) || isFrozen(row)) return
    // An unpaid date of a series is in no mail yet, unless it was moved.
    if (row.state === 'confirmed' || (await mayBeInCalendar(tx, id))) {
      const all = await mails.lockAbout(tx, { type: 'appointment', id })
      if (all.some((mail) => profileChangeIn(mail.data)?.id === changeId)) return
      if (!all.some(willSayIt)) {
        await changeTerms(tx, id, {})
        await outbox.noteProfileChange(tx, await reread(tx, id), { id: changeId, what })
      }
    }
    await events.announce(tx, 'session.changed', changeOf(row))
  }
}

/** Whether a mail that waits to be sent states the place, which is read then. A newer mail would have it dropped. */
const willSayIt = (mail: OutgoingMail): boolean =>
  mail.recipient === 'client' &&
  mail.outcome === null &&
  mail.claimed_until === null &&
  statesWhenAndWhere(kindOf(mail))
