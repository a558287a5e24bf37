import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type { PractitionerAhead, PractitionerFile } from '#contract/back-office/back-office.ts'
import type { Clock } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Dispatch } from '../get-help/get-help.dispatch.ts'
import type { Documents } from '../practitioners/documents/documents.service.ts'
import type { PractitionerAccount } from '../practitioners/practitioner-account.ts'
import type { FactName, Judgement, Vetting } from '../practitioners/vetting/vetting.service.ts'
import type { SeriesOfSessions } from '../series/series.sessions.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import { cappedMetaOf, metaOf, rangeOf } from './paging.ts'
import { chainStanding } from './audit-chain.service.ts'
import * as store from './back-office.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  vetting: Pick<
    Vetting,
    'list' | 'file' | 'nameOf' | 'decideProfile' | 'decideFact' | 'askForCaptions' | 'suspend' | 'close'
  >
  freezes: Pick<Freezes, 'ahead' | 'carryOut' | 'outcome'>
  dispatch: Pick<Dispatch, 'countLiveOf'>
  seriesOfSessions: Pick<SeriesOfSessions, 'of'>
  documents: Pick<Documents, 'find' | 'link'>
  practitionerAccount: Pick<PractitionerAccount, 'renameFor'>
}

/** What an admin can do to a profile; each is a transition of its life cycle. */
type Action = 'approve' | 'reject' | 'reinstate'

/** An admin, or the name of an actor without an account. */
export type Actor = { accountId: string } | { operator: string }

const perPage = 50

/** Writes an audit entry for an act outside the back office. */
export function noting(clock: Clock) {
  return async (tx: Tx, actor: Actor, entry: { action: string; subject: string }): Promise<void> => {
    const by =
      'accountId' in actor ? { actor_id: actor.accountId } : { actor_id: null, actor_name: actor.operator }
    await store.insertEntry(tx, { at: clock.now(), ...by, ...entry })
  }
}

export type BackOffice = ReturnType<typeof createBackOffice>

/**
 * Vetting, suspension and closing of practitioners, and the audit log, by admins alone. Every act and every look writes an
 * audit entry in the same transaction.
 */
