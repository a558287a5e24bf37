import type {
  FactKind,
  PractitionerFile,
  PractitionerState,
  QueueEntry,
} from '#contract/back-office/back-office.ts'
import { dayInLondon, days, later } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { fail, invalidField, notFound } from '../../../errors.ts'
import { attempt } from '../../../jobs/attempt.ts'
import type { Mails, OutgoingMail } from '../../mails/mails.service.ts'
import { setRemoved } from '../documents/documents.store.ts'
import { listWithEndedProfession, matchProviderTypes } from '../onboarding/onboarding.store.ts'
import { isListed, type Transition } from '../practitioners.rules.ts'
import type { Practitioners } from '../practitioners.service.ts'
import type { Suspension } from '../practitioners.standing.ts'
import { readOverview } from '../practitioners.store.ts'
import { lockState } from '../standing.store.ts'
import {
  type LetterFacts,
  type VettingMailKind,
  letterKinds,
  stateOfLetter,
  vettingMail,
} from './vetting.mails.ts'
import { toQueueEntry, toVettingFile } from './vetting.mapper.ts'
import {
  areRenewed,
  type FactDecision,
  factName,
  factTransitions,
  isSameLicence,
  isSpareLicence,
  reminderDays,
  reminderDue,
  vettedStates,
} from './vetting.rules.ts'
import { requireShown, requireStatusShown, type ShownFact } from './shown-fact.ts'
import * as expiry from './expiry.store.ts'
import * as store from './vetting.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'events' | 'log' | 'publicUrl'> & {
  mails: Mails
  practitioners: Pick<Practitioners, 'changeState' | 'suspend' | 'close'>
}

/** A document or a licence of a practitioner. */
export type FactName = { kind: 'document'; id: string } | { kind: 'licence'; id: number }
export type Judgement = {
  decision: FactDecision
  /** Where it is refused, for its owner; where it is reopened, for the audit log alone. */
  reason?: string
  /** Where it is accepted: the last good day; null for none, what is known when absent. */
  expiresOn?: string | null | undefined
  /** Where it is accepted: what it was compared with. */
  shown?: ShownFact | undefined
}

type ProfileDecision = Exclude<Transition, 'submit' | 'suspend' | 'close'>
/** `shown`: since when the profile had its status, by what was read of it. */
type StatusShown = { shown?: string | undefined }
type Decided = StatusShown & { decision: ProfileDecision; reason: string | null }
const letterOf = {
  approve: 'approved',
  reject: 'rejected',
  reinstate: 'reinstated',
} as const satisfies Record<ProfileDecision, VettingMailKind>

/** What ran out longer ago is not reminded of any more. */
const forgottenAfter = days(60)

export type Vetting = ReturnType<typeof createVetting>

