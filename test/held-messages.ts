import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#server/db/connection.ts'

/**
 * Makes the writing of messages in a dialog wait inside the database, without a lock. `hold` and `release` name the
 * dialog; `untilWaiting` resolves once so many statements wait.
 */
export async function heldMessages(db: Db) {
  await sql`create table held_dialogs (id uuid primary key)`.execute(db)
  await sql`
    create function wait_while_held() returns trigger language plpgsql as $$
    begin
      while exists (select from held_dialogs where id = new.dialog_id) loop
        perform pg_sleep(0.005);
      end loop;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger wait_while_held before insert on chat_messages
    for each row execute function wait_while_held()`.execute(db)
  return {
    hold: (dialog: string) => sql`insert into held_dialogs values (${dialog})`.execute(db),
    release: (dialog: string) => sql`delete from held_dialogs where id = ${dialog}`.execute(db),
    untilWaiting: (count = 1) =>
      vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
          db,
        )
        if (rows.length < count) throw new Error(`${rows.length} statements wait.`)
      }),
  }
}
