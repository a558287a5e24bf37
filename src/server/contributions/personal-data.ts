import type { Role } from '#contract/endpoint.ts'
import type { ExportSection, Hindrance, Kept } from '#contract/accounts/personal-data.ts'
import type { Db, Tx } from '../db/connection.ts'

/** Whose data it is about. */
export type Person = { accountId: string; role: Role }

/**
 * A module's part of data protection: of the export, of the erasure, and of what has to be kept. Erasure runs from the
 * last module to the first, so that rows are erased before those they refer to.
 */
export type PersonalData = {
  /** Tables with rows that are about a person or refer to one. A test compares them with those that there are. */
  tables: readonly string[]
  /** Columns that hold the number of a deleted account, by table: the account stays until none names it. */
  namedBy?: Readonly<Record<string, string>>
  /** What stays after an erasure, in plain words. The privacy policy and the account page show it. */
  kept: readonly (Kept & {
    /** Where the number of a deleted account may still be found because of it. */
    tables: readonly string[]
  })[]
  /** Returns the person's data, in words and values that they can read. */
  exported(db: Db, person: Person): Promise<ExportSection[]>
  /** Locks the rows that `hindrances` reads until the transaction ends. */
  lock?(tx: Tx, person: Person): Promise<void>
  /** Why an account cannot be deleted yet. */
  hindrances?(db: Db, person: Person): Promise<Hindrance[]>
  /** Takes the person out: what must be kept is left without them. The account is locked and stands otherwise still. */
  erase(tx: Tx, person: Person): Promise<void>
  /** What is to be done elsewhere once the transaction is through. A job stands behind it. */
  followUp?(person: Person): Promise<void>
  /** Deleted accounts of which something is kept that is all from before an instant. Some, if there are many. */
  expired?(db: Db, before: Date): Promise<string[]>
  /** Forgets what is kept of a deleted account from before an instant. */
  endRetention?(tx: Tx, accountId: string, before: Date): Promise<void>
}
