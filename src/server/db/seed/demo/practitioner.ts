import { ageGroups, languageId, languages } from '../reference/lists.ts'
import { COUPLES_THERAPIST, licenseBodies, PSYCHIATRIST, services } from '../reference/professions.ts'
import type { BioWriter } from './bio/compose.ts'
import { issuePhrases } from './bio/phrases.ts'
import { type Origin, origins } from './origins.ts'
import { type Abroad, abroad, type Place, places, streets } from './places.ts'
import { choosePortrait } from './portrait/key.ts'
import { type Practice, practices } from './practices.ts'
import { createRandom, type Deck, type Random } from './random.ts'
import type { ReviewWriter } from './reviews.ts'
import { type WeekPattern, weeklySchedule, weekPatterns } from './schedule.ts'
import type { DemoLicense, DemoLocation, DemoPractitioner, DemoService } from './types.ts'

type GenderKey = 'female' | 'male' | 'neutral'

/** What is shared by a whole directory while it is made. */
export interface Workshop {
  seed: number
  /** YYYY-MM-DD. */
  today: string
  practices: Deck<Practice>
  bios: BioWriter
  reviews: ReviewWriter
  /** Full names in use; beyond a few thousand people they repeat, as they do in life. */
  names: Set<string>
  shorts: Set<string>
}

/** Facts that are given rather than drawn. */
export interface Given {
  practice?: Practice
  gender?: GenderKey
  originKey?: string
  name?: readonly [first: string, last: string]
  email?: string
  age?: number
  yearsOfExperience?: number
  formats?: 'both' | 'online'
  /** The practitioner's own link if left out. */
  room?: 'hearth'
  pattern?: WeekPattern
  availableNow?: boolean
  about?: string
  shortDescription?: string
  reviewsAtLeast?: number
}

/** Every practice in its share, so that a pack of them keeps the proportions. */
export const practicePack: readonly Practice[] = practices.flatMap((practice) =>
  Array.from({ length: practice.weight }, () => practice),
)

const titleIds = { doctor: 1, mister: 2, professor: 3, ms: 4 }
const genderIds: Readonly<Record<GenderKey, number>> = { male: 1, female: 2, neutral: 3 }
/** The usual ones first. */
const pronouns = {
  female: ['she/her', 'she/they'],
  male: ['he/him', 'he/they'],
  neutral: ['they/them', 'she/they', 'he/they'],
} as const
const servicesById = new Map(services.map((service) => [service.service_id, service]))
const bodiesById = new Map(licenseBodies.map((body) => [body.license_body_id, body]))
const EMDR = 4
const EMDR_ASSOCIATION = 14
const namePool = 4000

// Openly licensed films of the Blender Foundation, in place of recorded introductions.
const videoIds = ['aqz-KE-bpKQ', 'YE7VzlLtp-4', 'WhWc3b3KhnY']

/** The day `days` before another, both YYYY-MM-DD. */
function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}

function nameOf(origin: Origin, gender: GenderKey, names: Set<string>, random: Random): [string, string] {
  const families = gender === 'female' ? (origin.familyFemale ?? origin.family) : origin.family
  const draw = (): [string, string] => [random.pick(origin[gender]), random.pick(families)]
  let name = draw()
  for (let attempt = 0; attempt < 40 && names.size < namePool && names.has(name.join(' ')); attempt++)
    name = draw()
  if (names.size < namePool) names.add(name.join(' '))
  return name
}

/** A licence number in the body's format; `serial` makes it unique. */
function licenseNumber(format: string, serial: number, year: number): string {
  const digits = format.split('#').length - 1
  // 7919 shares no factor with ten, so that all numbers of this length come up before one repeats.
  const number = String((serial * 7919 + 31_337) % 10 ** digits).padStart(digits, '0')
  let position = 0
  return format
    .replace('YYYY', String(year))
    .replace('YY', String(year % 100).padStart(2, '0'))
    .replaceAll('#', () => number.charAt(position++))
}

