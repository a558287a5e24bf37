import type { AppointmentType } from '#contract/common.ts'
import type { Point } from '#contract/places.ts'
import type { FilterData, Location, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { type FilterColumns, filterColumnsOf, type FilterOfKind } from '#contract/search-filters.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Question } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import {
  type LastingCard,
  type LastingProfile,
  toCard,
  sessionTypes,
  toIssues,
  toLocation,
  toServiceTypes,
} from './practitioners.mapper.ts'
import { lookUp } from './places.rules.ts'
import { isListed, listedUntil, portraitPath } from './practitioners.rules.ts'
import { createProfiles, type ProfileDependencies } from './practitioners.profiles.ts'
import * as store from './practitioners.store.ts'
import * as standing from './standing.store.ts'
import * as reference from './reference.store.ts'
import { createStanding } from './practitioners.standing.ts'
import { createWork } from './practitioners.work.ts'

type Dependencies = Pick<Deps, 'events'> & ProfileDependencies

export type BookableService = store.ServiceRow

/** Zone, lead time and pause that a booking with a practitioner must respect. */
export type BookingRules = { timezone: string; leadTimeMinutes: number; pauseMinutes: number }

/** Inputs to a practitioner's free times other than the schedule. */
export type Bookable = BookingRules & { services: BookableService[] }

/** A listed practitioner with at least one service, as the search indexes them. */
export type Listing = {
  id: number
  card: LastingCard
  facets: Record<FilterOfKind<'ids'>, number[]>
  columns: FilterColumns
  min_fee_pence: number
  max_fee_pence: number
  /** Of the sessions in each format, in pence; null without any. */
  fees: Record<AppointmentType, { lowest: number; highest: number } | null>
  /** Average rating times 100; 0 without reviews. */
  rating_hundredths: number
  reviews_total: number
  about_length: number
  has_portrait: boolean
  has_video: boolean
  listed_until: Date
  /** Where clients are seen in person, as the public sees it, at most `placesInSearch`. */
  places: ListedPlace[]
}

/** A place by whose distance a practitioner is found. */
export type ListedPlace = Point & { district: string }
/** Most places of a practitioner that can be searched for. */
const placesInSearch = 4

/** A card with facts that a list of cards leaves out. */
export type KnownCard = LastingCard & Pick<LastingProfile, 'timezone' | 'issues'>

export type Practitioners = ReturnType<typeof createPractitioners>

