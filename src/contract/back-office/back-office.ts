import { z } from 'zod'
import {
  Day,
  FreeText,
  IdInPath,
  Instant,
  InstantSent,
  CappedPageMeta,
  PageMeta,
  PageQuery,
  PersonName,
  Pounds,
  StartShown,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SeriesOfSession } from '../series/series.ts'
import { PaidSession } from './payments.ts'

export const practitionerStates = [
  'draft',
  'submitted',
  'approved',
  'rejected',
  'suspended',
  'closed',
] as const
export const PractitionerState = z.enum(practitionerStates)
export type PractitionerState = z.infer<typeof PractitionerState>

export const PractitionerOverview = z.object({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  email: z.string(),
  status: PractitionerState,
  reason: z.string().nullable(),
  subscribed: z.boolean(),
  provider_types: z.array(z.string()),
  created_at: z.string(),
  /** When the profile came into its status, such as when it was submitted. */
  status_since: Instant,
})

export const QueueEntry = PractitionerOverview.extend({
  /** Documents and licences that still need a decision. */
  waiting_facts: z.number().int(),
  /** Since when the profile, or its oldest undecided fact, waits for a decision; null if none does. */
  waiting_since: Instant.nullable(),
})
export type QueueEntry = z.infer<typeof QueueEntry>

export const factKinds = ['identity', 'dbs', 'insurance_certificate', 'licence'] as const
export type FactKind = (typeof factKinds)[number]

/** `replaced`: a newer one was accepted. */
const FactState = z.enum(['waiting', 'accepted', 'refused', 'replaced'])

export const VettedDocument = z.object({
  document_id: z.uuid(),
  kind: z.enum(['identity', 'dbs', 'insurance_certificate']),
  status: FactState,
  reason: z.string().nullable(),
  expires_on: Day.nullable(),
  uploaded_at: Instant,
  decided_at: Instant.nullable(),
  content_type: z.string(),
  /** In bytes. */
  size: z.number().int(),
})
export type VettedDocument = z.infer<typeof VettedDocument>

export const VettedLicence = z.object({
  licence_id: z.number().int(),
  licence: z.string(),
  licence_number: z.string(),
  provider_type: z.string(),
  status: FactState,
  reason: z.string().nullable(),
  expires_on: Day.nullable(),
  added_at: Instant,
})
export type VettedLicence = z.infer<typeof VettedLicence>

export const PractitionerFile = PractitionerOverview.extend({
  about: z.string(),
  short_description: z.string(),
  date_of_birth: z.string().nullable(),
  phone: z.string().nullable(),
  gender: z.string().nullable(),
  title: z.string().nullable(),
  timezone: z.string(),
  years_of_experience: z.number().int().nullable(),
  languages: z.array(z.string()),
  cities: z.array(z.string()),
  profile_image: z.string().nullable(),
  /** Their introduction on video; null without one. */
  video: z
    .object({
      /** At YouTube. */
      link: z.string().nullable(),
      /** Path of an uploaded one. */
      path: z.string().nullable(),
      /** Path of its captions, as WebVTT. */
      captions: z.string().nullable(),
      transcript: z.string().nullable(),
      /** When captions or a transcript were asked for. */
      asked_at: Instant.nullable(),
    })
    .nullable(),
  /** Whether they say that they have professional indemnity insurance; null while not answered. */
  has_insurance: z.boolean().nullable(),
  licences: z.array(VettedLicence),
  documents: z.array(VettedDocument),
  /** What keeps the profile from being approved, in sentences. */
  missing: z.array(z.string()),
  /** When the first of the accepted facts runs out; null where none does. */
  vetted_until: Instant.nullable(),
  listed: z.boolean(),
})
export type PractitionerFile = z.infer<typeof PractitionerFile>

/** A link to a private file, good for a minute. */
export const DocumentLink = z.object({ url: z.string(), expires_at: Instant, content_type: z.string() })

