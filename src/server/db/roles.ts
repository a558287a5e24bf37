import { sql } from 'kysely'
import type { Database } from './connection.ts'

/** Schemas whose tables the product reads and writes. */
const schemas = ['public', 'pgboss', 'sandbox_gateway', 'stripe_gateway']

/**
 * Gives the product's role the rights it needs, and takes those away that it must not have: tables that are append-only
 * by their trigger can be read and added to alone, and what signs the audit log can only be read. Repeated at each
 * start, so that it covers every table there is. Does nothing where the owner is the product's own role.
 * @returns whether the product has a role of its own
 * @throws Error with a sentence when the product's role could take these rights back
 */
export async function grantProduct(owner: Database, product: Database): Promise<boolean> {
  const roleOf = async ({ db }: Database) =>
    (await sql<{ role: string }>`select current_user as role`.execute(db)).rows[0]?.role ?? ''
  const [own, role] = await Promise.all([roleOf(owner), roleOf(product)])
  if (own === role) return false
  await refuseMightyRole(product, own, role)
  const to = sql.id(role)
  await owner.db.transaction().execute(async (tx) => {
    // Of instances that start at once, one after the other: two that grant on the same table at once fail.
    await sql`select pg_advisory_xact_lock(hashtext('hearth grants'))`.execute(tx)
    for (const name of schemas) {
      const schema = sql.id(name)
      await sql`grant usage on schema ${schema} to ${to}`.execute(tx)
      await sql`revoke create on schema ${schema} from ${to}, public`.execute(tx)
      await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${to}`.execute(tx)
      await sql`grant usage, select on all sequences in schema ${schema} to ${to}`.execute(tx)
      await sql`alter default privileges in schema ${schema}
        grant select, insert, update, delete on tables to ${to}`.execute(tx)
      await sql`alter default privileges in schema ${schema} grant usage, select on sequences to ${to}`.execute(
        tx,
      )
    }
    for (const table of await appendOnly(tx)) {
      await sql`revoke update, delete, truncate, trigger, references on ${sql.id(table)} from ${to}, public`.execute(
        tx,
      )
    }
    // Its trigger writes it, with the owner's rights.
    await sql`revoke insert, update, delete, truncate, trigger, references on audit_head from ${to}, public`.execute(
      tx,
    )
    await sql`revoke insert, update, delete, truncate on kysely_migration from ${to}, public`.execute(tx)
  })
  return true
}

/** Tables with the trigger that forbids every change. */
async function appendOnly(db: Database['db']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = 'forbid_change'::regproc order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Rights that are taken away mean nothing to a superuser, to an owner, or to a member of the owning role. */
async function refuseMightyRole({ db }: Database, owner: string, role: string): Promise<void> {
  const { rows } = await sql<{ isMighty: boolean }>`
    select rolsuper or pg_has_role(current_user, ${owner}, 'member') or exists (
      select from pg_class where relkind in ('r', 'p') and relowner = r.oid
        and relnamespace = any(array(select oid from pg_namespace where nspname = any(${schemas}))))
      as "isMighty"
    from pg_roles r where rolname = current_user`.execute(db)
  if (rows[0]?.isMighty !== false) {
    throw new Error(
      `The role ${role} of DATABASE_URL is a superuser, owns tables or belongs to ${owner}, so it could change what it must not. See docs/operations.md for the two roles.`,
    )
  }
}
