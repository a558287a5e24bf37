import { z } from 'zod'
import { Slot } from '../availability/availability.ts'
import {
  AppointmentType,
  Day,
  FreeText,
  Id,
  IdInPath,
  Instant,
  InstantSent,
  Pounds,
  Success,
  TimeZone,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { searchWishesPerClient, windowsPerEntry } from './waitlist-limits.ts'

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 09:00.')
const EndOfWindow = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Must be a time such as 12:00, at most 24:00.')

/** Hours of some weekdays in which a session may start, on the clock of the entry's zone. `to` is excluded. */
export const WaitlistWindow = z
  .object({
    /** Monday is 1, Sunday 7. */
    weekdays: z.array(z.number().int().min(1).max(7)).min(1, 'Choose at least one day.').max(7),
    from: ClockTime,
    to: EndOfWindow,
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'Choose an end after the start.' })
export type WaitlistWindow = z.infer<typeof WaitlistWindow>

const EntryTerms = z.object({
  service_id: Id,
  appointment_type: AppointmentType,
  windows: z
    .array(WaitlistWindow)
    .min(1, 'Choose when you could come.')
    .max(windowsPerEntry, `Choose at most ${windowsPerEntry} windows.`),
  /** First and last day that suits, in the entry's zone; null without a limit. */
  earliest: Day.nullish(),
  latest: Day.nullish(),
  /** How long before its start the client needs to hear of a session. */
  lead_minutes: z.number().int().min(60).max(10_080),
  timezone: TimeZone,
  /** A session with the same practitioner that a new one replaces; null for none. */
  swaps_appointment_id: z.uuid().nullish(),
})

export const JoinWaitlist = EntryTerms.extend({ practitioner_id: Id })

/** What is left out stays. `paused` keeps the place without offers; `waiting` goes on, or stays for another 60 days once asked. */
export const ChangeWaitlistEntry = EntryTerms.partial().extend({
  state: z.enum(['waiting', 'paused']).optional(),
})

export const waitlistEntryStates = ['waiting', 'offered', 'booked', 'paused', 'ended'] as const
export const WaitlistEntryState = z.enum(waitlistEntryStates)
export type WaitlistEntryState = z.infer<typeof WaitlistEntryState>

/** `turn`: held for one client for a while. `broadcast`: for the first of several to book it. */
export const WaitlistOfferKind = z.enum(['turn', 'broadcast'])
export type WaitlistOfferKind = z.infer<typeof WaitlistOfferKind>

export const waitlistOfferStates = ['open', 'taken', 'declined', 'expired', 'withdrawn'] as const
export const WaitlistOfferState = z.enum(waitlistOfferStates)
export type WaitlistOfferState = z.infer<typeof WaitlistOfferState>

const WaitlistPractitioner = z.object({
  practitioner_id: Id,
  full_name: z.string(),
  /** Path of the portrait, 256 pixels; null when there is none. */
  main_image: z.string().nullable(),
  timezone: z.string(),
})

/** A client's place on the waitlist of a practitioner. */
export const WaitlistEntry = z.object({
  entry_id: z.uuid(),
  practitioner: WaitlistPractitioner,
  service_id: Id,
  service_name: z.string(),
  /** Minutes; null, as `fee`, if the practitioner no longer offers the service in this format. */
  duration: z.number().int().nullable(),
  fee: Pounds.nullable(),
  appointment_type: AppointmentType,
  windows: z.array(WaitlistWindow),
  earliest: z.string().nullable(),
  latest: z.string().nullable(),
  lead_minutes: z.number().int(),
  timezone: z.string(),
  /** The session that a new one replaces. While it is not `possible` to cancel it free of charge, no time is offered. */
  swaps: z
    .object({ appointment_id: z.uuid(), starts_at: Instant.nullable(), possible: z.boolean() })
    .nullable(),
  state: WaitlistEntryState,
  /** `misses`: two offers passed unanswered. `practitioner`: they take no sessions at present. */
  paused_by: z.enum(['client', 'misses', 'practitioner']).nullable(),
  /** The position among those who wait for the practitioner, and how many they are; null unless it waits or is offered. */
  place: z.number().int().nullable(),
  waiting: z.number().int(),
  joined_at: Instant,
  ends_at: Instant,
  misses: z.number().int(),
  /** Open offers: a turn, or any number of broadcasts. */
  offers: z.array(
    z.object({
      offer_id: z.uuid(),
      kind: WaitlistOfferKind,
      starts_at: Instant,
      /** When a turn ends; null until its clock has started, and for a broadcast. */
      expires_at: Instant.nullable(),
    }),
  ),
})
export type WaitlistEntry = z.infer<typeof WaitlistEntry>

/** An offer as it stands now, also by an old link. */
export const WaitlistOffer = z.object({
  offer_id: z.uuid(),
  entry_id: z.uuid(),
  kind: WaitlistOfferKind,
  state: WaitlistOfferState,
  entry_state: WaitlistEntryState,
  practitioner: WaitlistPractitioner,
  /** The appointment to pay and confirm; null for a broadcast, which is booked like any free time. */
  appointment_id: z.uuid().nullable(),
  service_id: Id,
  service_name: z.string(),
  appointment_type: AppointmentType,
  location: z.object({ location_name: z.string(), address: z.string() }).nullable(),
  starts_at: Instant,
  ends_at: Instant,
  /** Of the entry, to show times in. */
  timezone: z.string(),
  /** What the client pays, any discount taken off. */
  fee: Pounds,
  full_fee: Pounds,
  discount: Pounds,
  /** When the turn ends; null for a broadcast. */
  expires_at: Instant.nullable(),
  /** The server's time of the answer, to count down by. */
  now: Instant,
  /** Whether the time can be had now: a turn is open, or the time of a broadcast is still free. */
  available: z.boolean(),
  /** Until when the session could be moved or cancelled free of charge if it were booked now. */
  change_until: Instant,
  /** Whether that is 48 hours before the start; false for a session that starts sooner. */
  change_until_before_start: z.boolean(),
  /** The session that this one replaces, what is refunded for it, and until when it can be replaced; null: no longer. */
  swap: z
    .object({
      appointment_id: z.uuid(),
      starts_at: Instant,
      refund: Pounds,
      /** The part of `refund` that is a discount: it goes over to this session, unless the card that pays has had another. */
      discount: Pounds.optional(),
      /** How the client's dispute with their bank about it stands: until it is decided the refund is not certain. */
      dispute: z.enum(['open', 'won', 'lost']).nullable().optional(),
      possible: z.boolean(),
      until: Instant.nullable(),
    })
    .nullable(),
})
export type WaitlistOffer = z.infer<typeof WaitlistOffer>

/** A place on a practitioner's waitlist, as the practitioner sees it. */
export const WaitingClient = z.object({
  entry_id: z.uuid(),
  /** Of the client's first and last name, "A. B.". */
  initials: z.string(),
  service_name: z.string(),
  appointment_type: AppointmentType,
  windows: z.array(WaitlistWindow),
  earliest: z.string().nullable(),
  latest: z.string().nullable(),
  timezone: z.string(),
  state: z.enum(['waiting', 'offered', 'paused']),
  since: Instant,
})
export type WaitingClient = z.infer<typeof WaitingClient>

export const PractitionerWaitlist = z.object({
  /** Whether clients may join. */
  open: z.boolean(),
  /** Those who wait or have an offer. */
  waiting: z.number().int(),
  entries: z.array(WaitingClient),
  /** The week asked for, or this one: what is offered, and which hours are wanted. */
  week: z.object({
    week_starts: Day,
    offered: z.array(
      z.object({
        entry_id: z.uuid(),
        initials: z.string(),
        starts_at: Instant,
        ends_at: Instant,
        /** When the hold ends at the latest. */
        until: Instant,
      }),
    ),
    /** Scheduled hours ahead that at least one client would like, booked or free. */
    wanted: z.array(
      z.object({
        starts_at: Instant,
        /** Those whose wishes it fits, the longest waiting first. */
        entry_ids: z.array(z.uuid()),
        /** Whether it can be offered by hand: it is free. */
        free: z.boolean(),
      }),
    ),
  }),
})
export type PractitionerWaitlist = z.infer<typeof PractitionerWaitlist>

/** The parameters of `get-practitioners`, as its query has them. `sort`, `page`, `per_page` and `counts` are not kept. */
const WishFilters = z
  .record(z.string().max(60), FreeText(1100))
  .refine((filters) => Object.keys(filters).length <= 40, 'Too many filters.')

export const SearchWish = z.object({
  wish_id: z.uuid(),
  filters: z.record(z.string(), z.string()),
  created_at: Instant,
  last_notified_at: Instant.nullable(),
  ends_at: Instant,
})
export type SearchWish = z.infer<typeof SearchWish>

/** In `details` of a 409 `slot_free`: what is free now and fits, soonest first. */
export const SlotFreeDetails = z.object({ slots: z.array(Slot) })

const params = z.object({ id: z.uuid() })
const entry = { access: ['client'], owner: 'waitlist_entry', params } as const
const offer = { access: ['client'], owner: 'waitlist_offer', params, answer: WaitlistOffer } as const

export const waitlistEndpoints = defineEndpoints({
  'POST /waitlist': {
    access: ['client'],
    owner: 'appointment',
    summary:
      'Join the waitlist of a practitioner; 409 `slot_free` with the slots if a free time fits already',
    body: JoinWaitlist,
    answer: WaitlistEntry,
    status: 201,
    idempotent: true,
  },
  'GET /client/waitlist': {
    access: ['client'],
    summary: "The caller's places on waitlists, with open offers",
    answer: z.array(WaitlistEntry),
  },
  'GET /client/waitlist/swap': {
    access: ['client'],
    summary:
      'The session that booking a time would cancel: the caller waits for the practitioner, and has been offered this hour',
    query: z.object({ practitioner_id: IdInPath, starts_at: InstantSent }),
    answer: z.object({ data: WaitlistOffer.shape.swap }),
  },
  'PUT /waitlist/{id}': {
    ...entry,
    summary: 'Change what is waited for, pause, or go on; the place stays',
    body: ChangeWaitlistEntry,
    answer: WaitlistEntry,
  },
  'DELETE /waitlist/{id}': {
    ...entry,
    summary: 'Leave a waitlist; an open offer is declined with it',
    answer: Success,
  },
  'GET /waitlist/offers/{id}': {
    ...offer,
    summary: 'An offered time with its price, end and change rule, as it stands now',
  },
  'POST /waitlist/offers/{id}/decline': {
    ...offer,
    summary: 'Decline an offered time; the place on the waitlist stays',
  },
  'POST /search-wishes': {
    access: ['client'],
    summary: `Ask for a mail when a search without results finds a practitioner; at most ${searchWishesPerClient}`,
    body: z.object({ filters: WishFilters }),
    answer: SearchWish,
    status: 201,
  },
  'GET /client/search-wishes': {
    access: ['client'],
    summary: "The caller's search wishes, newest first",
    answer: z.array(SearchWish),
  },
  'DELETE /search-wishes/{id}': {
    access: ['client'],
    summary: 'Give a search wish up',
    params,
    answer: Success,
  },
  'GET /therapist/waitlist': {
    access: ['therapist'],
    summary: 'Who waits for the caller, by initials, and a week with what is offered and wanted',
    query: z.object({ from: Day.optional() }),
    answer: PractitionerWaitlist,
  },
  'POST /therapist/waitlist/{id}/offer': {
    access: ['therapist'],
    owner: 'waitlist_entry',
    summary: 'Offer a free time to a client out of order; recorded',
    params,
    body: z.object({ starts_at: InstantSent }),
    answer: WaitingClient,
  },
})
