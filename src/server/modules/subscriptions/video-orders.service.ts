import type { BodyOf } from '#contract/endpoints.ts'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import type { VideoProduction } from '#contract/subscriptions/subscriptions.ts'
import type { VideoUndo } from '#contract/subscriptions/video-orders.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import type { ReceivedFile } from '../../uploads/received-file.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import type { Documents } from '../practitioners/documents/documents.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { requireOpen } from './closed-orders.ts'
import { toVideoOrder } from './subscriptions.mapper.ts'
import * as orders from './subscriptions.store.ts'
import type { Videos } from './subscriptions.video.ts'
import { videoMail } from './video-orders.mails.ts'
import {
  canPropose,
  canStep,
  isRepeated,
  isToAdmin,
  lastStep,
  problemOfDates,
  stateOf,
  type VideoCourse,
  type VideoMailKind,
  type VideoStep,
  type VideoStepKind,
  versionOf,
  videoUndoIn,
  waitingUpload,
} from './video-orders.rules.ts'
import * as store from './video-orders.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & {
  mails: Mails
  adminMails: AdminMails
  accounts: Pick<Accounts, 'person'>
  practitioners: Pick<Practitioners, 'requireOwn' | 'accountOf' | 'closingOf' | 'lock'>
  documents: Pick<Documents, 'keepPrivateVideo' | 'setReady' | 'discard' | 'linkToVideo' | 'publishVideo'>
  videos: Pick<Videos, 'production'>
}

/** Mails about each step. */
const mailsOf: Record<VideoStepKind, readonly VideoMailKind[]> = {
  propose: ['video_dates'],
  take_date: ['video_date_agreed', 'video_date_agreed_office'],
  ask_dates: ['video_dates_asked'],
  upload: ['video_ready'],
  ask_change: ['video_change_asked'],
  approve: ['video_approved', 'video_approved_office'],
}

type Content = Partial<Pick<VideoStep, 'dates' | 'date' | 'note' | 'file_id'>>

export type VideoOrders = ReturnType<typeof createVideoOrders>