function licensesOf(
  practice: Practice,
  index: number,
  year: number,
  therapyTypeIds: readonly number[],
  random: Random,
): DemoLicense[] {
  const ids = [random.pick(practice.bodies)]
  const second = practice.secondBody
  const may = second?.id !== EMDR_ASSOCIATION || therapyTypeIds.includes(EMDR)
  if (second && random.chance(second.chance) && may) ids.push(second.id)
  return ids.map((licenseBodyId) => ({
    providerTypeId: practice.providerTypeId,
    licenseBodyId,
    licenseNumber: licenseNumber(bodiesById.get(licenseBodyId)?.number_format ?? '#####', index, year),
  }))
}

function locationAt(place: Place, random: Random): DemoLocation {
  const street = random.pick(streets)
  const letters = 'ABDEFGHJLNPQRSTUWXYZ'
  const letter = () => letters.charAt(random.int(0, letters.length - 1))
  const roomName = random.pick(['Consulting room', 'Practice', 'Therapy rooms', 'Quiet room'])
  return {
    name: `${roomName}, ${place.area ?? place.city}`,
    country: 'United Kingdom',
    city: place.city,
    street,
    homeNumber: String(random.int(1, 148)),
    postalCode: `${random.pick(place.districts)} ${random.int(1, 9)}${letter()}${letter()}`,
    latitude: Number((place.latitude + (random.next() - 0.5) * 0.02).toFixed(5)),
    longitude: Number((place.longitude + (random.next() - 0.5) * 0.03).toFixed(5)),
  }
}

function locationsOf(random: Random): DemoLocation[] {
  const first = random.weighted(places)
  const locations = [locationAt(first, random)]
  if (random.chance(0.14)) {
    const nearby = places.filter((place) => place.city === first.city)
    locations.push(locationAt(random.pick(nearby), random))
  }
  return locations
}

const toFivePounds = (pounds: number) => Math.round(pounds / 5) * 5

function servicesOf(
  practice: Practice,
  second: Practice['second'] | undefined,
  formats: readonly DemoService['appointmentType'][],
  random: Random,
): DemoService[] {
  const base = random.int(practice.base[0], practice.base[1])
  const chosen = practice.services
    .filter((service) => random.chance(service.chance))
    .map((service) => ({ id: service.id, factor: service.factor, band: practice.band }))
  const other = practices.find((entry) => entry.providerTypeId === second?.providerTypeId)
  if (second && other && !chosen.some((service) => service.id === second.serviceId)) {
    chosen.push({ id: second.serviceId, factor: 1.25, band: other.band })
  }
  return chosen.flatMap(({ id, factor, band }) => {
    const usual = servicesById.get(id)?.usual_minutes ?? []
    const [commonest = 50] = usual
    const durationMinutes = random.chance(0.72) ? commonest : random.pick(usual)
    const longer = (durationMinutes / commonest) ** 0.85
    const pounds = Math.min(band[1], Math.max(band[0], toFivePounds(base * factor * longer)))
    // A walk cannot be taken on a screen.
    const possible = id === 17 ? formats.filter((format) => format === 'face_to_face') : formats
    return possible.map((appointmentType) => ({
      serviceId: id,
      appointmentType,
      durationMinutes,
      feePence: pounds * 100,
    }))
  })
}

function titleOf(practice: Practice, gender: GenderKey, years: number, random: Random): number | null {
  if (
    practice.providerTypeId !== PSYCHIATRIST &&
    practice.doctor === 1 &&
    years >= 18 &&
    random.chance(0.12)
  ) {
    return titleIds.professor
  }
  if (random.chance(practice.doctor)) return titleIds.doctor
  if (gender === 'neutral' || random.chance(0.35)) return null
  return gender === 'female' ? titleIds.ms : titleIds.mister
}

/** Most non-binary practitioners show their pronouns, and every second of the others. */
function pronounsOf(gender: GenderKey, random: Random): DemoPractitioner['pronouns'] {
  if (!random.chance(gender === 'neutral' ? 0.9 : 0.5)) return null
  const [usual, ...others] = pronouns[gender]
  return random.chance(0.85) ? usual : random.pick(others)
}

