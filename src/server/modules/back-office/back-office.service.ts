import type { AnswerOf, QueryOf } from '#contract/endpoints.ts'
import type { PractitionerFile } from '#contract/back-office.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Documents } from '../practitioners/documents.service.ts'
import type { FactName, Judgement, Vetting } from '../practitioners/vetting.service.ts'
import { asAdmin } from './as-admin.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  vetting: Pick<Vetting, 'list' | 'file' | 'nameOf' | 'decideProfile' | 'decideFact'>
  documents: Pick<Documents, 'find' | 'link'>
}

/** What an admin can do to a profile; each is a transition of its life cycle. */
type Action = 'approve' | 'reject' | 'suspend' | 'reinstate'

const perPage = 50

export type BackOffice = ReturnType<typeof createBackOffice>

/** Vetting, by admins alone. Whatever they do or look at is in the audit log, in the same transaction. */
export function createBackOffice({ db, clock, vetting, documents }: Dependencies) {
  return {
    /** Practitioners in a state, waiting or found by name, longest waiting first. */
    async list(
      caller: SignedIn,
      { status, waiting, search, page = 1 }: QueryOf<'GET /admin/practitioners'>,
    ): Promise<AnswerOf<'GET /admin/practitioners'>> {
      asAdmin(caller)
      const filter = { state: status, waiting: waiting === 'true', search }
      const { data, total, counts } = await vetting.list(db, filter, rangeOf(page))
      return { data, meta: { total, page, per_page: perPage, counts } }
    },

    /** @throws 404 */
    async file(caller: SignedIn, id: number): Promise<PractitionerFile> {
      asAdmin(caller)
      return found(await vetting.file(db, id))
    },

    /**
     * Approves, rejects, suspends or reinstates.
     * @throws 404; 409 `transition_refused` or `facts_missing`, with nothing changed
     */
    async decide(
      caller: SignedIn,
      id: number,
      action: Action,
      reason: string | null = null,
    ): Promise<PractitionerFile> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        await vetting.decideProfile(tx, id, action, reason)
        await insert(tx, caller, { action, subject: `practitioner ${id}`, practitioner_id: id, reason })
        return found(await vetting.file(tx, id))
      })
    },

    /** Accepts or refuses a document or licence. @throws as `decideFact` */
    async decideFact(
      caller: SignedIn,
      id: number,
      fact: FactName,
      judgement: Judgement,
    ): Promise<PractitionerFile> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const name = await vetting.decideFact(tx, id, fact, judgement)
        await insert(tx, caller, {
          action: `${judgement.decision} ${fact.kind}`,
          subject: `${name} of practitioner ${id}`,
          practitioner_id: id,
          reason: judgement.reason ?? null,
        })
        return found(await vetting.file(tx, id))
      })
    },

    /** A link to a private document, good for a minute. That it was looked at is written down. @throws 404 */
    async look(
      caller: SignedIn,
      id: number,
      documentId: string,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/documents/{document_id}/link'>> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const document = await documents.find(tx, documentId)
        if (document?.practitioner_id !== id) throw notFound('This document')
        await insert(tx, caller, {
          action: 'look at document',
          subject: `${vetting.nameOf(document.kind)} (${documentId}) of practitioner ${id}`,
          practitioner_id: id,
          reason: null,
        })
        return documents.link(tx, document)
      })
    },

    /** Writes down what an admin did elsewhere. */
    async note(tx: Tx, adminId: string, entry: { action: string; subject: string }): Promise<void> {
      await store.insertEntry(tx, { at: clock.now(), actor_id: adminId, reason: null, ...entry })
    },

    /** What admins did and looked at, newest first. */
    async audit(
      caller: SignedIn,
      { page = 1, action, actor, practitioner_id: practitionerId }: QueryOf<'GET /admin/audit'>,
    ): Promise<AnswerOf<'GET /admin/audit'>> {
      asAdmin(caller)
      const filter = { action, actor, practitionerId }
      const [rows, total, actions] = await Promise.all([
        store.readEntries(db, filter, rangeOf(page)),
        store.countEntries(db, filter),
        store.readActions(db),
      ])
      return {
        data: rows.map(({ at, first_name, last_name, email, ...entry }) => ({
          ...entry,
          at: at.toISOString(),
          actor: `${first_name} ${last_name} (${email})`,
        })),
        meta: { total, page, per_page: perPage, actions },
      }
    },
  }

  async function insert(
    tx: Tx,
    caller: SignedIn,
    entry: Omit<store.NewEntry, 'at' | 'actor_id'>,
  ): Promise<void> {
    await store.insertEntry(tx, { at: clock.now(), actor_id: caller.accountId, ...entry })
  }
}

function found(file: PractitionerFile | undefined): PractitionerFile {
  if (!file) throw notFound('This practitioner')
  return file
}

const rangeOf = (page: number) => ({ limit: perPage, offset: (page - 1) * perPage })