/** The course of a video order: date of the call, video, approval. `createVideos` handles the payment. */
export function createVideoOrders(deps: Dependencies) {
  const { db, clock, mails, adminMails, accounts, practitioners, documents, videos, publicUrl } = deps

  for (const kind of [...new Set(Object.values(mailsOf).flat()), 'video_taken_back'] as const) {
    if (isToAdmin(kind))
      adminMails.template(`subscription.${kind}`, (tx, mail, to) => load(tx, kind, mail, to), 'video')
    else
      mails.template(`subscription.${kind}`, {
        idPrefix: 'video',
        load: (tx, mail) => load(tx, kind, mail, ''),
      })
  }

  return {
    /** @throws 422 for a date that is not proposed or has passed; 409 `changed_elsewhere`, `transition_refused` */
    async takeDate(
      caller: SignedIn,
      { date: sent, version }: BodyOf<'POST /therapist/video-production/take-date'>,
    ): Promise<VideoProduction> {
      const me = await practitioners.requireOwn(db, caller)
      const date = new Date(sent)
      await inTransaction(db, async (tx) => {
        const course = await lockCourse(tx, me.id)
        if (isRepeated(course, 'take_date', { date })) return
        assertCurrent(course, version)
        assertStep(course, 'take_date')
        if (!lastStep(course)?.dates.some((each) => each.getTime() === date.getTime())) {
          throw invalidField('date', 'Choose one of the dates we propose.')
        }
        if (date <= clock.now()) {
          throw invalidField('date', 'This date has passed. Choose another one, or ask for other dates.')
        }
        await addStep(tx, me.id, course, 'take_date', { date })
      })
      return videos.production(caller)
    },

    /** @throws 409 `changed_elsewhere`, `transition_refused` */
    askDates: (caller: SignedIn, body: BodyOf<'POST /therapist/video-production/ask-dates'>) =>
      ask(caller, 'ask_dates', body),

    /** @throws 409 `changed_elsewhere`, `transition_refused` */
    askChange: (caller: SignedIn, body: BodyOf<'POST /therapist/video-production/ask-change'>) =>
      ask(caller, 'ask_change', body),

    /** Puts the video on the profile. @throws 409 `changed_elsewhere`, `transition_refused`; 404 if its file is gone */
    async approve(
      caller: SignedIn,
      { version }: BodyOf<'POST /therapist/video-production/approve'>,
    ): Promise<VideoProduction> {
      const me = await practitioners.requireOwn(db, caller)
      const before = await courseOf(db, me.id)
      if (stateOf(before) !== 'approved') {
        assertCurrent(before, version)
        assertStep(before, 'approve')
        try {
          await documents.publishVideo(caller, fileOf(before), async (tx) => {
            const course = await lockCourse(tx, me.id)
            assertCurrent(course, version)
            assertStep(course, 'approve')
            await addStep(tx, me.id, course, 'approve')
            await store.setDone(tx, me.id, clock.now())
            for (const { file_id } of course.steps) if (file_id) await documents.discard(tx, file_id)
          })
        } catch (error) {
          // A concurrent identical approval has succeeded.
          if (stateOf(await courseOf(db, me.id)) !== 'approved') throw error
        }
      }
      return videos.production(caller)
    },

    /** A link to the video that waits for the caller's approval. @throws 404 */
    async linkFor(caller: SignedIn) {
      const me = await practitioners.requireOwn(db, caller)
      return documents.linkToVideo(fileOf(await courseOf(db, me.id)))
    },

    // For the back office --------------------------------------------------------------------------------------------

    async orders(handle: Db, status: 'open' | 'done', range: { limit: number; offset: number }) {
      const rows = await orders.listVideoOrders(handle, status, range)
      const courses = await store.readCourses(
        handle,
        rows.map((row) => row.practitioner_id),
      )
      const now = clock.now()
      const data = rows.flatMap((row) => {
        const course = courses.get(row.practitioner_id)
        return course ? [toVideoOrder(row, course, now)] : []
      })
      return { data, total: await orders.countVideoOrders(handle, status) }
    },

    /** Marks a video as made. Returns whether that is new. @throws 404 where none is ordered; 409 `changed_elsewhere` */
    async finish(
      tx: Tx,
      practitionerId: number,
      version: number | undefined,
    ): Promise<{ order: VideoOrder; isNew: boolean }> {
      const course = await lockCourse(tx, practitionerId)
      const isNew = course.done_at === null
      if (isNew && version !== undefined) assertCurrent(course, version)
      if (isNew) await store.setDone(tx, practitionerId, clock.now())
      return { order: await orderOf(tx, practitionerId), isNew }
    },

    /** @throws 422; 404; 409 `changed_elsewhere`, `transition_refused` */
    async propose(
      tx: Tx,
      practitionerId: number,
      { dates: sent, version }: BodyOf<'POST /admin/video-orders/{id}/dates'>,
    ): Promise<{ order: VideoOrder; isNew: boolean }> {
      const dates = sent.map((date) => new Date(date)).toSorted((a, b) => a.getTime() - b.getTime())
      const course = await lockCourse(tx, practitionerId)
      const isNew = !isRepeated(course, 'propose', { dates })
      if (isNew) {
        await requireOpen(practitioners, tx, practitionerId)
        assertCurrent(course, version)
        assertStep(course, 'propose')
        if (!canPropose(course, clock.now())) {
          throw refused(
            course,
            'propose',
            'These dates can still be taken. Take them back before you propose others.',
          )
        }
        const problem = problemOfDates(dates, clock.now())
        if (problem) throw invalidField('dates', problem)
        await addStep(tx, practitionerId, course, 'propose', { dates })
      }
      return { order: await orderOf(tx, practitionerId), isNew }
    },

    /**
     * Stores the video for the practitioner's approval. `alsoWrite` runs in the same transaction. After an error no
     * file is left.
     * @throws 404; 409 `changed_elsewhere`, `transition_refused`; as `Documents.uploadVideo`
     */
    async upload(
      practitionerId: number,
      file: ReceivedFile,
      alsoWrite: (tx: Tx) => Promise<void>,
    ): Promise<VideoOrder> {
      const version = versionSent(file)
      const check = (course: VideoCourse) => {
        assertCurrent(course, version)
        assertStep(course, 'upload')
      }
      // Checked before the file is scanned and stored.
      check(await courseOf(db, practitionerId))
      await requireOpen(practitioners, db, practitionerId)
      const accountId = await practitioners.accountOf(db, practitionerId)
      if (!accountId) throw notFound('This order')
      return documents.keepPrivateVideo(accountId, file, (fileId) =>
        inTransaction(db, async (tx) => {
          const course = await lockCourse(tx, practitionerId)
          check(course)
          await requireOpen(practitioners, tx, practitionerId)
          await documents.setReady(tx, fileId)
          await addStep(tx, practitionerId, course, 'upload', { file_id: fileId })
          await alsoWrite(tx)
          return orderOf(tx, practitionerId)
        }),
      )
    },

    /** Undoes the back office's last step. @throws 404; 409 `changed_elsewhere`, `transition_refused` */
    async undo(
      tx: Tx,
      practitionerId: number,
      { undo, version }: BodyOf<'POST /admin/video-orders/{id}/undo'>,
    ): Promise<VideoOrder> {
      const course = await lockCourse(tx, practitionerId)
      assertCurrent(course, version)
      const last = lastStep(course)
      if (videoUndoIn[stateOf(course)] !== undo) {
        throw refused(course, `undo ${undo}`, undoRefusals[undo])
      }
      if (undo === 'done') await store.setDone(tx, practitionerId, null)
      else if (last) await undoStep(tx, practitionerId, last)
      return orderOf(tx, practitionerId)
    },

    /** A link to the video that waits for approval. @throws 404 */
    async linkForAdmin(practitionerId: number) {
      return documents.linkToVideo(fileOf(await courseOf(db, practitionerId)))
    },
  }

  async function ask(
    caller: SignedIn,
    kind: 'ask_dates' | 'ask_change',
    { note, version }: { note: string; version: number },
  ): Promise<VideoProduction> {
    const me = await practitioners.requireOwn(db, caller)
    await inTransaction(db, async (tx) => {
      const course = await lockCourse(tx, me.id)
      if (isRepeated(course, kind, { note })) return
      assertCurrent(course, version)
      assertStep(course, kind)
      await addStep(tx, me.id, course, kind, { note })
    })
    return videos.production(caller)
  }

  async function addStep(
    tx: Tx,
    practitionerId: number,
    course: VideoCourse,
    kind: VideoStepKind,
    content: Content = {},
  ): Promise<void> {
    const number = course.steps.length + 1
    await store.insertStep(tx, practitionerId, { number, kind, at: clock.now(), ...content })
    for (const mail of mailsOf[kind]) await note(tx, practitionerId, mail, number)
  }

  /** Undoes a step. The practitioner is notified only if the mail about the step was sent or claimed. */
  async function undoStep(tx: Tx, practitionerId: number, step: VideoStep): Promise<void> {
    const now = clock.now()
    await store.setUndone(tx, practitionerId, step.number, now)
    if (step.file_id) await documents.discard(tx, step.file_id)
    const kinds = mailsOf[step.kind].map((kind) => `subscription.${kind}`)
    const withdrawn = await mails.withdraw(tx, orderOfVideo(practitionerId), kinds, step.number)
    if (withdrawn < kinds.length) await note(tx, practitionerId, 'video_taken_back', step.number)
  }

  /** The course of an order, locked until the transaction ends. @throws 404 where none is ordered */
  async function lockCourse(tx: Tx, practitionerId: number): Promise<VideoCourse> {
    await practitioners.lock(tx, practitionerId)
    return courseOf(tx, practitionerId)
  }

  async function courseOf(handle: Db, practitionerId: number): Promise<VideoCourse> {
    const course = (await store.readCourses(handle, [practitionerId])).get(practitionerId)
    if (!course) throw notFound('This order')
    return course
  }

  async function orderOf(handle: Db, practitionerId: number): Promise<VideoOrder> {
    const row = await orders.findVideoOrder(handle, practitionerId)
    if (!row) throw notFound('This order')
    return toVideoOrder(row, await courseOf(handle, practitionerId), clock.now())
  }

  /** Enqueues a mail about a step, to the back office or to the practitioner. */
  async function note(tx: Tx, practitionerId: number, kind: VideoMailKind, step: number): Promise<void> {
    const mail = {
      template: `subscription.${kind}`,
      about: orderOfVideo(practitionerId),
      sequence: step,
      dedupeKey: `subscription.${kind} ${practitionerId} ${step}`,
    }
    if (isToAdmin(kind)) return adminMails.enqueue(tx, mail)
    const accountId = await practitioners.accountOf(tx, practitionerId)
    await mails.enqueue(tx, { ...mail, recipient: 'practitioner', accountId })
  }

  async function load(
    tx: Tx,
    kind: VideoMailKind,
    mail: OutgoingMail,
    to: string,
  ): Promise<Mail | 'obsolete'> {
    const practitionerId = Number(mail.subject_id)
    const order = await orders.findVideoOrder(tx, practitionerId)
    const course = (await store.readCourses(tx, [practitionerId])).get(practitionerId)
    const step = course?.steps.find((each) => each.number === mail.sequence)
    const accountId = await practitioners.accountOf(tx, practitionerId)
    const practitioner = accountId && (await accounts.person(tx, accountId))
    if (!order || !course || !step || !practitioner) return 'obsolete'
    const content = videoMail(
      {
        kind,
        step,
        course,
        practitioner: { id: practitionerId, timezone: order.timezone, ...practitioner },
        adminEmail: to,
      },
      publicUrl,
    )
    return content ?? 'obsolete'
  }
}

