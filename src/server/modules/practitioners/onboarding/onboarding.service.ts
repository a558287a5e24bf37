import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { FactKind } from '#contract/back-office/back-office.ts'
import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import type {
  LocationSent,
  ProfileFields,
  ProfileStep,
  TherapistProfile,
} from '#contract/practitioners/onboarding.ts'
import { videoIdOf, videoLinkRefusal } from '#contract/practitioners/video-link.ts'
import { dayInLondon } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { fail, invalidField, notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import type { Gazetteer } from '../../../integrations/gazetteer/port.ts'
import * as documents from '../documents/documents.store.ts'
import { toFilled, toTherapistProfile } from './onboarding.mapper.ts'
import {
  insuranceEndFault,
  isAdult,
  isDecisionAsked,
  isElsewhere,
  wasApproved,
  type KnownVersions,
  licenceChanges,
  missingSteps,
  ownLink,
  stepsOf,
  videoChoice,
} from './onboarding.rules.ts'
import * as own from './onboarding.store.ts'
import type { LastingProfile } from '../practitioners.mapper.ts'
import { formatPostcode, lookUpSent } from '../places.rules.ts'
import type { Practitioners } from '../practitioners.service.ts'
import * as store from '../practitioners.store.ts'
import * as standingStore from '../standing.store.ts'
import { holdsOn } from '../vetting/vetting.rules.ts'
import { replaceDecided, updateVettedUntil } from '../vetting/vetting.store.ts'
import * as reference from '../reference.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'events'> & {
  practitioners: Pick<Practitioners, 'changeState' | 'draftProfile'>
  gazetteer: Gazetteer
}

export type Onboarding = ReturnType<typeof createOnboarding>