function insurersOf(random: Random): number[] {
  // The large insurers keep lists of recognised practitioners; the others are met now and then.
  const large = random.sample([1, 2, 3, 4, 5, 6, 7, 8], random.int(2, 6))
  const small = random.chance(0.3) ? random.sample([9, 10, 11, 12, 13, 14, 17, 18, 20], random.int(1, 2)) : []
  return [...large, ...small]
}

function languagesOf(origin: Origin, random: Random): number[] {
  const others = origin.languages
    .filter(({ chance }) => random.chance(chance))
    .map(({ name }) => languageId(name))
  return [languageId('English'), ...others]
}

// The issues that a practitioner of a service also treats, by service id.
const impliedIssues: Readonly<Record<number, readonly number[]>> = {
  3: [25],
  4: [29],
  6: [32],
  10: [37],
  14: [28],
}
const impliedApproaches: Readonly<Record<number, readonly number[]>> = { 4: [9], 5: [1], 6: [4], 12: [15] }

const bioHours: Readonly<Record<WeekPattern, 'evenings' | 'weekend' | 'few' | 'closed' | 'any'>> = {
  always: 'any',
  office: 'any',
  mornings: 'any',
  school: 'any',
  mixed: 'any',
  evenings: 'evenings',
  weekend: 'weekend',
  few: 'few',
  closed: 'closed',
}