const orderOfVideo = (practitionerId: number) => ({ type: 'video-order', id: String(practitionerId) })

/** @throws 404 where no video waits for approval */
function fileOf(course: VideoCourse): string {
  const fileId = waitingUpload(course)?.file_id
  if (!fileId) throw notFound('This video')
  return fileId
}

/** @throws 409 `changed_elsewhere` */
function assertCurrent(course: VideoCourse, version: number): void {
  if (versionOf(course) !== version) {
    throw fail(
      'changed_elsewhere',
      'This order has changed since this page was loaded. Nothing you did was saved. Please look at it again.',
    )
  }
}

/** @throws 409 `transition_refused` */
function assertStep(course: VideoCourse, kind: VideoStepKind): void {
  if (!canStep(stateOf(course), kind)) throw refused(course, kind, stepRefusals[kind])
}

const stepRefusals: Record<VideoStepKind, string> = {
  propose: 'No dates can be proposed for this order as it stands.',
  take_date: 'There are no dates to choose from at the moment.',
  ask_dates: 'The date of this order cannot be changed as it stands.',
  upload: 'No video can be uploaded for this order as it stands.',
  ask_change: 'There is no video to change at the moment.',
  approve: 'There is no video to approve at the moment.',
}

const undoRefusals: Record<VideoUndo, string> = {
  proposal: 'There is no proposal that can be taken back: the practitioner may have answered it.',
  upload: 'There is no upload that can be taken back: the practitioner may have answered it.',
  done: 'This order is not marked as made.',
}

function refused(course: VideoCourse, step: string, message: string) {
  return fail('transition_refused', message, { details: { status: stateOf(course), transition: step } })
}

/** @throws 422 */
function versionSent({ fields }: ReceivedFile): number {
  if (!/^\d{1,6}$/.test(fields['version'] ?? '')) {
    throw invalidField('version', 'Send the version of the order before the file.')
  }
  return Number(fields['version'])
}