/** A practitioner's own profile: reads it, saves it step by step and submits it. */
export function createOnboarding({ db, clock, events, practitioners, gazetteer }: Dependencies) {
  return {
    /** The caller's own profile, with what is still missing. */
    async profile(caller: SignedIn): Promise<TherapistProfile> {
      return read(db, await idOf(db, caller))
    },

    /** The profile as clients will see it, in any state, with licences that still wait for vetting. */
    async preview(caller: SignedIn): Promise<LastingProfile> {
      const id = await idOf(db, caller)
      const profile = await practitioners.draftProfile(id)
      if (!profile) throw notFound('This profile')
      return profile
    },

    /**
     * Submits the profile. Repeating it changes nothing.
     * @throws 409 `incomplete_profile` with the missing facts, 409 `transition_refused`
     */
    async complete(caller: SignedIn): Promise<TherapistProfile> {
      return inTransaction(db, async (tx) => {
        const id = await idOf(tx, caller)
        if ((await standingStore.lockState(tx, id)) === 'submitted') return read(tx, id)
        const missing = missingSteps(toFilled(await rowsOf(tx, id)))
        if (missing.length > 0) {
          throw fail('incomplete_profile', 'Some steps of your profile are not complete yet.', {
            details: { missing },
          })
        }
        await practitioners.changeState(tx, id, 'submit', null)
        await events.announce(tx, 'decision.asked', {
          of: 'profile',
          id: `${id} ${clock.now().toISOString()}`,
        })
        return read(tx, id)
      })
    },

    titles: () => own.readTitles(db),
    genders: () => own.readGenders(db),
    phoneCodes: () => own.readPhoneCodes(db),
    timezones: () => own.readTimezones(db),
    licenceBodies: () => own.readLicenceBodies(db),
    specializations: async () => (await reference.readReferenceLists(db)).provider_types,
    approaches: async () =>
      (await reference.readReferenceLists(db)).therapy_types.map((type) => ({
        therapy_approach_id: type.therapy_type_id,
        therapy_approach_name: type.therapy_type_name,
      })),
    issues: async () =>
      (await reference.readIssues(db)).map(({ issue_id, issue_name }) => ({ issue_id, issue_name })),
    insurers: async () => (await reference.readReferenceLists(db)).insurance_companies,

    /** Every service there is, with the caller's own length and price where they offer it, else the usual ones. */
    async services(caller: SignedIn): Promise<AnswerOf<'GET /therapist/services'>> {
      const offered = await store.readServices(db, [await idOf(db, caller)])
      const names = await own.readServiceNames(db)
      return names.map(({ id, name }) => {
        const service = offered.find(({ service_id }) => service_id === id)
        return {
          service_id: id,
          name,
          active: service !== undefined,
          duration: service?.duration_minutes ?? usual.minutes,
          fee: (service?.fee_pence ?? usual.feePence) / 100,
        }
      })
    },

    /** @throws 422 by field, 409 `changed_elsewhere` */
    async update(caller: SignedIn, sent: ProfileFields, known: KnownVersions): Promise<TherapistProfile> {
      return save(caller, stepsOf(sent), known, async (tx, id) => {
        await own.updateOwn(tx, id, await fieldsOf(tx, id, sent))
        if (sent.insurance_expires !== undefined) await saveInsuranceEnd(tx, id, sent.insurance_expires)
      })
    },

    async saveLanguages(
      caller: SignedIn,
      { language_list: ids }: BodyOf<'POST /therapist/add-language-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      await assertKnown('languages', ids, 'language_list')
      return save(caller, ['languages'], known, (tx, id) => own.replaceLanguages(tx, id, ids))
    },

    /**
     * New licences wait for the back office; those that stay keep their standing.
     * @throws 422 where an approved practitioner would be left without an accepted licence that still holds, or without
     * the last that has ended: they would count as one who was approved without a licence
     */
    async saveLicences(
      caller: SignedIn,
      { license_list: sent, years_of_experience: years }: BodyOf<'POST /therapist/add-license-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      const types = sent.map((licence) => licence.specialization_id)
      await assertKnown('provider_types', types, 'license_list')
      await assertKnown(
        'license_bodies',
        sent.map((licence) => licence.license_id),
        'license_list',
      )
      return save(caller, ['licences'], known, async (tx, id, state) => {
        const kept = await own.readLicences(tx, id)
        const changes = licenceChanges(kept, sent)
        const left = kept.filter((licence) => !changes.remove.includes(licence.id))
        const today = dayInLondon(clock.now())
        const isApproved = wasApproved(state)
        const loses = (counts: (licence: (typeof kept)[number]) => boolean) =>
          kept.some(counts) && !left.some(counts)
        if (
          isApproved &&
          (loses((each) => holdsOn(each, today)) || loses((each) => each.state === 'accepted'))
        ) {
          throw invalidField(
            'license_list',
            'Please keep the licence that we have checked until the new one is checked too.',
          )
        }
        await own.changeLicences(tx, id, changes, clock.now())
        if (isDecisionAsked(state, kept) && changes.add.length + changes.reopen.length > 0) {
          await announceFact(tx, id, 'licence')
        }
        await own.matchProviderTypes(tx, id, today)
        if (years !== undefined) await own.updateOwn(tx, id, { years_of_experience: years })
      })
    },

    async saveApproaches(
      caller: SignedIn,
      { therapy_approach_list: ids }: BodyOf<'POST /therapist/add-therapy-approach-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      await assertKnown('therapy_types', ids, 'therapy_approach_list')
      return save(caller, ['approaches'], known, (tx, id) => own.replaceApproaches(tx, id, ids))
    },

    async saveIssues(
      caller: SignedIn,
      { issue_list: ids, age_groups: ageGroups }: BodyOf<'POST /therapist/add-issue-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      await assertKnown('issues', ids, 'issue_list')
      return save(caller, ['issues'], known, async (tx, id) => {
        await own.replaceIssues(tx, id, ids)
        if (ageGroups) await own.updateOwn(tx, id, { age_groups: [...new Set(ageGroups)] })
      })
    },

    /** @throws 422 `meeting_link` if something is offered online, in the practitioner's own room, without its link */
    async saveServices(
      caller: SignedIn,
      sent: BodyOf<'POST /therapist/add-service-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      const offered = [...offeredAs('online', sent.online), ...offeredAs('face_to_face', sent.face_to_face)]
      await assertKnown(
        'services',
        offered.map((service) => service.service_id),
        'online',
      )
      return save(caller, ['services'], known, async (tx, id) => {
        const stored = await own.readOwn(tx, id)
        const link = sent.meeting_link === undefined ? (stored?.meeting_link ?? null) : sent.meeting_link
        const room = sent.room ?? (sent.meeting_link ? 'own' : (stored?.room ?? 'hearth'))
        const isOnline = offered.some((service) => service.appointment_type === 'online')
        if (room === 'own' && isOnline && link === null) {
          throw invalidField('meeting_link', 'Enter the link to your online room: clients need it.')
        }
        await own.replaceServices(tx, id, offered)
        await own.updateOwn(tx, id, { meeting_link: link, room })
        const isOnlineRoom = stored !== undefined && ownLink(stored) !== ownLink({ room, meeting_link: link })
        await announcePlaces(tx, id, { locationIds: [], isOnlineRoom })
      })
    },

    /** Places keep their id; one that is left out is given up, with its hours in the schedule. @throws 422 */
    async saveLocations(
      caller: SignedIn,
      { location_list: sent }: BodyOf<'POST /therapist/add-location-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      return save(caller, ['locations'], known, async (tx, id) => {
        const present = new Map(
          (await store.readLocations(tx, id)).map((location) => [location.id, location]),
        )
        const kept = new Set<number>()
        const changed: number[] = []
        for (const place of sent) {
          const placeId = place.location_id ?? place.id ?? null
          const stored = present.get(placeId ?? 0)
          if (placeId === null) await own.insertLocation(tx, id, placeOf(place, undefined))
          else if (!stored || kept.has(placeId)) {
            throw invalidField('location_list', 'One of these places is not yours, or is there twice.')
          } else {
            kept.add(placeId)
            const wanted = placeOf(place, stored)
            if (isElsewhere(stored, wanted)) changed.push(placeId)
            await own.updateLocation(tx, id, placeId, wanted)
          }
        }
        await announcePlaces(tx, id, { locationIds: changed, isOnlineRoom: false })
        const gone = [...present.keys()].filter((placeId) => !kept.has(placeId))
        if (gone.length === 0) return
        await own.removeLocations(tx, id, gone, clock.now())
        await events.announce(tx, 'practitioner.left-places', { practitionerId: id, locationIds: gone })
      })
    },

    async saveInsurers(
      caller: SignedIn,
      {
        insurance_company_list: ids,
        works_with_insurance: works,
      }: BodyOf<'POST /therapist/add-insurance-company-list'>,
      known: KnownVersions,
    ): Promise<TherapistProfile> {
      await assertKnown('insurance_companies', ids, 'insurance_company_list')
      return save(caller, ['insurers'], known, async (tx, id) => {
        await own.replaceInsurers(tx, id, ids)
        await own.updateOwn(tx, id, { works_with_insurance: works ?? ids.length > 0 })
      })
    },

    // For later modules and for the documents ----------------------------------------------------------------------

    /** What is still missing of a profile, by step. */
    async missing(handle: Db, id: number): Promise<{ step: ProfileStep; missing: string[] }[]> {
      return missingSteps(toFilled(await rowsOf(handle, id)))
    },

    save,
    idOf,
    announceFact,
  }

  /** Asks the back office to look at a document or licence that was sent; see `isDecisionAsked`. */
  async function announceFact(tx: Tx, id: number, kind: FactKind): Promise<void> {
    const occasion = `${id} ${kind} ${clock.now().toISOString()}`
    await events.announce(tx, 'decision.asked', { of: 'fact', id: occasion })
  }

  /**
   * Saves steps of the caller's profile, unless one of them was saved elsewhere since the caller read it, and announces
   * the change. @throws 409 `changed_elsewhere` with the steps, and nothing saved
   */
  async function save(
    caller: SignedIn,
    steps: readonly ProfileStep[],
    known: KnownVersions,
    write: (tx: Tx, id: number, state: string) => Promise<void>,
  ): Promise<TherapistProfile> {
    return inTransaction(db, async (tx) => {
      const id = await idOf(tx, caller)
      const state = (await standingStore.lockState(tx, id)) ?? ''
      const versions = await own.readVersions(tx, id)
      const changed = steps.filter(
        (step) => (known[step] ?? versions.get(step) ?? 0) !== (versions.get(step) ?? 0),
      )
      if (changed.length > 0) {
        throw fail(
          'changed_elsewhere',
          'This step was saved in another window. Nothing from this one was saved.',
          { details: { steps: changed } },
        )
      }
      const isInsurance = steps.includes('insurance')
      const wasUninsured = isInsurance && (await own.readOwn(tx, id))?.has_indemnity === false
      await write(tx, id, state)
      if (wasUninsured) await insureAnew(tx, id, state)
      // A changed licence or insurance moves the date until which the practitioner is vetted.
      if (isInsurance || steps.includes('licences')) {
        await updateVettedUntil(tx, id)
        await events.announce(tx, 'practitioner.vetting-changed', { practitionerId: id })
      }
      await own.noteSaved(tx, id, steps, clock.now())
      await events.announce(tx, 'practitioner.changed', { practitionerId: id })
      return read(tx, id)
    })
  }

  async function announcePlaces(
    tx: Tx,
    practitionerId: number,
    { locationIds, isOnlineRoom }: { locationIds: number[]; isOnlineRoom: boolean },
  ): Promise<void> {
    if (locationIds.length === 0 && !isOnlineRoom) return
    await events.announce(tx, 'practitioner.changed-places', { practitionerId, locationIds, isOnlineRoom })
  }

  /**
   * Of a practitioner who went without insurance: says to be insured once approved only with a certificate that waits or
   * holds. An insurance that ended meanwhile does not hide the profile beside a newer certificate.
   * @throws 422 `has_insurance`
   */
  async function insureAnew(tx: Tx, id: number, state: string): Promise<void> {
    const now = clock.now()
    const today = dayInLondon(now)
    const certificates = (await documents.readDocuments(tx, id)).filter(
      ({ kind }) => kind === 'insurance_certificate',
    )
    const isNewer = certificates.some((each) => each.state === 'waiting')
    const isHeld = certificates.some((each) => each.state === 'accepted' && (each.expires_on ?? '') >= today)
    const isInsured = (await own.readOwn(tx, id))?.has_indemnity === true
    if (state === 'approved' && isInsured && !isNewer && !isHeld) {
      throw invalidField('has_insurance', 'Upload the certificate of your insurance first.')
    }
    if (!isNewer) return
    const ended = await replaceDecided(tx, id, 'insurance_certificate', today)
    for (const fileId of ended) await documents.setRemoved(tx, fileId, now)
  }

  function placeOf(sent: LocationSent, stored: store.LocationRow | undefined): own.Place {
    const { id: _id, location_id: _locationId, latitude, longitude, show_street, ...words } = sent
    const place = { ...words, postal_code: formatPostcode(words.postal_code) }
    const coordinates = { latitude: latitude ?? null, longitude: longitude ?? null }
    return {
      ...place,
      ...lookUpSent(gazetteer, { ...place, ...coordinates }, stored),
      show_street: show_street ?? stored?.show_street ?? false,
    }
  }

  async function idOf(handle: Db, caller: SignedIn): Promise<number> {
    const practitioner =
      caller.role === 'therapist' ? await store.findByAccount(handle, caller.accountId) : undefined
    if (!practitioner) throw notFound('This profile')
    return practitioner.id
  }

  async function rowsOf(handle: Db, id: number) {
    const row = await own.readOwn(handle, id)
    if (!row) throw notFound('This profile')
    return {
      row,
      belongings: await own.readBelongings(handle, id),
      locations: await store.readLocations(handle, id),
      documents: await documents.readDocuments(handle, id),
    }
  }

  async function read(handle: Db, id: number): Promise<TherapistProfile> {
    const rows = await rowsOf(handle, id)
    return toTherapistProfile({
      ...rows,
      titles: await own.readTitles(handle),
      genders: await own.readGenders(handle),
    })
  }

  /** @throws 422 under `field` where an id is of nothing */
  async function assertKnown(
    table: Parameters<typeof own.knownIds>[1],
    ids: number[],
    field: string,
  ): Promise<void> {
    const known = await own.knownIds(db, table, ids)
    if (ids.some((id) => !known.has(id))) {
      throw invalidField(field, 'One of these is no longer on our list. Please choose again.')
    }
  }

  async function fieldsOf(tx: Tx, id: number, sent: ProfileFields): Promise<own.OwnFields> {
    const bornAs = sent.date_of_birth === undefined ? 'dob' : 'date_of_birth'
    const born = sent[bornAs]
    if (born && (born < '1900-01-01' || !isAdult(born, clock.now()))) {
      throw invalidField(bornAs, 'Please check the date: practitioners are 18 or over.')
    }
    const about = sent.about ?? sent.bio
    const video = await videoOf(tx, id, sent)
    return {
      ...(sent.gender === undefined ? {} : { gender_id: await genderId(tx, sent.gender) }),
      ...(sent.pronouns === undefined ? {} : { pronouns: sent.pronouns }),
      ...(sent.title_id === undefined ? {} : { title_id: await titleId(tx, sent.title_id) }),
      ...(born === undefined ? {} : { date_of_birth: born }),
      ...(sent.phone_code === undefined && sent.phone_number === undefined
        ? {}
        : await phoneOf(tx, id, sent)),
      ...(sent.timezone_id == null ? {} : { timezone: await timezone(tx, sent.timezone_id) }),
      ...(about === undefined ? {} : { about }),
      ...(sent.short_description === undefined ? {} : { short_description: sent.short_description }),
      ...(sent.has_insurance == null ? {} : { has_indemnity: sent.has_insurance }),
      ...video,
    }
  }

  /** The last day of the certificate that waits to be checked. One that was checked keeps the day that was seen on it. */
  async function saveInsuranceEnd(tx: Tx, id: number, day: string | null): Promise<void> {
    const fault = day === null ? undefined : insuranceEndFault(day, dayInLondon(clock.now()))
    if (fault) throw invalidField('insurance_expires', fault)
    const certificates = (await documents.readDocuments(tx, id)).filter(
      ({ kind }) => kind === 'insurance_certificate',
    )
    const waiting = certificates.find(({ state }) => state === 'waiting')
    if (waiting) return documents.setExpiry(tx, waiting.id, day)
    if (certificates.some(({ state, expires_on }) => state === 'accepted' && expires_on === day)) return
    throw invalidField('insurance_expires', 'Upload the insurance certificate that this day is on first.')
  }

  /**
   * A link is kept for the choice of a link alone; a video that is not the choice any more is given up, with its captions
   * and its text.
   */
  async function videoOf(tx: Tx, id: number, sent: ProfileFields): Promise<own.OwnFields> {
    const { video_choice: number, video_url_link: link, video_transcript: transcript } = sent
    const unchanged = transcript === undefined ? {} : { video_transcript: transcript }
    if (number == null && link === undefined) return unchanged
    const stored = await own.readOwn(tx, id)
    // Older clients send the link without a choice, also where there is none.
    if (number == null && link === null && !stored?.video_url) return unchanged
    const choice = number == null ? 'link' : (videoChoice(number) ?? 'none')
    const url = link === undefined ? (stored?.video_url ?? null) : link
    if (choice === 'link') {
      if (url === null) throw invalidField('video_url_link', 'Enter the link to your video.')
      if (videoIdOf(url) === undefined) throw invalidField('video_url_link', videoLinkRefusal)
    }
    if (choice === 'own') return { video_choice: 'own', video_url: null, ...textOf(!stored?.video_url) }
    for (const file of [stored?.video_file_id, stored?.video_captions_file_id]) {
      if (file) await documents.setRemoved(tx, file, clock.now())
    }
    const isLink = choice === 'link'
    return {
      video_choice: choice,
      video_url: isLink ? url : null,
      video_file_id: null,
      video_captions_file_id: null,
      ...(isLink ? textOf(stored?.video_url === url) : { video_transcript: null, captions_asked_at: null }),
    }

    /** The text of the video: the one sent, or the present one if the video is the same. Another one was not asked about. */
    function textOf(isSame: boolean): own.OwnFields {
      const asked = isSame ? {} : { captions_asked_at: null }
      if (transcript !== undefined) return { ...asked, video_transcript: transcript }
      return isSame ? {} : { ...asked, video_transcript: null }
    }
  }

  async function genderId(tx: Tx, name: string | null): Promise<number | null> {
    if (name === null) return null
    const id = await reference.readGenderId(tx, name)
    if (id === undefined) throw invalidField('gender', 'Choose one from the list.')
    return id
  }

  async function titleId(tx: Tx, id: number | null): Promise<number | null> {
    if (id !== null && !(await own.knownIds(tx, 'titles', [id])).has(id)) {
      throw invalidField('title_id', 'Choose one from the list.')
    }
    return id
  }

  async function timezone(tx: Tx, id: number): Promise<string> {
    const name = await own.timezoneName(tx, id)
    if (name === undefined) throw invalidField('timezone_id', 'Choose one from the list.')
    return name
  }

  /** Both parts of the number, checked together by the numbering plans of the world. */
  async function phoneOf(tx: Tx, id: number, sent: ProfileFields): Promise<own.OwnFields> {
    const stored = await own.readOwn(tx, id)
    const code = sent.phone_code === undefined ? (stored?.phone_code ?? null) : sent.phone_code
    const number = sent.phone_number === undefined ? (stored?.phone_number ?? null) : sent.phone_number
    if (code !== null && !(await own.hasPhoneCode(tx, code))) {
      throw invalidField('phone_code', 'Choose one from the list.')
    }
    if (number === null) return { phone_code: code, phone_number: null }
    if (code === null) throw invalidField('phone_code', 'Choose the country code of your number.')
    const digits = nationalDigits(code, number)
    if (digits === undefined) {
      throw invalidField('phone_number', 'This is not a phone number of that country. Please check it.')
    }
    return { phone_code: code, phone_number: digits }
  }
}

