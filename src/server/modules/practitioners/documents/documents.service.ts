import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { DocumentKind, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { dayInLondon, hours, later, seconds } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import type { Deps } from '../../../deps.ts'
import { errorName, fail, invalidField, notFound } from '../../../errors.ts'
import type { Caller, SignedIn } from '../../../http/caller.ts'
import { hashSecret } from '../../../ids.ts'
import type { ObjectStorage } from '../../../integrations/object-storage/port.ts'
import type { VirusScanner } from '../../../integrations/virus-scanner/port.ts'
import type { Inspector } from '../../../uploads/inspector.ts'
import { documentDisposition, type UploadKind } from '../../../uploads/kinds.ts'
import { drawDocument, drawPortrait } from '../../../uploads/pictures.ts'
import type { ReceivedFile } from '../../../uploads/received-file.ts'
import { cleanWebVtt } from '../../../uploads/webvtt.ts'
import { keptAfterClosing } from './closed-profiles.ts'
import * as store from './documents.store.ts'
import {
  insuranceEndFault,
  isDecisionAsked,
  type KnownVersions,
  stepOfDocument,
} from '../onboarding/onboarding.rules.ts'
import type { Onboarding } from '../onboarding/onboarding.service.ts'
import * as own from '../onboarding/onboarding.store.ts'
import { createUnusedFiles, portraitKey } from './unused-files.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'log'> & {
  storage: ObjectStorage
  inspector: Inspector
  scanner: VirusScanner | undefined
  onboarding: Pick<Onboarding, 'save' | 'idOf' | 'announceFact'>
}

/** How long a link to a private file shows it. */
export const linkLifetime = seconds(60)
/** The same for a video: players fetch it piece by piece while it is watched. */
const videoLinkLifetime = hours(1)

const extensions: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'text/vtt': 'vtt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** Videos that are not public: `/media/` knows nothing of this folder. */
const privateVideos = 'productions'

/** What is to be stored of an upload. */
type Content = { contentType: string; bytes: number; open: () => Readable }

export type Documents = ReturnType<typeof createDocuments>

