import type {
  PractitionerFile,
  QueueEntry,
  VettedDocument,
  VettedLicence,
} from '#contract/back-office/back-office.ts'
import { toOverview } from '../practitioners.mapper.ts'
import { isListed, portraitPath, videoPath } from '../practitioners.rules.ts'
import type { OverviewRow } from '../practitioners.store.ts'
import { missingFacts } from './vetting.rules.ts'
import type { DocumentRow, LicenceRow, QueueRow, VettingRow } from './vetting.store.ts'

export function toQueueEntry(row: QueueRow, now: Date): QueueEntry {
  return {
    ...toOverview(row, now),
    waiting_facts: row.waiting_facts,
    waiting_since: row.waiting_since?.toISOString() ?? null,
  }
}

export type FileRows = {
  overview: OverviewRow
  vetting: VettingRow
  documents: DocumentRow[]
  licences: LicenceRow[]
}

/** What the back office sees of a practitioner. */
export function toVettingFile(
  { overview, vetting, documents, licences }: FileRows,
  now: Date,
): PractitionerFile {
  const { phone_code, phone_number } = vetting
  return {
    ...toOverview(overview, now),
    about: vetting.about,
    short_description: vetting.short_description,
    date_of_birth: vetting.date_of_birth,
    phone: phone_number && `${phone_code ?? ''} ${phone_number}`.trim(),
    gender: vetting.gender,
    title: vetting.title,
    timezone: vetting.timezone,
    years_of_experience: vetting.years_of_experience,
    languages: vetting.languages,
    cities: vetting.cities,
    profile_image: vetting.image_key && portraitPath(vetting.image_key, 256),
    video: toVideo(vetting),
    has_insurance: vetting.has_indemnity,
    licences: licences.map(toVettedLicence),
    documents: documents.map(toVettedDocument),
    missing: missingFacts({ has_indemnity: vetting.has_indemnity, documents, licences }, now),
    vetted_until: vetting.vetted_until?.toISOString() ?? null,
    listed: isListed({ ...overview, vetted_until: vetting.vetted_until }, now),
  }
}

function toVideo(row: VettingRow): PractitionerFile['video'] {
  if (row.video_url === null && row.video_key === null) return null
  return {
    link: row.video_url,
    path: row.video_key && videoPath(row.video_key),
    captions: row.captions_key && videoPath(row.captions_key),
    transcript: row.video_transcript,
    asked_at: row.captions_asked_at?.toISOString() ?? null,
  }
}

function toVettedDocument(row: DocumentRow): VettedDocument {
  return {
    document_id: row.id,
    kind: row.kind,
    status: row.state,
    reason: row.reason,
    expires_on: row.expires_on,
    uploaded_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    content_type: row.content_type,
    size: row.bytes,
  }
}

function toVettedLicence(row: LicenceRow): VettedLicence {
  return {
    licence_id: row.id,
    licence: row.body,
    licence_number: row.license_number,
    provider_type: row.provider_type,
    status: row.state,
    reason: row.reason,
    expires_on: row.expires_on,
    added_at: row.created_at.toISOString(),
  }
}