/** Makes the practitioner at a position of the directory, approved and subscribed. */
export function makePractitioner(index: number, workshop: Workshop, given: Given = {}): DemoPractitioner {
  const random = createRandom(workshop.seed, `practitioner ${index}`)
  const practice = given.practice ?? workshop.practices.draw()
  const medical = practice.providerTypeId === PSYCHIATRIST
  const origin = origins.find((entry) => entry.key === given.originKey) ?? random.weighted(origins)
  const gender: GenderKey =
    given.gender ??
    random.weighted([
      { key: 'female' as const, weight: medical ? 48 : 70 },
      { key: 'male' as const, weight: medical ? 49 : 25 },
      { key: 'neutral' as const, weight: medical ? 3 : 5 },
    ]).key
  const [firstName, lastName] = given.name ?? nameOf(origin, gender, workshop.names, random)

  const yearsOfExperience = given.yearsOfExperience ?? 2 + Math.floor(random.next() ** 1.4 * 30)
  const lateStart = random.chance(0.45) ? random.int(4, 18) : random.int(0, 4)
  const age = given.age ?? Math.min(76, practice.startAge + yearsOfExperience + lateStart)
  const qualifiedYear = Number(workshop.today.slice(0, 4)) - yearsOfExperience

  const moved: Abroad | undefined =
    !given.formats && !medical && random.chance(0.05) ? random.pick(abroad) : undefined
  const inRoom = given.formats ? given.formats === 'both' : !moved && random.chance(practice.faceToFaceChance)
  const online = !inRoom || given.formats === 'both' || random.chance(0.86)
  const ownRoom = online && given.room !== 'hearth'
  const locations = inRoom ? locationsOf(random) : []
  const formats: DemoService['appointmentType'][] = []
  if (online) formats.push('online')
  if (inRoom) formats.push('face_to_face')

  const second = practice.second && random.chance(practice.second.chance) ? practice.second : undefined
  const issueIds = [
    ...random.sample(practice.coreIssues, random.int(3, 6)),
    ...random.sample(practice.otherIssues, random.int(2, 5)),
  ]
  const therapyTypeIds = [
    ...random.sample(practice.coreApproaches, practice.coreApproaches.length > 2 ? random.int(2, 3) : 2),
    ...random.sample(practice.otherApproaches, random.int(1, 2)),
    ...(second?.serviceId === 3 ? [8] : []),
  ]
  const offered = servicesOf(practice, second, formats, random)
  for (const { serviceId } of offered) {
    issueIds.push(...(impliedIssues[serviceId] ?? []))
    therapyTypeIds.push(...(impliedApproaches[serviceId] ?? []))
  }
  const languageIds = languagesOf(origin, random)
  const worksWithInsurance = random.chance(practice.insuranceChance)
  const pattern = given.pattern ?? random.weighted(weekPatterns).pattern
  const youngService = offered.some((service) => service.serviceId === 15 || service.serviceId === 4)
  const createdDaysAgo = random.int(30, Math.min(1500, yearsOfExperience * 300))

  const subject = {
    providerTypeId: practice.providerTypeId,
    noun: practice.noun,
    age,
    yearsOfExperience,
    qualifiedYear,
    place: moved?.where ?? locations[0]?.city ?? random.weighted(places).city,
    city: locations[0]?.city ?? null,
    online,
    abroad: moved !== undefined,
    hours: bioHours[pattern],
    issueIds: [...new Set(issueIds)],
    therapyTypeIds: [...new Set(therapyTypeIds)],
    languages: languageIds
      .slice(1)
      .map((id) => (languages[id - 1]?.language_name ?? '').replace(' (BSL)', '')),
    seesYoungPeople: youngService,
    worksWithInsurance,
  }
  let shortDescription = given.shortDescription ?? workshop.bios.short(subject, random)
  for (let attempt = 0; attempt < 8 && workshop.shorts.has(shortDescription); attempt++) {
    shortDescription = workshop.bios.short(subject, random)
  }
  if (workshop.shorts.size < namePool) workshop.shorts.add(shortDescription)

  const slug = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z.-]/g, '')
  return {
    index,
    firstName,
    lastName,
    email: given.email ?? `${slug}.${index + 1}@directory.demo.test`,
    providerTypeIds: [practice.providerTypeId, ...(second ? [second.providerTypeId] : [])],
    titleId: titleOf(practice, gender, yearsOfExperience, random),
    genderId: genderIds[gender],
    // Of their own draw, so that all other facts stay as they were.
    pronouns: pronounsOf(gender, createRandom(workshop.seed, `pronouns ${index}`)),
    dateOfBirth: daysBefore(
      `${Number(workshop.today.slice(0, 4)) - age}${workshop.today.slice(4).replace('02-29', '02-28')}`,
      random.int(0, 364),
    ),
    phoneCode: '+44',
    phoneNumber: `7700900${String(random.int(0, 999)).padStart(3, '0')}`,
    timezone: moved?.timezone ?? 'Europe/London',
    yearsOfExperience,
    about: given.about ?? workshop.bios.about(subject, random),
    shortDescription,
    ageGroups: [
      ...(youngService && random.chance(0.5) ? [ageGroups[0]] : []),
      ...(youngService ? [ageGroups[1]] : []),
      ageGroups[2],
      ...(random.chance(0.7) ? [ageGroups[3]] : []),
    ],
    issueIds: subject.issueIds.toSorted((one, other) => one - other),
    therapyTypeIds: subject.therapyTypeIds.toSorted((one, other) => one - other),
    languageIds,
    insuranceCompanyIds: worksWithInsurance ? insurersOf(random) : [],
    worksWithInsurance,
    insuranceCertificateExpires: daysBefore(workshop.today, -random.int(20, 360)),
    licenses: licensesOf(practice, index, qualifiedYear, therapyTypeIds, random),
    locations,
    services: offered,
    schedule: weeklySchedule(pattern, { online, rooms: locations.length }, random),
    room: ownRoom ? 'own' : 'hearth',
    meetingLink: ownRoom ? `https://meet.demo.test/${slug.replaceAll('.', '-')}-${1000 + index}` : null,
    videoUrl: random.chance(0.1) ? `https://www.youtube.com/watch?v=${random.pick(videoIds)}` : null,
    availableNow: given.availableNow ?? false,
    state: 'approved',
    stateReason: null,
    subscription: 'active',
    createdDaysAgo,
    portrait: choosePortrait({ gender, age, origin }, random, createRandom(workshop.seed, `pose ${index}`)),
    reviews: workshop.reviews.write(random, {
      firstName,
      issues: subject.issueIds.map((id) => issuePhrases[id] ?? ''),
      online,
      room: inRoom,
      evenings: pattern === 'evenings' || pattern === 'always' || pattern === 'weekend',
      profession: medical ? 'medical' : practice.providerTypeId === COUPLES_THERAPIST ? 'couples' : 'other',
      maxAgeDays: createdDaysAgo,
      atLeast: given.reviewsAtLeast ?? 0,
    }),
  }
}
