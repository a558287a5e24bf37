import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#server/db/connection.ts'

/** Held beside others by each statement that waits, which shows that it does. */
const mark = 20_261_128

/**
 * Makes the writing of messages in a dialog wait inside the database, without waiting for a lock. `hold` and `release` name
 * the dialog; `untilWaiting` resolves once so many statements wait; `breakOff` ends those that wait, as a lost connection does.
 */
export async function heldMessages(db: Db) {
  await sql`create table held_dialogs (id uuid primary key)`.execute(db)
  await sql`
    create function wait_while_held() returns trigger language plpgsql as $$
    begin
      if exists (select from held_dialogs where id = new.dialog_id) then
        perform pg_advisory_lock_shared(${sql.lit(mark)});
        while exists (select from held_dialogs where id = new.dialog_id) loop
          perform pg_sleep(0.005);
        end loop;
        perform pg_advisory_unlock_shared(${sql.lit(mark)});
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger wait_while_held before insert on chat_messages
    for each row execute function wait_while_held()`.execute(db)

  const waiting = sql`
    from pg_locks where locktype = 'advisory' and objid = ${mark}
    and database = (select oid from pg_database where datname = current_database())`
  const untilTrue = (isSo: (count: number) => boolean) =>
    vi.waitFor(async () => {
      const { rows } = await sql`select pid ${waiting}`.execute(db)
      if (!isSo(rows.length)) throw new Error(`${rows.length} statements wait.`)
    })
  return {
    hold: (dialog: string) => sql`insert into held_dialogs values (${dialog})`.execute(db),
    release: (dialog: string) => sql`delete from held_dialogs where id = ${dialog}`.execute(db),
    untilWaiting: (atLeast = 1) => untilTrue((count) => count >= atLeast),
    breakOff: async () => {
      const { rows } = await sql`select pg_terminate_backend(pid) ${waiting}`.execute(db)
      if (rows.length === 0) throw new Error('No statement waits.')
      await untilTrue((count) => count === 0)
    },
  }
}