/** Deciding on profiles and on the facts that they stand on, and seeing to it that the facts hold. */
export function createVetting({ db, clock, log, mails, events, practitioners, publicUrl }: Dependencies) {
  for (const kind of letterKinds) {
    mails.template<LetterFacts>(`vetting.${kind}`, {
      load: (tx, mail) => load(tx, kind, mail),
      deleteAfter: days(3),
    })
  }

  return {
    file,

    /** What a document is called: 'DBS certificate'. */
    nameOf: (kind: FactKind) => factName(kind, null),

    /** A page of practitioners, longest waiting first, how many there are like them, and counts of all. */
    async list(
      handle: Db,
      filter: { state?: PractitionerState | undefined; waiting: boolean; search?: string | undefined },
      range: { limit: number; offset: number },
    ): Promise<{
      data: QueueEntry[]
      total: number
      counts: Record<PractitionerState | 'waiting', number>
    }> {
      const now = clock.now()
      const rows = await store.readQueue(handle, filter, range)
      return {
        data: rows.map((row) => toQueueEntry(row, now)),
        total: await store.countQueue(handle, filter),
        counts: await store.countByState(handle),
      }
    },

    /**
     * Approves, rejects or reinstates a practitioner, and mails them.
     * @throws 404; 409 `transition_refused`, `changed_elsewhere`, `facts_missing` with sentences; nothing is changed then
     */
    async decideProfile(tx: Tx, id: number, { decision, reason, shown }: Decided): Promise<void> {
      await requireStatusShown(tx, id, shown)
      await practitioners.changeState(tx, id, decision, reason)
      if (decision === 'approve') {
        const { missing } = await fileOrThrow(tx, id)
        if (missing.length > 0) {
          throw fail('facts_missing', `This profile cannot be approved yet. ${missing.join(' ')}`, {
            details: { missing },
          })
        }
        await matchProviderTypes(tx, id, dayInLondon(clock.now()))
        await events.announce(tx, 'practitioner.changed', { practitionerId: id })
      }
      await write(tx, id, { kind: letterOf[decision], reason })
    },

    /**
     * Suspends a practitioner, and mails them.
     * @param hadSessions whether there are sessions ahead, about which the mail has a word then
     * @throws as `suspend` of practitioners; 409 `changed_elsewhere`, with nothing changed
     */
    async suspend(
      tx: Tx,
      id: number,
      { shown, ...suspension }: Suspension & StatusShown,
      hadSessions: boolean,
    ): Promise<void> {
      await requireStatusShown(tx, id, shown)
      await practitioners.suspend(tx, id, suspension)
      await write(tx, id, { kind: 'suspended', reason: suspension.reason, had_sessions: hadSessions })
    },

    /** Closes the profile for good, and mails the practitioner. @throws as `close` of practitioners, and as `suspend` */
    async close(
      tx: Tx,
      id: number,
      { reason, shown }: { reason: string } & StatusShown,
      hadSessions: boolean,
    ): Promise<void> {
      await requireStatusShown(tx, id, shown)
      await practitioners.close(tx, id, reason)
      await write(tx, id, { kind: 'closed', reason, had_sessions: hadSessions })
    },

    /** The accepted facts with which the vetting of each practitioner ends, and whether newer ones wait in their place. */
    async factsEnding(
      handle: Db,
      ids: number[],
    ): Promise<Map<number, { facts: { name: string; expires_on: string }[]; isWaiting: boolean }>> {
      const rows = ids.length === 0 ? [] : await expiry.readEnding(handle, ids)
      return new Map(
        rows.map(({ practitioner_id, facts }) => [
          practitioner_id,
          {
            facts: facts.map(({ kind, licence, expires_on }) => ({
              name: factName(kind, licence),
              expires_on,
            })),
            isWaiting: areRenewed(facts),
          },
        ]),
      )
    },

    /**
     * Accepts or refuses a waiting document or licence, and mails the practitioner; or reopens an accepted one. Returns its name.
     * @throws 404; 409 `transition_refused` by its state or that of the profile; 422 under `expires_on`; nothing is changed then
     */
    async decideFact(tx: Tx, id: number, fact: FactName, judgement: Judgement): Promise<string> {
      const state = await lockState(tx, id)
      const found = state && (await find(tx, id, fact))
      if (!state || !found) throw notFound('This document or licence')
      const { decision } = judgement
      const { from, to } = factTransitions[decision]
      const reason = decision === 'refuse' ? (judgement.reason ?? null) : null
      if (!vettedStates.includes(state) || found.state !== from) {
        throw fail('transition_refused', 'This has already been decided, or has not been submitted.', {
          details: { status: found.state },
        })
      }
      await requireShown(tx, id, found, judgement.shown)
      if (decision === 'reopen') await requireReopenable(tx, id, state, found)
      const expiresOn =
        decision === 'refuse' || judgement.expiresOn === undefined ? found.expires_on : judgement.expiresOn
      if (decision === 'accept' && found.kind === 'insurance_certificate' && !expiresOn) {
        throw invalidField('expires_on', 'Enter the last day of the insurance. It is on the certificate.')
      }
      if (decision === 'accept' && expiresOn && expiresOn < dayInLondon(clock.now())) {
        throw invalidField('expires_on', 'This day has passed: an expired document cannot be accepted.')
      }
      const change = { from, state: to, reason, expires_on: expiresOn }
      if (fact.kind === 'licence') {
        if (decision !== 'refuse') await store.deleteSameLicences(tx, id, fact.id)
        await store.decideLicence(tx, id, fact.id, change)
        await matchProviderTypes(tx, id, dayInLondon(clock.now()))
      } else {
        if (decision === 'accept') await putAway(tx, id, found.kind)
        await store.decideDocument(tx, id, fact.id, {
          ...change,
          decided_at: decision === 'reopen' ? null : clock.now(),
        })
      }
      await store.updateVettedUntil(tx, id)
      await events.announce(tx, 'practitioner.vetting-changed', { practitionerId: id })
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
      // While a profile is looked at for the first time, its approval says that all was well.
      if (decision === 'refuse' || state !== 'submitted') {
        const kind = decision === 'accept' ? 'fact_accepted' : 'fact_refused'
        await write(tx, id, {
          kind,
          fact: found.name,
          fact_kind: found.kind,
          reason,
          expires_on: decision === 'accept' ? expiresOn : null,
        })
      }
      return found.name
    },

    /**
     * Asks the practitioner once for captions or a transcript of their video. Returns whether it is the first time.
     * @throws 404; 409 `transition_refused` for a closed profile, without a video, or if it has one of them
     */
    async askForCaptions(tx: Tx, id: number): Promise<boolean> {
      if (!(await lockState(tx, id))) throw notFound('This practitioner')
      const { status, video } = await fileOrThrow(tx, id)
      if (status === 'closed') throw fail('transition_refused', 'This profile is closed.')
      if (!video || video.captions !== null || video.transcript !== null) {
        throw fail(
          'transition_refused',
          video ? 'This video has captions or a transcript already.' : 'There is no video on this profile.',
        )
      }
      if (video.asked_at !== null) return false
      await store.setCaptionsAsked(tx, id, clock.now())
      await write(tx, id, { kind: 'captions_asked' })
      return true
    },

    /** Lists no practitioner under a profession whose last licence has ended, while one of another holds. */
    async dropEndedProfessions(): Promise<void> {
      const today = dayInLondon(clock.now())
      for (const id of await listWithEndedProfession(db, today)) {
        await attempt(log, 'dropping an ended profession', () =>
          inTransaction(db, async (tx) => {
            await lockState(tx, id)
            await matchProviderTypes(tx, id, today)
            await events.announce(tx, 'practitioner.changed', { practitionerId: id })
          }),
        )
      }
    },

    /** Writes to those whose facts run out, once for each reminder. What has run out hides by itself. */
    async remind(): Promise<void> {
      const now = clock.now()
      const today = dayInLondon(now)
      const until = dayInLondon(later(now, days(reminderDays[0])))
      const since = dayInLondon(later(now, -forgottenAfter))
      for (const row of await expiry.readExpiring(db, { since, until, today })) {
        const due = reminderDue(row.expires_on, today)
        if (due === undefined) continue
        await attempt(log, 'reminding of what runs out', () =>
          inTransaction(db, async (tx) => {
            const { practitioner_id, fact_id, expires_on } = row
            const reminder = { practitioner_id, fact_id, expires_on, days_before: due, sent_at: now }
            if (!(await expiry.noteReminder(tx, reminder))) return
            await write(tx, practitioner_id, {
              kind: due === 0 ? 'expired' : 'expires_soon',
              fact: factName(row.kind, row.licence),
              fact_kind: row.kind,
              fact_id,
              expires_on,
            })
          }),
        )
      }
    },
  }

  async function file(handle: Db, id: number): Promise<PractitionerFile | undefined> {
    const overview = await readOverview(handle, id)
    const vetting = overview && (await store.readVetting(handle, id))
    if (!overview || !vetting) return undefined
    const documents = await store.readVettedDocuments(handle, id)
    const licences = await store.readVettedLicences(handle, id)
    return toVettingFile({ overview, vetting, documents, licences }, clock.now())
  }

  async function fileOrThrow(handle: Db, id: number): Promise<PractitionerFile> {
    const found = await file(handle, id)
    if (!found) throw notFound('This practitioner')
    return found
  }

  async function find(tx: Tx, id: number, fact: FactName) {
    if (fact.kind === 'document') {
      const row = (await store.readVettedDocuments(tx, id)).find((document) => document.id === fact.id)
      return row && { ...row, name: factName(row.kind, null) }
    }
    const row = (await store.readVettedLicences(tx, id)).find((licence) => licence.id === fact.id)
    return (
      row && {
        ...row,
        kind: 'licence' as const,
        name: factName('licence', `${row.body} ${row.license_number}`),
      }
    )
  }

  /** @throws 409 `transition_refused` once the profile is decided, and where a newer document or the renewal of a licence waits */
  async function requireReopenable(
    tx: Tx,
    id: number,
    state: PractitionerState,
    fact: NonNullable<Awaited<ReturnType<typeof find>>>,
  ): Promise<void> {
    const facts =
      fact.kind === 'licence'
        ? (await store.readVettedLicences(tx, id)).filter((each) => isSameLicence(each, fact))
        : (await store.readVettedDocuments(tx, id)).filter((each) => each.kind === fact.kind)
    const isNewerWaiting = facts.some((each) => each.state === 'waiting')
    if (state === 'submitted' && !isNewerWaiting) return
    throw fail(
      'transition_refused',
      isNewerWaiting
        ? 'A newer one is waiting for your decision.'
        : 'The profile has been decided. What was accepted for it stays.',
    )
  }

  /** What an accepted document takes the place of. */
  async function putAway(tx: Tx, id: number, kind: FactKind): Promise<void> {
    if (kind === 'licence') return
    for (const fileId of await store.replaceDecided(tx, id, kind)) await setRemoved(tx, fileId, clock.now())
  }

  /** Enqueues a mail to the practitioner. */
  async function write(
    tx: Tx,
    practitionerId: number,
    { kind, ...data }: LetterFacts & { kind: VettingMailKind },
  ): Promise<void> {
    const recipient = await store.findRecipient(tx, practitionerId)
    await mails.enqueue(tx, {
      template: `vetting.${kind}`,
      about: { type: 'practitioner', id: String(practitionerId) },
      recipient: 'practitioner',
      accountId: recipient?.account_id ?? null,
      data,
    })
  }

  async function load(tx: Tx, kind: VettingMailKind, { subject_id, data }: OutgoingMail<LetterFacts>) {
    const id = Number(subject_id)
    const to = await store.findRecipient(tx, id)
    if (!to || (stateOfLetter[kind] ?? to.state) !== to.state) return 'obsolete'
    const now = clock.now()
    const today = dayInLondon(now)
    const { fact_id: factId, expires_on: day } = data
    const expiring = factId && day ? await expiry.findExpiring(tx, { id, factId, day, today }) : null
    // Of a day that has passed, another letter says so.
    if (expiring === undefined || (kind === 'expires_soon' && day && day < today)) return 'obsolete'
    const isSpare =
      data.fact_kind === 'licence' &&
      data.expires_on != null &&
      isSpareLicence(data.expires_on, await store.readVettedLicences(tx, id), today)
    return vettingMail(
      {
        kind,
        email: to.email,
        firstName: to.first_name,
        verified: to.email_verified_at !== null,
        fact: data.fact ?? null,
        factKind: data.fact_kind ?? null,
        reason: data.reason ?? null,
        expiresOn: data.expires_on ?? null,
        hadSessions: data.had_sessions ?? true,
        isListed: isListed(to, now),
        isSpare,
        isRenewed: expiring?.is_renewed ?? false,
        isOut: to.vetted_until !== null && to.vetted_until <= now,
      },
      publicUrl,
    )
  }
}
