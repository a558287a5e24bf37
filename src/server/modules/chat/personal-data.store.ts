import type { Db, Tx } from '../../db/connection.ts'

/** Everything in a client's dialogs, oldest first, with whom. */
export function listWritten(db: Db, clientId: string) {
  return db
    .selectFrom('chat_messages as m')
    .innerJoin('chat_dialogs as d', 'd.id', 'm.dialog_id')
    .innerJoin('practitioners as p', 'p.id', 'd.practitioner_id')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['m.id', 'm.dialog_id', 'm.sender_id', 'm.body', 'm.sent_at', 'd.sealed_key'])
    .select(['a.first_name', 'a.last_name'])
    .where('d.client_id', '=', clientId)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .orderBy('m.seq')
    .execute()
}

/** Deletes a client's dialogs with all that is in them; the accounts of those they were with. */
export async function deleteDialogs(tx: Tx, clientId: string): Promise<string[]> {
  const others = await tx
    .selectFrom('chat_dialogs')
    .innerJoin('practitioners', 'practitioners.id', 'chat_dialogs.practitioner_id')
    .select('practitioners.account_id')
    .where('chat_dialogs.client_id', '=', clientId)
    .execute()
  await tx.deleteFrom('chat_dialogs').where('client_id', '=', clientId).execute()
  return others.map((row) => row.account_id)
}