export function createBackOffice({
  db,
  clock,
  vetting,
  practitionerAccount,
  documents,
  freezes,
  dispatch,
  seriesOfSessions,
}: Dependencies) {
  const audit = createAudit({ clock })

  return {
    /** Lists practitioners by state, by waiting or by name, the longest waiting first. */
    async list(
      caller: SignedIn,
      { status, waiting, search, page = 1 }: QueryOf<'GET /admin/practitioners'>,
    ): Promise<AnswerOf<'GET /admin/practitioners'>> {
      asAdmin(caller)
      const filter = { state: status, waiting: waiting === 'true', search }
      const { data, total, counts } = await vetting.list(db, filter, rangeOf(page, perPage))
      return { data, meta: { ...metaOf(total, page, perPage), counts } }
    },

    /** @throws 404 */
    async file(caller: SignedIn, id: number): Promise<PractitionerFile> {
      asAdmin(caller)
      return found(await vetting.file(db, id))
    },

    /**
     * Approves, rejects or reinstates.
     * @param shown since when the profile had its status, by what the admin has read
     * @throws 404; 409 `transition_refused`, `changed_elsewhere` or `facts_missing`, with nothing changed
     */
    async decide(
      caller: SignedIn,
      id: number,
      {
        action,
        reason = null,
        status_since: shown,
      }: { action: Action; reason?: string | null; status_since?: string | undefined },
    ): Promise<PractitionerFile> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        await vetting.decideProfile(tx, id, { decision: action, reason, shown })
        await audit(tx, caller, { action, subject: `practitioner ${id}`, practitioner_id: id, reason })
        return found(await vetting.file(tx, id))
      })
    },

    /** What a suspension would touch. @throws 404 */
    async ahead(caller: SignedIn, id: number): Promise<PractitionerAhead> {
      asAdmin(caller)
      found(await vetting.file(db, id))
      const ahead = await freezes.ahead(db, id)
      const series = await seriesOfSessions.of(
        db,
        ahead.sessions.map((session) => session.appointment_id),
      )
      const sessions = ahead.sessions.map((session) => ({
        ...session,
        series: series.get(session.appointment_id) ?? null,
      }))
      return { ...ahead, sessions, offers: await dispatch.countLiveOf(db, id) }
    },

    /**
     * Suspends a practitioner. Sessions are frozen in the same transaction; those that are to be cancelled are cancelled
     * right after it, one transaction each.
     * @throws 404; 409 `transition_refused` or `changed_elsewhere`, with nothing changed
     */
    async suspend(
      caller: SignedIn,
      id: number,
      { reason, cause, sessions, status_since: shown }: BodyOf<'POST /admin/practitioners/{id}/suspend'>,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/suspend'>> {
      asAdmin(caller)
      return takeAway(caller, id, 'suspend', reason, (tx, hadSessions) =>
        vetting.suspend(tx, id, { reason, cause, sessions, shown }, hadSessions),
      )
    },

    /**
     * Closes the profile of a practitioner who left or died, for good. Sessions are cancelled as with `suspend`.
     * @throws 404; 409 `transition_refused` or `changed_elsewhere`, with nothing changed
     */
    async close(
      caller: SignedIn,
      id: number,
      { reason, status_since: shown }: BodyOf<'POST /admin/practitioners/{id}/close'>,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/close'>> {
      asAdmin(caller)
      return takeAway(caller, id, 'close', reason, (tx, hadSessions) =>
        vetting.close(tx, id, { reason, shown }, hadSessions),
      )
    },

    /** Changes the name of a practitioner. Repeating it changes nothing. @throws as `renameFor` */
    async rename(
      caller: SignedIn,
      id: number,
      { reason, ...name }: BodyOf<'POST /admin/practitioners/{id}/rename'>,
    ): Promise<PractitionerFile> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        if (await practitionerAccount.renameFor(tx, id, name)) {
          const subject = `practitioner ${id}`
          await audit(tx, caller, { action: 'rename', subject, practitioner_id: id, reason })
        }
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
        await audit(tx, caller, {
          action: `${judgement.decision} ${fact.kind}`,
          subject: `${name} of practitioner ${id}`,
          practitioner_id: id,
          reason: judgement.reason ?? null,
        })
        return found(await vetting.file(tx, id))
      })
    },

    /** Asks for captions or a transcript of the video. Repeating it changes nothing. @throws as `askForCaptions` of vetting */
    async askForCaptions(caller: SignedIn, id: number): Promise<PractitionerFile> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        if (await vetting.askForCaptions(tx, id)) {
          await audit(tx, caller, {
            action: 'ask for captions',
            subject: `video of practitioner ${id}`,
            practitioner_id: id,
          })
        }
        return found(await vetting.file(tx, id))
      })
    },

    /** Returns a link to a private document, valid for a minute, and writes an audit entry. @throws 404 */
    async look(
      caller: SignedIn,
      id: number,
      documentId: string,
    ): Promise<AnswerOf<'POST /admin/practitioners/{id}/documents/{document_id}/link'>> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const document = await documents.find(tx, documentId)
        if (document?.practitioner_id !== id) throw notFound('This document')
        await audit(tx, caller, {
          action: 'look at document',
          subject: `${vetting.nameOf(document.kind)} (${documentId}) of practitioner ${id}`,
          practitioner_id: id,
        })
        return documents.link(tx, document)
      })
    },

    /** Writes an audit entry for an act of an admin elsewhere, or of the operator on the server. */
    note: noting(clock),

    /** Lists the audit log, newest first. */
    async audit(
      caller: SignedIn,
      { page = 1, action, actor, practitioner_id: practitionerId }: QueryOf<'GET /admin/audit'>,
    ): Promise<AnswerOf<'GET /admin/audit'>> {
      asAdmin(caller)
      const filter = { action, actor, practitionerId }
      const [rows, count, actions, chain] = await Promise.all([
        store.readEntries(db, filter, rangeOf(page, perPage)),
        store.countEntries(db, filter),
        store.readActions(db),
        chainStanding(db),
      ])
      return {
        data: rows.map(({ at, actor_name, first_name, last_name, email, ...entry }) => ({
          ...entry,
          at: at.toISOString(),
          actor: actor_name ?? `${first_name} ${last_name} (${email})`,
        })),
        meta: { ...cappedMetaOf(count, page, perPage), actions, chain },
      }
    },
  }

  /** Notes that a profile is no longer open to clients, for a reason, and cancels the sessions that end with it. */
  async function takeAway(
    caller: SignedIn,
    id: number,
    action: 'suspend' | 'close',
    reason: string,
    change: (tx: Tx, hadSessions: boolean) => Promise<unknown>,
  ): Promise<PractitionerFile & { sessions: Awaited<ReturnType<typeof freezes.outcome>> }> {
    const at = await inTransaction(db, async (tx) => {
      const now = clock.now()
      const { total } = await freezes.ahead(tx, id)
      await change(tx, total > 0)
      await audit(tx, caller, { action, subject: `practitioner ${id}`, practitioner_id: id, reason })
      return now
    })
    await freezes.carryOut(id)
    return { ...found(await vetting.file(db, id)), sessions: await freezes.outcome(db, id, at) }
  }
}

function found(file: PractitionerFile | undefined): PractitionerFile {
  if (!file) throw notFound('This practitioner')
  return file
}