/** Public data of practitioners. The life cycle of a profile is in `practitioners.standing.ts`. */
export function createPractitioners({ db, reads, clock, events, gazetteer, lookups }: Dependencies) {
  const { readRated, publicLocation, ...profiles } = createProfiles({ db, reads, clock, gazetteer, lookups })
  const lifeCycle = createStanding({ db, clock, events })

  const toBookable = (row?: store.BookableRow): Bookable | undefined =>
    row && isListed(row, clock.now()) ? { ...toRules(row), services: row.services } : undefined
  const offered = (asked: Question<store.BookableRow | undefined>): Question<Bookable | undefined> => ({
    statements: asked.statements,
    read: (rows) => toBookable(asked.read(rows)),
  })

  return {
    async issues(): Promise<FilterData['issues']> {
      return reference.readIssues(db)
    },

    async languages(): Promise<FilterData['languages']> {
      return reference.readLanguages(db)
    },

    ...profiles,
    ...lifeCycle,
    ...createWork({ events }),

    /** The services of a practitioner by appointment type. @throws 404 unless listed */
    async serviceTypes(id: number): Promise<ServiceTypes> {
      await lifeCycle.requireListed(db, id)
      return toServiceTypes(await store.readServices(db, [id]))
    },

    // For later modules --------------------------------------------------------------------------------------------

    /** The listed ones of the given practitioners, with the inputs to their free times. */
    async bookable(handle: Db, ids: number[]): Promise<Map<number, Bookable>> {
      const now = clock.now()
      const rows = (await store.readBookable(handle, ids)).filter((row) => isListed(row, now))
      return new Map(rows.map((row) => [row.id, { ...toRules(row), services: row.services }]))
    },

    /** The same of one, to be asked together with other questions. Undefined unless listed. */
    askOffering: (id: number) => offered(store.askBookable(id)),

    /** Locks the booking rules of a practitioner until the transaction ends. Returns undefined unless listed. */
    async lockRules(tx: Tx, id: number): Promise<BookingRules | undefined> {
      const [row] = await standing.lockStanding(tx, { id })
      return row && isListed(row, clock.now()) ? toRules(row) : undefined
    },

    /** Both, to be asked together with other questions: the services are those once the rules are locked. */
    askBookable: (id: number) => offered(store.lockBookable(id)),

    /** Cards of practitioners by id, listed or not: a client keeps seeing the practitioners of past sessions. */
    async cards(handle: Db, ids: number[]): Promise<Map<number, KnownCard>> {
      const rows = await readRated(handle, ids)
      return new Map(
        rows.map((row) => [
          row.id,
          { ...toCard(row, row.rating), timezone: row.timezone, issues: toIssues(row) },
        ]),
      )
    },

    /** Index entries of the given practitioners. Leaves out those who are not listed or have no service. */
    async listings(handle: Db, ids: number[]): Promise<Listing[]> {
      const now = clock.now()
      const rows = await readRated(handle, ids)
      const places = await listedPlaces(handle, ids)
      return rows.flatMap((row) => {
        const until = listedUntil(row)
        if (until === null || until <= now || row.services.length === 0) return []
        const fees = row.services.map((service) => service.fee_pence)
        return {
          id: row.id,
          card: toCard(row, row.rating),
          facets: {
            provider_id: row.provider_types.map((type) => type.id),
            issue_id: row.issues.map((issue) => issue.id),
            therapy_type_id: row.therapy_type_ids,
            language_id: row.language_ids,
            insurance_company_id: row.insurance_company_ids,
          },
          columns: filterColumnsOf(row),
          min_fee_pence: Math.min(...fees),
          max_fee_pence: Math.max(...fees),
          fees: {
            online: feesIn(row.services, 'online'),
            face_to_face: feesIn(row.services, 'face_to_face'),
          },
          rating_hundredths: row.rating.hundredths,
          reviews_total: row.rating.total,
          about_length: row.about_length,
          has_portrait: row.image_key !== null,
          has_video: row.has_video,
          listed_until: until,
          places: sessionTypes(row.services).includes('face_to_face') ? (places.get(row.id) ?? []) : [],
        }
      })
    },

    /** Ids of approved practitioners above `after`, in order, a batch at a time. */
    async approvedAfter(handle: Db, after: number, limit: number): Promise<number[]> {
      return store.idsAfter(handle, 'approved', after, limit)
    },

    /** Looks up the places of practitioners that have not been looked up yet. Points that are known stay. */
    async lookUpPlaces(tx: Tx, ids: number[]): Promise<void> {
      for (const row of await store.readLocationsOf(tx, ids)) {
        if (row.district_name !== null) continue
        const found = lookUp(gazetteer, row)
        const { latitude, longitude, point_source } = row
        const kept = latitude === null ? {} : { latitude, longitude, point_source }
        await store.updateLookup(tx, row.id, { ...found, ...kept })
      }
    },

    referenceLists: reference.readReferenceLists,

    /** The id of a gender by its name; undefined for any other text, such as "it doesn't matter". */
    genderId: reference.readGenderId,

    /** The services of a practitioner, listed or not, the cheapest first. */
    servicesOf: (handle: Db, id: number): Promise<BookableService[]> => store.readServices(handle, [id]),

    async serviceOf(
      handle: Db,
      id: number,
      serviceId: number,
      appointmentType: AppointmentType,
    ): Promise<BookableService | undefined> {
      const services = await store.readServices(handle, [id])
      return services.find(
        (service) => service.service_id === serviceId && service.appointment_type === appointmentType,
      )
    },

    /** The practitioner's places with full addresses, for the practitioner and for clients with a session there. */
    async locationsOf(handle: Db, id: number): Promise<Location[]> {
      return (await store.readLocations(handle, id)).map(toLocation)
    },

    /**
     * Places by id, deleted ones included, since booked sessions still take place there. Their public form is for a client
     * whose session is not confirmed.
     */
    async placesById(handle: Db, ids: number[]): Promise<Map<number, Location & { asPublic: Location }>> {
      const rows = ids.length === 0 ? [] : await store.readLocationsById(handle, ids)
      return new Map(rows.map((row) => [row.id, { ...toLocation(row), asPublic: publicLocation(row) }]))
    },

    /** Creates the empty draft profile of a new account. */
    async create(tx: Tx, accountId: string): Promise<void> {
      await store.insertDraft(tx, accountId, clock.now())
    },

    /** The practitioner of an account, in any state. */
    ofAccount: store.findByAccount,

    /** The caller's own profile, in any state. @throws 404 for an account without one */
    async requireOwn(handle: Db, { accountId }: SignedIn): Promise<store.OwnRow> {
      const own = await store.findByAccount(handle, accountId)
      if (!own) throw notFound('Your profile')
      return own
    },

    /** The account that a practitioner signs in with. */
    async accountOf(handle: Db, id: number): Promise<string | undefined> {
      return (await standing.readStates(handle, [id]))[0]?.account_id
    },

    /** The path of a portrait by its key, 256 pixels wide. */
    portrait: (key: string) => portraitPath(key, 256),

    /** Where practitioners hold online sessions. A link of theirs is only for a client with a confirmed session. */
    onlineRooms: store.readOnlineRooms,

    async timezoneOf(handle: Db, id: number): Promise<string | undefined> {
      return (await standing.readStates(handle, [id]))[0]?.timezone
    },
  }

  /** The public points of practitioners' places. */
  async function listedPlaces(handle: Db, ids: number[]): Promise<Map<number, ListedPlace[]>> {
    const found = new Map<number, ListedPlace[]>()
    for (const row of await store.readLocationsOf(handle, ids)) {
      const { latitude, longitude, district } = publicLocation(row)
      const places = found.get(row.practitioner_id) ?? []
      if (latitude === null || longitude === null || places.length === placesInSearch) continue
      found.set(row.practitioner_id, [...places, { latitude, longitude, district }])
    }
    return found
  }
}

function feesIn(services: readonly store.ServiceRow[], type: AppointmentType) {
  const fees = services.flatMap((service) => (service.appointment_type === type ? [service.fee_pence] : []))
  return fees.length === 0 ? null : { lowest: Math.min(...fees), highest: Math.max(...fees) }
}

function toRules(row: { timezone: string; notice_minutes: number; pause_minutes: number }): BookingRules {
  return { timezone: row.timezone, leadTimeMinutes: row.notice_minutes, pauseMinutes: row.pause_minutes }
}