/**
 * The digits of a phone number after its country code. It may be typed with the code or without, and with its trunk prefix
 * or without: the plan of the country says which digits belong to it. Undefined for a number of another country.
 */
function nationalDigits(code: string, number: string): string | undefined {
  const typed = number.replaceAll(/[\s().\p{Pd}\p{Cf}]/gu, '')
  const international = `+${typed.replace(/^(?:\+|00)/, '')}`
  const isInternational = typed.startsWith('+') || typed.startsWith('00')
  for (const whole of isInternational ? [international] : [`${code}${typed}`, international]) {
    const found = parsePhoneNumberFromString(whole)
    if (found?.isValid() && found.number.startsWith(code)) return found.number.slice(code.length)
  }
  return undefined
}

/** What the sliders start from. */
const usual = { minutes: 120, feePence: 16_000 }

type ServiceSent = { service_id: number; active?: boolean | undefined; duration: number; fee: number }

/** The active ones of a format; of one that is sent twice, the last. */
function offeredAs(
  appointment_type: own.OfferedService['appointment_type'],
  sent: readonly ServiceSent[] | null | undefined,
): own.OfferedService[] {
  const active = (sent ?? []).filter((service) => service.active !== false)
  return [...new Map(active.map((service) => [service.service_id, service])).values()].map(
    ({ service_id, duration, fee }) => ({
      service_id,
      appointment_type,
      duration_minutes: duration,
      fee_pence: Math.round(fee * 100),
    }),
  )
}
