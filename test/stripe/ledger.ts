import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type Stripe from 'stripe'

export type StripeObjects = {
  customer: Stripe.Customer
  setup_intent: Stripe.SetupIntent
  payment_method: Stripe.PaymentMethod
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
}
export type StripeType = keyof StripeObjects

/** What was answered under an idempotency key; without a status while it is being worked on. */
export type Kept = { request: string; status: number | null; answer: string | null }

/** Stripe's books in a file, so that they outlive the process. */
export function openLedger(path: string) {
  const db = new DatabaseSync(path)
  db.exec(`
    pragma journal_mode = wal;
    create table if not exists objects (id text primary key, type text not null, body text not null, made integer);
    create table if not exists keys (key text primary key, request text not null, status integer, answer text);
    create table if not exists events (seq integer primary key autoincrement, id text not null, body text not null);
    create table if not exists banks (payment_method text primary key, behaviour text not null);
  `)
  // Requests under way ended with the former process.
  db.exec('delete from keys where status is null')

  return {
    id: (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`,

    get<K extends StripeType>(type: K, id: string): StripeObjects[K] | undefined {
      const row = db.prepare('select body from objects where id = ? and type = ?').get(id, type)
      return row && (JSON.parse(String(row.body)) as StripeObjects[K])
    },

    all<K extends StripeType>(type: K): StripeObjects[K][] {
      const rows = db.prepare('select body from objects where type = ? order by rowid desc').all(type)
      return rows.map((row) => JSON.parse(String(row.body)) as StripeObjects[K])
    },

    put<T extends { id: string; object: string }>(object: T): T {
      db.prepare(
        `insert into objects (id, type, body, made) values (?, ?, ?, unixepoch())
         on conflict (id) do update set body = excluded.body`,
      ).run(object.id, object.object, JSON.stringify(object))
      return object
    },

    remove(id: string): void {
      db.prepare('delete from objects where id = ?').run(id)
    },

    key(key: string): Kept | undefined {
      const row = db.prepare('select request, status, answer from keys where key = ?').get(key)
      return row as Kept | undefined
    },

    beginKey(key: string, request: string): void {
      db.prepare('insert into keys (key, request) values (?, ?)').run(key, request)
    },

    keepAnswer(key: string, status: number, answer: string): void {
      db.prepare('update keys set status = ?, answer = ? where key = ?').run(status, answer, key)
    },

    /** As Stripe does after a day or more. */
    forgetKeys(): void {
      db.exec('delete from keys')
    },

    /** The behaviour of the bank behind a card; `succeeds` unless one was set. */
    bank(paymentMethod: string): string {
      const row = db.prepare('select behaviour from banks where payment_method = ?').get(paymentMethod)
      return row ? String(row.behaviour) : 'succeeds'
    },

    setBank(paymentMethod: string, behaviour: string): void {
      db.prepare(
        'insert into banks values (?, ?) on conflict (payment_method) do update set behaviour = excluded.behaviour',
      ).run(paymentMethod, behaviour)
    },

    addEvent(event: { id: string; type: string } & Record<string, unknown>): void {
      db.prepare('insert into events (id, body) values (?, ?)').run(event.id, JSON.stringify(event))
    },

    eventsAfter(seq: number): { seq: number; body: string }[] {
      return db.prepare('select seq, body from events where seq > ? order by seq').all(seq) as {
        seq: number
        body: string
      }[]
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>