/** Files that practitioners upload: public portraits and videos, and documents for their owner and admins alone. */
export function createDocuments({
  db,
  clock,
  random,
  log,
  storage,
  inspector,
  scanner,
  onboarding,
}: Dependencies) {
  const unusedFiles = createUnusedFiles({ db, clock, log, storage })

  return {
    /**
     * Stores an identity document, DBS check or insurance certificate for vetting. It replaces one that still waits. An
     * accepted one stays valid until an admin accepts the new one.
     * @throws 415, 422 `unreadable_file`, 409 `changed_elsewhere`; the file is deleted
     */
    async uploadDocument(
      caller: SignedIn,
      kind: DocumentKind,
      file: ReceivedFile,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      const id = await onboarding.idOf(db, caller)
      const expiresOn = (kind === 'insurance_certificate' && file.fields['expires_on']) || null
      const fault = expiresOn && insuranceEndFault(expiresOn, dayInLondon(clock.now()))
      if (fault) throw invalidField('expires_on', fault)
      const content = await documentContent(file)
      return storing(caller.accountId, 'documents', content, (fileId) =>
        onboarding.save(caller, [stepOfDocument[kind]], known, async (tx, _id, state) => {
          const now = clock.now()
          const before = (await store.readDocuments(tx, id)).filter((each) => each.kind === kind)
          await store.setReady(tx, fileId, now)
          await store.insertDocument(tx, {
            id: random.uuid(now),
            practitioner_id: id,
            kind,
            file_id: fileId,
            expires_on: expiresOn,
            created_at: now,
          })
          if (kind === 'insurance_certificate') await own.updateOwn(tx, id, { has_indemnity: true })
          if (isDecisionAsked(state, before)) await onboarding.announceFact(tx, id, kind)
        }),
      )
    },

    /** Renders a portrait in every size, without the metadata of the file. @throws as `uploadDocument` */
    async uploadPortrait(
      caller: SignedIn,
      file: ReceivedFile,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      const id = await onboarding.idOf(db, caller)
      await acceptedTypeOf(file.path, 'image')
      const sizes = await drawPortrait(file.path)
      const key = random.uuid(clock.now())
      await unusedFiles.expectPortrait(id, key)
      try {
        for (const [size, bytes] of sizes) await storage.put(portraitKey(key, size), Readable.from([bytes]))
        return await onboarding.save(caller, ['photo'], known, async (tx) => {
          const before = await own.readOwn(tx, id)
          if (before?.image_key) await store.insertReplacedPortrait(tx, before.image_key, id, clock.now())
          await own.updateOwn(tx, id, { image_key: key })
          await store.deleteReplacedPortrait(tx, key)
        })
      } catch (error) {
        // A commit may have been carried out without its answer. Unless that is known, the pictures stay.
        const shown = await own.readSettledImageKey(db, id).catch(() => key)
        if (shown !== key) await unusedFiles.removePortrait(key).catch(() => undefined)
        throw error
      }
    },

    /** Stores an introduction video unchanged. @throws as `uploadDocument` */
    async uploadVideo(caller: SignedIn, file: ReceivedFile, known: KnownVersions): Promise<TherapistProfile> {
      return storing(caller.accountId, 'videos', await videoContent(file), (fileId) =>
        onboarding.save(caller, ['video'], known, (tx, id) => showVideo(tx, id, fileId)),
      )
    },

    /**
     * Stores captions of the caller's uploaded introduction, cleaned of everything but times and text.
     * @throws 422 `captions` where they are not WebVTT or there is no video; as `uploadDocument`
     */
    async uploadCaptions(
      caller: SignedIn,
      file: ReceivedFile,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      return storing(caller.accountId, 'videos', await captionsContent(file), (fileId) =>
        onboarding.save(caller, ['video'], known, async (tx, id) => {
          const before = await own.readOwn(tx, id)
          if (!before?.video_file_id)
            throw invalidField('captions', 'Upload your video first, then its captions.')
          await store.setReady(tx, fileId, clock.now())
          await replaceCaptions(tx, id, before, fileId)
        }),
      )
    },

    /** Removes the captions of the caller's introduction, if there are any. @throws 409 `changed_elsewhere` */
    async removeCaptions(caller: SignedIn, known: KnownVersions): Promise<TherapistProfile> {
      return onboarding.save(caller, ['video'], known, async (tx, id) => {
        const before = await own.readOwn(tx, id)
        if (before) await replaceCaptions(tx, id, before, null)
      })
    },

    /** Creates a link to the caller's own document, valid for a minute. @throws 404 for any other document */
    async linkFor(caller: Caller, documentId: string) {
      const document = await store.findDocument(db, documentId)
      if (!document || caller.role !== 'therapist' || document.account_id !== caller.accountId) {
        throw notFound('This document')
      }
      return link(db, document)
    },

    /**
     * Opens the file of a link. Returns an address of the storage instead, valid for as long again, if the storage
     * serves files itself and `direct` is true. @throws 404 once the link has expired
     */
    async open(token: string, direct: boolean) {
      const found = await store.findLinked(db, hashSecret(token), clock.now())
      if (found && direct && storage.address) {
        const address = await storage.address(found.storage_key, {
          contentType: found.content_type,
          contentDisposition: documentDisposition(found.content_type),
          cacheControl: 'no-store',
          seconds: lifetimeOf(found.content_type) / 1000,
        })
        return { address }
      }
      const object = found && (await storage.get(found.storage_key))
      if (!object) throw notFound('This file')
      return {
        ...object,
        contentType: found.content_type,
        part: (range: { start: number; end: number }) => storage.get(found.storage_key, range),
      }
    },

    // For later modules --------------------------------------------------------------------------------------------

    /** A document with whose it is; for the back office, which writes down that it looked. */
    find: (handle: Db, documentId: string) => store.findDocument(handle, documentId),

    link,

    /**
     * Stores a video of a practitioner that is not public. `write` says what it is for, in a transaction of its own.
     * @throws as `uploadDocument`; what `write` throws, and the file is deleted
     */
    async keepPrivateVideo<T>(
      accountId: string,
      file: ReceivedFile,
      write: (fileId: string) => Promise<T>,
    ): Promise<T> {
      return storing(accountId, privateVideos, await videoContent(file), write)
    },

    /** Marks a stored file as complete, in the transaction that says what it is for. */
    setReady: (tx: Tx, fileId: string) => store.setReady(tx, fileId, clock.now()),

    /** Profiles that were closed before are emptied now. */
    closedToEmpty: () => later(clock.now(), -keptAfterClosing),

    /** Marks a file as unused; a job deletes it. */
    discard: (tx: Tx, fileId: string) => store.setRemoved(tx, fileId, clock.now()),

    /** A link to a private video, good for an hour. @throws 404 if there is no such file */
    async linkToVideo(fileId: string) {
      const file = await store.findFile(db, fileId)
      if (!file) throw notFound('This video')
      return link(db, { file_id: fileId, content_type: file.content_type })
    },

    /**
     * Copies a private video to where profiles show theirs, and puts it on the caller's profile together with `write`.
     * The video before is given up, as with an upload of their own.
     * @throws 404 if there is no such file; what `write` throws, with nothing changed
     */
    async publishVideo(caller: SignedIn, fileId: string, write: (tx: Tx) => Promise<void>): Promise<void> {
      const file = await store.findFile(db, fileId)
      const object = file && (await storage.get(file.storage_key))
      if (!object) throw notFound('This video')
      const content = { contentType: file.content_type, bytes: object.bytes, open: () => object.stream }
      try {
        await storing(caller.accountId, 'videos', content, (copyId) =>
          onboarding.save(caller, ['video'], {}, async (tx, id) => {
            await write(tx)
            await showVideo(tx, id, copyId)
          }),
        )
      } finally {
        object.stream.destroy()
      }
    },

    tidy: unusedFiles.tidy,
  }

  /** The content type of a file that may be kept. @throws as `Inspector`, 422 `harmful_file`, 503 without a scanner's verdict */
  async function acceptedTypeOf(path: string, kind: UploadKind): Promise<string> {
    const contentType = await inspector.contentTypeOf(path, kind)
    await assertHarmless(path)
    return contentType
  }

  /** @throws 422 `harmful_file`, 503 without a scanner's verdict */
  async function assertHarmless(path: string): Promise<void> {
    const isInfected = await scanner?.isInfected(path).catch((error: unknown) => {
      log.error({ err: { name: errorName(error) } }, 'virus scanner')
      throw fail(
        'unavailable',
        'We cannot check files for viruses at the moment. Please try again in a few minutes.',
        {
          retryAfter: 60,
        },
      )
    })
    if (isInfected) {
      throw fail(
        'harmful_file',
        'Our virus check found something harmful in this file, so we have not kept it. Please check your device, and send another copy.',
      )
    }
  }

  async function videoContent(file: ReceivedFile): Promise<Content> {
    const contentType = await acceptedTypeOf(file.path, 'video')
    return { contentType, bytes: file.bytes, open: () => createReadStream(file.path) }
  }

  /** Captions as they are to be shown. @throws 422 `captions` with what is wrong and where */
  async function captionsContent(file: ReceivedFile): Promise<Content> {
    await assertHarmless(file.path)
    const cleaned = cleanWebVtt(await readFile(file.path))
    if ('fault' in cleaned) throw invalidField('captions', cleaned.fault)
    const bytes = Buffer.from(cleaned.text)
    return { contentType: 'text/vtt', bytes: bytes.length, open: () => Readable.from([bytes]) }
  }

  /** Puts a stored video on a profile, in the place of the one before, whose captions and text go with it. */
  async function showVideo(tx: Tx, id: number, fileId: string): Promise<void> {
    const now = clock.now()
    const before = await own.readOwn(tx, id)
    await store.setReady(tx, fileId, now)
    await own.updateOwn(tx, id, {
      video_choice: 'own',
      video_url: null,
      video_file_id: fileId,
      video_transcript: null,
      captions_asked_at: null,
    })
    if (before) await replaceCaptions(tx, id, before, null)
    if (before?.video_file_id) await store.setRemoved(tx, before.video_file_id, now)
  }

  async function replaceCaptions(
    tx: Tx,
    id: number,
    before: Pick<own.OwnRow, 'video_captions_file_id'>,
    fileId: string | null,
  ): Promise<void> {
    await own.updateOwn(tx, id, { video_captions_file_id: fileId })
    if (before.video_captions_file_id) {
      await store.setRemoved(tx, before.video_captions_file_id, clock.now())
    }
  }

  /** Stores a file and then writes what it is for. When either fails, the file goes; after a crash in between, by a job. */
  async function storing<T>(
    accountId: string,
    folder: string,
    { contentType, bytes, open }: Content,
    write: (fileId: string) => Promise<T>,
  ): Promise<T> {
    const now = clock.now()
    const id = random.uuid(now)
    const key = `${folder}/${id}.${extensions[contentType] ?? 'bin'}`
    await store.insertFile(db, {
      id,
      account_id: accountId,
      storage_key: key,
      content_type: contentType,
      bytes,
      created_at: now,
    })
    try {
      await storage.put(key, open())
      return await write(id)
    } catch (error) {
      await giveUp(id, key).catch(() => undefined)
      throw error
    }
  }

  /** Removes a file, unless a commit that was not answered has taken it into use. */
  async function giveUp(id: string, key: string): Promise<void> {
    if (!(await store.giveUpUnfinished(db, id, clock.now()))) return
    await storage.remove(key)
    await store.deleteFile(db, id)
  }

  async function link(handle: Db, document: { file_id: string; content_type: string }) {
    const token = random.secret()
    const expiresAt = later(clock.now(), lifetimeOf(document.content_type))
    await store.insertLink(handle, {
      hash: hashSecret(token),
      file_id: document.file_id,
      expires_at: expiresAt,
    })
    return {
      url: `/api/v7/files/${token}`,
      expires_at: expiresAt.toISOString(),
      content_type: document.content_type,
    }
  }

  /** A picture is drawn anew; a PDF is looked through and kept as it is. */
  async function documentContent(file: ReceivedFile): Promise<Content> {
    const contentType = await acceptedTypeOf(file.path, 'document')
    if (contentType === 'application/pdf') {
      return { contentType, bytes: file.bytes, open: () => createReadStream(file.path) }
    }
    const drawn = await drawDocument(file.path)
    return { contentType: 'image/jpeg', bytes: drawn.length, open: () => Readable.from([drawn]) }
  }
}

function lifetimeOf(contentType: string): number {
  return contentType.startsWith('video/') ? videoLinkLifetime : linkLifetime
}