export const AuditEntry = z.object({
  id: z.number().int(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  practitioner_id: z.number().int().nullable(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const params = z.object({ id: IdInPath })
const documentParams = params.extend({ document_id: z.uuid() })
const licenceParams = params.extend({ licence_id: IdInPath })
const Reasoned = z.object({
  reason: FreeText(2000).trim().min(1, 'Give a reason: it is sent to the practitioner.'),
})
const StatusShown = z.object({
  /** Of the profile as it was shown. Where it has been decided on since, with the same outcome too, the answer is 409 `changed_elsewhere`. */
  status_since: InstantSent.optional(),
})
/** Of what the practitioner does not get to read. */
const Noted = z.object({
  reason: FreeText(2000).trim().min(1, 'Give a reason: it is kept in the audit log.'),
})
export const suspensionCauses = ['conduct', 'identity', 'insurance', 'papers', 'other'] as const
export const SuspensionCause = z.enum(suspensionCauses)
export type SuspensionCause = z.infer<typeof SuspensionCause>

/** `cancel`: sessions ahead are cancelled and refunded at once. `freeze`: they wait for up to 72 hours. */
export const SessionsChoice = z.enum(['cancel', 'freeze'])
export type SessionsChoice = z.infer<typeof SessionsChoice>

const Suspending = Reasoned.extend({
  ...StatusShown.shape,
  cause: SuspensionCause.default('other'),
  sessions: SessionsChoice.default('freeze'),
})

/** What a suspension did to the sessions that were ahead. */
export const SuspensionOutcome = z.object({
  cancelled: z.number().int(),
  frozen: z.number().int(),
  /** Refunds that are under way or have left. */
  refunds: z.number().int(),
  refunded: Pounds,
})
export type SuspensionOutcome = z.infer<typeof SuspensionOutcome>

export const SessionAhead = z.object({
  appointment_id: z.uuid(),
  starts_at: Instant,
  ends_at: Instant,
  client_name: z.string(),
  /** What the client paid. */
  paid: Pounds,
  /** What the client is still to pay: the price of a session that a series has reserved. */
  unpaid: Pounds,
  /** The session is in progress or starts within two hours. A suspension cancels it at once, even with `freeze`. */
  at_once: z.boolean(),
  frozen_until: Instant.nullable(),
  series: SeriesOfSession.nullable(),
})
export type SessionAhead = z.infer<typeof SessionAhead>

/** What a suspension would touch. */
export const PractitionerAhead = z.object({
  /** Soonest first, 500 at most. */
  sessions: z.array(SessionAhead),
  total: z.number().int(),
  at_once: z.number().int(),
  /** What clients paid for all of them. */
  money: Pounds,
  /** Bookings that have not been paid yet. */
  pending: z.number().int(),
  /** Requests for help right now that wait for this practitioner. */
  offers: z.number().int(),
})
export type PractitionerAhead = z.infer<typeof PractitionerAhead>

/** Vetted facts that lapse, or have lapsed, while sessions are booked for later. */
export const VettingLapse = z.object({
  practitioner_id: z.number().int(),
  full_name: z.string(),
  facts: z.array(
    z.object({
      /** 'DBS certificate', or 'licence (HCPC PYL12345)'. */
      name: z.string(),
      /** The last day on which it is good. */
      expires_on: Day,
    }),
  ),
  /** When the profile is hidden and sessions are frozen. */
  lapses_at: Instant,
  /** Sessions that begin after it, frozen ones included. */
  sessions: z.number().int(),
  frozen: z.number().int(),
  /** When the first frozen session is cancelled; null without one. */
  next_cancelled_at: Instant.nullable(),
  /** Whether newer documents or licences wait for a decision, in the place of all that lapse. */
  is_waiting: z.boolean(),
})
export type VettingLapse = z.infer<typeof VettingLapse>

const Accepting = z.object({
  /** The last day on which it is good; what is known of it stays when absent. */
  expires_on: Day.nullish(),
  /** What it was compared with: where the practitioner has changed that meanwhile, the answer is 409 `changed_elsewhere`. */
  shown: z.object({ full_name: FreeText(201), expires_on: Day.nullable() }).optional(),
})

/** Answers the file of a practitioner as it stands then. */
const ofPractitioner = { access: ['admin'], params, answer: PractitionerFile } as const

export const backOfficeEndpoints = defineEndpoints({
  'GET /admin/practitioners': {
    access: ['admin'],
    summary: 'Practitioners by state or waiting for a decision, longest waiting first',
    query: PageQuery.extend({
      status: PractitionerState.optional(),
      /** Those alone that wait for the back office: handed in, or with a changed fact. */
      waiting: z.enum(['true', 'false']).optional(),
      /** Part of a name or email. */
      search: FreeText(100).optional(),
    }),
    answer: z.object({
      data: z.array(QueueEntry),
      meta: PageMeta.extend({
        /** Counts over all practitioners; the filters of the query do not apply. */
        counts: z.object({
          waiting: z.number().int(),
          draft: z.number().int(),
          submitted: z.number().int(),
          approved: z.number().int(),
          rejected: z.number().int(),
          suspended: z.number().int(),
          closed: z.number().int(),
        }),
      }),
    }),
  },
  'GET /admin/practitioners/{id}': {
    ...ofPractitioner,
    summary: 'One practitioner, with what vetting needs',
  },
  'GET /admin/practitioners/{id}/ahead': {
    access: ['admin'],
    summary: 'Sessions, unpaid bookings, requests and money that a suspension would touch',
    params,
    answer: PractitionerAhead,
  },
  'POST /admin/sessions/{appointment_id}/cancel': {
    access: ['admin'],
    summary: 'Cancel a session before its end; the client gets everything back, and both are told',
    params: z.object({ appointment_id: z.uuid() }),
    body: z.object({
      reason: FreeText(1000).trim().min(1, 'Give a reason: it is kept in the audit log.'),
      starts_at: StartShown,
    }),
    answer: PaidSession,
    idempotent: true,
  },
  'POST /admin/practitioners/{id}/approve': {
    ...ofPractitioner,
    summary: 'Approve a submitted profile, once its facts are accepted',
    body: StatusShown,
    hadNoBody: true,
  },
  'POST /admin/practitioners/{id}/reject': {
    ...ofPractitioner,
    summary: 'Refuse a submitted profile',
    body: Reasoned.extend(StatusShown.shape),
  },
  'POST /admin/practitioners/{id}/suspend': {
    access: ['admin'],
    summary: 'Hide an approved practitioner; sessions ahead are frozen, or cancelled and refunded',
    params,
    body: Suspending,
    answer: PractitionerFile.extend({ sessions: SuspensionOutcome }),
  },
  'POST /admin/practitioners/{id}/reinstate': {
    ...ofPractitioner,
    summary: 'Lift a suspension; sessions that are still frozen take place as booked',
    body: StatusShown,
    hadNoBody: true,
  },
  'POST /admin/practitioners/{id}/close': {
    access: ['admin'],
    summary: 'Close the profile of a practitioner who left or died, for good; sessions ahead are refunded',
    params,
    body: Reasoned.extend(StatusShown.shape),
    answer: PractitionerFile.extend({ sessions: SuspensionOutcome }),
  },
  'POST /admin/practitioners/{id}/rename': {
    ...ofPractitioner,
    summary: 'Change the name of a practitioner who can no longer do it; what was accepted stays accepted',
    body: Noted.extend({ first_name: PersonName, last_name: PersonName }),
  },
  'GET /admin/vetting-lapses': {
    access: ['admin'],
    summary: 'Practitioners whose vetted facts lapse within 14 days, with sessions booked for later',
    answer: z.object({ data: z.array(VettingLapse), total: z.number().int() }),
  },
  'POST /admin/practitioners/{id}/ask-for-captions': {
    ...ofPractitioner,
    summary:
      'Ask for captions or a transcript of the video, once; 409 without a video, with one of them, or for a closed profile',
  },
  'POST /admin/practitioners/{id}/documents/{document_id}/link': {
    access: ['admin'],
    summary: 'A link that shows a private document for a minute; looking is written down',
    params: documentParams,
    answer: DocumentLink,
  },
  'POST /admin/practitioners/{id}/documents/{document_id}/accept': {
    ...ofPractitioner,
    summary: 'Accept a document; it takes the place of the one accepted before',
    params: documentParams,
    body: Accepting,
  },
  'POST /admin/practitioners/{id}/documents/{document_id}/reopen': {
    ...ofPractitioner,
    summary: 'Let an accepted document wait again, until the profile is approved; the reason is written down',
    params: documentParams,
    body: Noted,
  },
  'POST /admin/practitioners/{id}/documents/{document_id}/refuse': {
    ...ofPractitioner,
    summary: 'Refuse a document; one accepted before still counts',
    params: documentParams,
    body: Reasoned,
  },
  'POST /admin/practitioners/{id}/licences/{licence_id}/accept': {
    ...ofPractitioner,
    summary: 'Accept a licence',
    params: licenceParams,
    body: Accepting,
  },
  'POST /admin/practitioners/{id}/licences/{licence_id}/reopen': {
    ...ofPractitioner,
    summary: 'Let an accepted licence wait again, until the profile is approved; the reason is written down',
    params: licenceParams,
    body: Noted,
  },
  'POST /admin/practitioners/{id}/licences/{licence_id}/refuse': {
    ...ofPractitioner,
    summary: 'Refuse a licence',
    params: licenceParams,
    body: Reasoned,
  },
  'GET /admin/audit': {
    access: ['admin'],
    summary: 'What admins did and looked at, newest first',
    query: PageQuery.extend({
      action: FreeText(60).optional(),
      practitioner_id: IdInPath.optional(),
      /** Part of the acting admin's name or email. */
      actor: FreeText(100).optional(),
    }),
    answer: z.object({
      data: z.array(AuditEntry),
      meta: CappedPageMeta.extend({
        /** Every action there is an entry of. */
        actions: z.array(z.string()),
        /** What the daily check of the log found. */
        chain: z.object({
          checked_at: z.string().nullable(),
          /** When the first of its entries was written, if every one of them is as it was written. */
          whole_since: z.string().nullable(),
          /** The first entry, by its place in the log, that is not. */
          wrong_entry: z.number().int().nullable(),
        }),
      }),
    }),
  },
})
