import type { Tx } from '../../db/connection.ts'

/** Notes that the back office is mailed about a lapse. Returns false if it was already. */
export async function noteLapse(
  tx: Tx,
  note: { practitioner_id: number; lapses_at: Date; noted_at: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('vetting_lapse_notes')
    .values(note)
    .onConflict((conflict) => conflict.doNothing())
    .returning('practitioner_id')
    .executeTakeFirst()
  return row !== undefined
}
