import type { Db, Tx } from '../../db/connection.ts'
import type { VideoCourse, VideoStep } from './video-orders.rules.ts'

/** The courses of video orders by practitioner; practitioners without an order are absent. */
export async function readCourses(
  db: Db,
  practitionerIds: readonly number[],
): Promise<Map<number, VideoCourse>> {
  if (practitionerIds.length === 0) return new Map()
  const orders = await db
    .selectFrom('video_productions')
    .select(['practitioner_id', 'done_at'])
    .where('practitioner_id', 'in', practitionerIds)
    .where('ordered_at', 'is not', null)
    .execute()
  const steps = await db
    .selectFrom('video_production_steps')
    .selectAll()
    .where('practitioner_id', 'in', practitionerIds)
    .orderBy('number')
    .execute()
  return new Map(
    orders.map(({ practitioner_id, done_at }) => [
      practitioner_id,
      { done_at, steps: steps.filter((step) => step.practitioner_id === practitioner_id) },
    ]),
  )
}

export async function insertStep(
  tx: Tx,
  practitionerId: number,
  step: Pick<VideoStep, 'number' | 'kind' | 'at'> &
    Partial<Pick<VideoStep, 'dates' | 'date' | 'note' | 'file_id'>>,
): Promise<void> {
  await tx
    .insertInto('video_production_steps')
    .values({ practitioner_id: practitionerId, ...step })
    .execute()
}

export async function setUndone(tx: Tx, practitionerId: number, number: number, now: Date): Promise<void> {
  await tx
    .updateTable('video_production_steps')
    .set({ undone_at: now })
    .where('practitioner_id', '=', practitionerId)
    .where('number', '=', number)
    .where('undone_at', 'is', null)
    .execute()
}

/** Marks an order as done, or as open again. */
export async function setDone(tx: Tx, practitionerId: number, doneAt: Date | null): Promise<void> {
  await tx
    .updateTable('video_productions')
    .set({ done_at: doneAt })
    .where('practitioner_id', '=', practitionerId)
    .execute()
}

/** What stands for the words of a practitioner who has left. */
const erased = '-'

/** Practitioners closed before, with videos or words in their orders. */
export async function listToEmpty(db: Db, closedBefore: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('practitioners as p')
    .select('p.id')
    .where('p.state', '=', 'closed')
    .where('p.state_changed_at', '<=', closedBefore)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('video_production_steps as s')
          .leftJoin('stored_files as f', 'f.id', 's.file_id')
          .select('s.number')
          .whereRef('s.practitioner_id', '=', 'p.id')
          .where((step) =>
            step.or([
              step('s.note', '<>', erased),
              step.and([step('f.id', 'is not', null), step('f.removed_at', 'is', null)]),
            ]),
          ),
      ),
    )
    .orderBy('p.state_changed_at')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

export async function eraseNotes(tx: Tx, practitionerId: number): Promise<void> {
  await tx
    .updateTable('video_production_steps')
    .set({ note: erased })
    .where('practitioner_id', '=', practitionerId)
    .where('note', 'is not', null)
    .execute()
}
