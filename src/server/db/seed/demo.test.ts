import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { dayInLondon, days, later } from '#server/clock.ts'
import { inZone } from '#server/months.ts'
import { issuePhrases } from './demo/bio/phrases.ts'
import { type DemoSession, planHistory } from './demo/history.ts'
import { origins } from './demo/origins.ts'
import { portraitSvg } from './demo/portrait/draw.ts'
import { practices } from './demo/practices.ts'
import type { DemoPractitioner } from './demo/types.ts'
import { demoAccounts, demoPractitioners, generateDemoDirectory } from './demo.ts'
import { ageGroups, languageId } from './reference/lists.ts'
import { COUNSELLOR, licenseBodies, PSYCHIATRIST, services } from './reference/professions.ts'
import { referenceData } from './reference.ts'

const today = '2026-03-02'
const options = { count: 240, seed: 20_260_301, today }
const directory = generateDemoDirectory(options)
const { practitioners, unlisted } = directory

const practiceOf = (person: DemoPractitioner) =>
  practices.find((practice) => practice.providerTypeId === person.providerTypeIds[0])!
const nameOf = (person: DemoPractitioner) => `${person.firstName} ${person.lastName}`
const wordsOf = (text: string) => text.split(/\s+/)
const offers = (person: DemoPractitioner, format: 'online' | 'face_to_face') =>
  person.services.some((service) => service.appointmentType === format)

/** Names of the practitioners who fail a check, so that a failed test names them. */
const wrong = (check: (person: DemoPractitioner) => boolean, people = practitioners) =>
  people.filter((person) => !check(person)).map(nameOf)

function ageOf(person: DemoPractitioner): number {
  const [year = 0, month = 0, day = 0] = person.dateOfBirth.split('-').map(Number)
  const [thisYear = 0, thisMonth = 0, thisDay = 0] = today.split('-').map(Number)
  return thisYear - year - (thisMonth < month || (thisMonth === month && thisDay < day) ? 1 : 0)
}

describe('the same seed', () => {
  test('gives the same directory', () => {
    expect(generateDemoDirectory(options)).toEqual(directory)
  })

  test('begins a larger directory with the same people', () => {
    const more = demoPractitioners({ ...options, count: 300 })
    expect(Array.from({ length: 240 }, () => more.next().value)).toEqual(practitioners)
  })
})

test('another seed gives other people', () => {
  const others = new Set(generateDemoDirectory({ ...options, seed: 7 }).practitioners.map(nameOf))
  expect(practitioners.filter((person) => others.has(nameOf(person))).length).toBeLessThan(60)
})

test('there are as many as asked for, all approved and subscribed, and a few in every other state', () => {
  expect(practitioners.length).toBe(240)
  expect(wrong((person) => person.state === 'approved' && person.subscription === 'active')).toEqual([])
  expect(new Set(unlisted.map((person) => person.state))).toEqual(
    new Set(['draft', 'submitted', 'approved', 'rejected', 'suspended']),
  )
  expect(
    unlisted.filter((person) => person.state === 'approved' && person.subscription === 'active'),
  ).toEqual([])
  expect(
    wrong(
      (person) => (person.stateReason !== null) === ['rejected', 'suspended'].includes(person.state),
      unlisted,
    ),
  ).toEqual([])
})

test('names, mail addresses, licence numbers and texts belong to one person each', () => {
  const everybody = [...practitioners, ...unlisted]
  const distinct = (values: string[]) => expect(new Set(values).size).toBe(values.length)
  distinct(everybody.map((person) => person.email))
  distinct(everybody.map((person) => nameOf(person)))
  distinct(
    everybody.flatMap((person) =>
      person.licenses.map((license) => `${license.licenseBodyId} ${license.licenseNumber}`),
    ),
  )
  distinct(practitioners.map((person) => person.shortDescription))
  distinct(practitioners.map((person) => person.about))
  for (const { email } of everybody) expect(email).toMatch(/^[a-z.0-9-]+@(directory\.)?demo\.test$/)
})

test('every profession is there, and so is every issue and every way of working of the reference data', () => {
  const seen = (ids: number[], all: readonly number[]) =>
    expect(all.filter((id) => !ids.includes(id))).toEqual([])
  seen(
    practitioners.flatMap((person) => person.providerTypeIds),
    referenceData.providerTypes.map((row) => row.provider_id),
  )
  seen(
    practitioners.flatMap((person) => person.issueIds),
    referenceData.issues.map((row) => row.issue_id),
  )
  // Interpersonal therapy and DBT may be missing from so small a directory, the common ones not.
  seen(
    practitioners.flatMap((person) => person.therapyTypeIds),
    [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20],
  )
})

test('every id is one of the reference data', () => {
  const known = {
    titles: new Set(referenceData.titles.map((row) => row.id)),
    issues: new Set(referenceData.issues.map((row) => row.issue_id)),
    therapies: new Set(referenceData.therapyTypes.map((row) => row.therapy_type_id)),
    languages: new Set(referenceData.languages.map((row) => row.language_id)),
    insurers: new Set(referenceData.insuranceCompanies.map((row) => row.insurance_company_id)),
    zones: new Set(referenceData.timezones.map((row) => row.timezone_name)),
  }
  const within = (ids: number[], set: Set<number>) =>
    ids.every((id) => set.has(id)) && new Set(ids).size === ids.length
  expect(
    wrong(
      (person) =>
        (person.titleId === null || known.titles.has(person.titleId)) &&
        within(person.issueIds, known.issues) &&
        within(person.therapyTypeIds, known.therapies) &&
        within(person.languageIds, known.languages) &&
        within(person.insuranceCompanyIds, known.insurers) &&
        known.zones.has(person.timezone) &&
        person.ageGroups.every((group) => ageGroups.some((known) => known === group)),
      [...practitioners, ...unlisted],
    ),
  ).toEqual([])
})

describe('each practitioner agrees with their profession', () => {
  test('a psychiatrist is a doctor with a GMC number of seven digits who assesses and reviews medication', () => {
    const psychiatrists = practitioners.filter((person) => person.providerTypeIds.includes(PSYCHIATRIST))
    expect(psychiatrists.length).toBeGreaterThan(15)
    for (const person of psychiatrists) {
      expect(person.titleId, nameOf(person)).toBe(1)
      expect(person.licenses[0]?.licenseBodyId).toBe(1)
      expect(person.licenses[0]?.licenseNumber).toMatch(/^\d{7}$/)
      const offered = new Set(person.services.map((service) => service.serviceId))
      expect(offered.has(7) && offered.has(8), nameOf(person)).toBe(true)
      for (const service of person.services) {
        expect(service.feePence).toBeGreaterThanOrEqual(18_000)
        expect(service.feePence).toBeLessThanOrEqual(40_000)
      }
    }
  })

  test('only psychiatrists assess for or review medication, and only doctors are called so', () => {
    expect(
      wrong(
        (person) =>
          person.providerTypeIds.includes(PSYCHIATRIST) ||
          !person.services.some((service) => [7, 8, 9].includes(service.serviceId)),
      ),
    ).toEqual([])
    expect(wrong((person) => ![1, 3].includes(person.titleId ?? 0) || practiceOf(person).doctor > 0)).toEqual(
      [],
    )
  })

  test('a counsellor costs between £45 and £80 as a counsellor', () => {
    const counsellors = practitioners.filter((person) => person.providerTypeIds[0] === COUNSELLOR)
    expect(counsellors.length).toBeGreaterThan(30)
    for (const service of counsellors.flatMap((person) => person.services)) {
      if (service.serviceId === 3) continue
      expect(service.feePence).toBeGreaterThanOrEqual(4500)
      expect(service.feePence).toBeLessThanOrEqual(8000)
    }
  })

  test('licences come from a body of the profession, in the form of its numbers', () => {
    for (const license of [...practitioners, ...unlisted].flatMap((person) => person.licenses)) {
      const body = licenseBodies.find((entry) => entry.license_body_id === license.licenseBodyId)
      expect(body?.provider_ids).toContain(license.providerTypeId)
      const form = body?.number_format
        .replace('YYYY', '\\d{4}')
        .replace('YY', '\\d{2}')
        .replaceAll('#', '\\d')
      expect(license.licenseNumber).toMatch(new RegExp(`^${form}$`))
    }
    const inEmdrAssociation = practitioners.filter((person) =>
      person.licenses.some((license) => license.licenseBodyId === 14),
    )
    expect(wrong((person) => person.therapyTypeIds.includes(4), inEmdrAssociation)).toEqual([])
  })

  test('services belong to a profession of theirs, at a price of it and a length that can be booked', () => {
    for (const person of practitioners) {
      expect(person.services.length, nameOf(person)).toBeGreaterThan(0)
      const bands = practices.filter((practice) => person.providerTypeIds.includes(practice.providerTypeId))
      const keys = person.services.map((service) => `${service.serviceId} ${service.appointmentType}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const offered of person.services) {
        const service = services.find((row) => row.service_id === offered.serviceId)
        expect(service?.provider_ids.some((id) => person.providerTypeIds.includes(id))).toBe(true)
        expect(service?.usual_minutes).toContain(offered.durationMinutes)
        const pounds = offered.feePence / 100
        expect(
          bands.some(({ band }) => pounds >= band[0] && pounds <= band[1]),
          nameOf(person),
        ).toBe(true)
      }
    }
  })

  test('years in practice fit the age', () => {
    expect(
      wrong((person) => {
        const age = ageOf(person)
        return age <= 78 && person.yearsOfExperience >= 2 && age - person.yearsOfExperience >= 24
      }),
    ).toEqual([])
    expect(
      wrong(
        (person) =>
          person.providerTypeIds[0] !== PSYCHIATRIST || ageOf(person) - person.yearsOfExperience >= 32,
      ),
    ).toEqual([])
  })

  test('issues and ways of working come from the profession and what it offers', () => {
    for (const person of practitioners) {
      const practice = practiceOf(person)
      expect(person.issueIds.length).toBeGreaterThanOrEqual(5)
      expect(person.therapyTypeIds.length).toBeGreaterThanOrEqual(2)
      expect(practice.coreIssues.some((id) => person.issueIds.includes(id))).toBe(true)
      expect(practice.coreApproaches.some((id) => person.therapyTypeIds.includes(id))).toBe(true)
      expect(person.therapyTypeIds.includes(18)).toBe(practice.providerTypeId === PSYCHIATRIST)
    }
  })
})

describe('each practitioner agrees with their name', () => {
  const originsOf = (person: DemoPractitioner) =>
    origins.filter(
      (origin) =>
        [...origin.family, ...(origin.familyFemale ?? [])].includes(person.lastName) &&
        [...origin.female, ...origin.male, ...origin.neutral].includes(person.firstName),
    )

  test('the given name goes with the gender', () => {
    const lists = new Map([
      [1, 'male'],
      [2, 'female'],
      [3, 'neutral'],
    ] as const)
    expect(
      wrong((person) =>
        originsOf(person).some((origin) => {
          const list = [...lists].find(([id]) => id === person.genderId)?.[1]
          return list !== undefined && origin[list].includes(person.firstName)
        }),
      ),
    ).toEqual([])
  })

  test('every practitioner speaks English, and otherwise only languages of the origin of the name', () => {
    expect(
      wrong((person) => {
        const [first, ...others] = person.languageIds
        return (
          first === languageId('English') &&
          originsOf(person).some((origin) =>
            others.every((id) => origin.languages.some(({ name }) => languageId(name) === id)),
          )
        )
      }),
    ).toEqual([])
    expect(new Set(practitioners.flatMap((person) => person.languageIds)).size).toBeGreaterThan(20)
  })

  test('a portrait has a beard, a hijab or a turban only where it fits', () => {
    for (const { portrait, genderId, ...person } of practitioners) {
      expect(portrait, person.firstName).not.toBeNull()
      if (portrait?.beard !== 'none') expect(genderId).not.toBe(2)
      if (portrait?.hairStyle === 'hijab') expect(genderId).toBe(2)
      if (portrait?.hairStyle === 'turban') expect(genderId).toBe(1)
    }
  })

  test('portraits differ in pose and framing, and none has a part that does not exist', () => {
    const drawn = practitioners.map((person) => person.portrait!)
    const different = (of: (key: (typeof drawn)[number]) => unknown) => new Set(drawn.map(of)).size
    expect(different(({ frame }) => frame)).toBe(3)
    expect(different(({ turn }) => turn)).toBe(5)
    expect(different(({ gesture }) => gesture)).toBe(5)
    expect(different(({ scene }) => scene)).toBe(9)
    expect(different(({ hairStyle }) => hairStyle)).toBeGreaterThan(30)
    expect(
      different(({ turn, tilt, frame, isMirrored }) => [turn, tilt, frame, isMirrored].join()),
    ).toBeGreaterThan(100)
    for (const key of drawn) expect(portraitSvg(key)).not.toMatch(/undefined|NaN/)
  })
})

describe('where and when', () => {
  test('an own room has a link and online services, and a location goes with services in person', () => {
    expect(
      wrong(
        (person) =>
          (person.meetingLink !== null) === (person.room === 'own') &&
          (person.room === 'hearth' || offers(person, 'online')) &&
          person.locations.length > 0 === offers(person, 'face_to_face') &&
          (person.meetingLink ?? 'https://').startsWith('https://'),
      ),
    ).toEqual([])
  })

  test('locations lie in the United Kingdom and have a full address', () => {
    for (const location of practitioners.flatMap((person) => person.locations)) {
      expect(location.latitude).toBeGreaterThan(50)
      expect(location.latitude).toBeLessThan(58.7)
      expect(location.longitude).toBeGreaterThan(-6.5)
      expect(location.longitude).toBeLessThan(1.8)
      expect(location.postalCode).toMatch(/^[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}$/)
      expect(location.country).toBe('United Kingdom')
      expect([location.street, location.homeNumber, location.city, location.name]).not.toContain('')
    }
  })

  test('those who live abroad work online only and say where they live', () => {
    const abroad = practitioners.filter((person) => person.timezone !== 'Europe/London')
    expect(abroad.length).toBeGreaterThan(3)
    for (const person of abroad) {
      expect(offers(person, 'face_to_face'), nameOf(person)).toBe(false)
      expect(person.about).toMatch(/live in|moved to|Home is now/)
    }
  })

  test('the weekly hours are unique, within the day, and in a format and place that is offered', () => {
    for (const person of practitioners) {
      const keys = person.schedule.map((slot) => `${slot.weekday} ${slot.hour} ${slot.appointmentType}`)
      expect(new Set(keys).size, nameOf(person)).toBe(keys.length)
      for (const slot of person.schedule) {
        expect(slot.weekday).toBeGreaterThanOrEqual(1)
        expect(slot.weekday).toBeLessThanOrEqual(7)
        expect(slot.hour).toBeGreaterThanOrEqual(8)
        expect(slot.hour).toBeLessThanOrEqual(21)
        expect(offers(person, slot.appointmentType), nameOf(person)).toBe(true)
        if (slot.appointmentType === 'online') expect(slot.locationIndex).toBeNull()
        else expect(person.locations[slot.locationIndex ?? -1], nameOf(person)).toBeDefined()
      }
      if (person.schedule.length > 0) {
        for (const format of ['online', 'face_to_face'] as const) {
          expect(person.schedule.some((slot) => slot.appointmentType === format)).toBe(offers(person, format))
        }
      }
    }
  })

  test('a few have no hours at all, some work evenings and some at the weekend', () => {
    const closed = practitioners.filter((person) => person.schedule.length === 0).length
    expect(closed).toBeGreaterThanOrEqual(7)
    expect(closed).toBeLessThanOrEqual(24)
    expect(
      practitioners.filter((person) => person.schedule.some((slot) => slot.hour >= 18)).length,
    ).toBeGreaterThan(30)
    expect(
      practitioners.filter((person) => person.schedule.some((slot) => slot.weekday >= 6)).length,
    ).toBeGreaterThan(12)
  })

  test('only the practitioner with a sign-in is available now, so that a request can be answered', () => {
    const available = practitioners.filter((person) => person.availableNow)
    expect(available.map((person) => person.email)).toEqual(['therapist@demo.test'])
  })
})

test('insurers are named exactly where sessions by insurance are offered', () => {
  expect(wrong((person) => person.worksWithInsurance === person.insuranceCompanyIds.length > 0)).toEqual([])
  expect(wrong((person) => (person.insuranceCertificateExpires ?? '') > today)).toEqual([])
})

test('telephone numbers are from the range kept for fiction, videos from the pages that embed', () => {
  for (const person of practitioners) {
    expect(person.phoneNumber).toMatch(/^7700900\d{3}$/)
    expect(person.videoUrl ?? 'https://www.youtube.com/watch?v=aqz-KE-bpKQ').toMatch(
      /^https:\/\/www\.youtube\.com\/watch\?v=[\w-]{11}$/,
    )
  }
})

describe('bios', () => {
  test('have 130 to 320 words, no left-over brackets or marks, and promise nothing', () => {
    for (const person of practitioners) {
      const words = wordsOf(person.about).length
      expect(words, nameOf(person)).toBeGreaterThanOrEqual(130)
      expect(words, nameOf(person)).toBeLessThanOrEqual(320)
      for (const text of [
        person.about,
        person.shortDescription,
        ...person.reviews.map((review) => review.comment),
      ]) {
        expect(text).not.toMatch(/[[\]{}|@!]|undefined| {2}|,,/)
        expect(text).not.toMatch(/\b(cure|guarantee|heal(?:ed|s|ing)?)\b/i)
      }
      expect(person.about).not.toContain(person.shortDescription)
    }
  })

  test('hardly share a run of twelve words', () => {
    const usedIn = new Map<string, Set<number>>()
    for (const [index, person] of practitioners.entries()) {
      for (const sentence of person.about.split(/(?<=[.?;:])\s+/)) {
        const words = wordsOf(sentence)
        // The first twelve words stand for the sentence, so that one shared sentence counts once.
        if (words.length < 12) continue
        const run = words.slice(0, 12).join(' ')
        usedIn.set(run, (usedIn.get(run) ?? new Set()).add(index))
      }
    }
    const shared = new Map<string, number>()
    for (const people of usedIn.values()) {
      const list = [...people]
      for (const [position, one] of list.entries()) {
        for (const other of list.slice(position + 1)) {
          shared.set(`${one} ${other}`, (shared.get(`${one} ${other}`) ?? 0) + 1)
        }
      }
    }
    const pairs = (240 * 239) / 2
    const withAtLeast = (count: number) => [...shared.values()].filter((value) => value >= count).length
    expect(usedIn.size).toBeGreaterThan(300)
    expect(withAtLeast(1)).toBeLessThan(pairs * 0.25)
    expect(withAtLeast(2)).toBeLessThan(pairs * 0.03)
    expect(withAtLeast(3)).toBeLessThan(pairs * 0.001)
    expect(withAtLeast(4)).toBe(0)
  })

  test('do not repeat a sentence within themselves', () => {
    expect(
      wrong((person) => {
        const sentences = person.about.split(/(?<=[.?])\s+/)
        return new Set(sentences).size === sentences.length
      }),
    ).toEqual([])
  })

  test('mention something that the person treats', () => {
    const silent = wrong((person) =>
      person.issueIds.some((id) =>
        `${person.about} ${person.shortDescription}`.includes(issuePhrases[id] ?? '…'),
      ),
    )
    expect(silent.filter((name) => name !== 'Grace Holloway')).toEqual([])
  })
})

describe('reviews', () => {
  const all = practitioners.flatMap((person) => person.reviews)

  test('are none to forty for each, by pseudonyms, on days since the account was made', () => {
    expect(wrong((person) => person.reviews.length <= 40)).toEqual([])
    expect(practitioners.filter((person) => person.reviews.length === 0).length).toBeGreaterThan(8)
    for (const person of practitioners) {
      for (const review of person.reviews) {
        expect(review.createdDaysAgo).toBeGreaterThanOrEqual(1)
        expect(review.createdDaysAgo).toBeLessThanOrEqual(Math.max(2, person.createdDaysAgo))
        expect(review.reviewerName).toMatch(
          /^([A-Z]\.( [A-Z]\.)?(, \d\d)?|(A |Returning )?[Cc]lient( since spring|, \d\d)?|Anonymous)$/,
        )
      }
    }
  })

  test('lean towards five stars without all being so', () => {
    const share = (rating: number) => all.filter((review) => review.rating === rating).length / all.length
    expect(all.every((review) => [1, 2, 3, 4, 5].includes(review.rating))).toBe(true)
    expect(share(5)).toBeGreaterThan(0.5)
    expect(share(5)).toBeLessThan(0.85)
    expect(share(1) + share(2) + share(3)).toBeGreaterThan(0.02)
  })

  test('seldom use the same words twice', () => {
    expect(new Set(all.map((review) => review.comment)).size).toBeGreaterThan(all.length * 0.6)
    expect(
      wrong(
        (person) =>
          new Set(person.reviews.map((review) => review.comment)).size > person.reviews.length * 0.85 - 1,
      ),
    ).toEqual([])
  })
})

test('the demo therapist is the first of the directory, with hours on six days in both formats', () => {
  const account = demoAccounts.find(({ role }) => role === 'therapist')
  const [first] = practitioners
  expect(first).toMatchObject({
    email: 'therapist@demo.test',
    firstName: account?.firstName,
    lastName: account?.lastName,
    state: 'approved',
  })
  expect(new Set(first?.schedule.map((slot) => slot.weekday)).size).toBe(6)
  expect(demoAccounts.map(({ email }) => email)).toEqual([
    'client@demo.test',
    'therapist@demo.test',
    'admin@demo.test',
  ])
})

describe('the history behind the demo accounts', () => {
  // Over the days on which clocks change, the ends of months and every weekday.
  const instants = ['2026-03-20', '2026-10-18', '2026-12-25'].flatMap((start) =>
    Array.from({ length: 18 }, (_, index) => later(new Date(`${start}T22:30:00Z`), days(index))),
  )
  const ofGuest = (sessions: readonly DemoSession[]) =>
    sessions.filter(({ client }) => client === 'client@demo.test')

  test.each([240, 3])('is whole on every day, with %i practitioners', (count) => {
    const people = practitioners.slice(0, count)
    for (const now of instants) {
      const { sessions, payouts } = planHistory(people, now)
      const at = now.toISOString()
      const mine = ofGuest(sessions).map(({ startsAt }) => startsAt)
      expect(mine.filter((startsAt) => startsAt > now).length, at).toBe(2)
      expect(mine.map(dayInLondon), at).toContain(dayInLondon(later(now, days(1))))
      expect(mine.filter((startsAt) => startsAt < now).length, at).toBe(2)
      expect(sessions.filter(({ review }) => review).length, at).toBe(people[0]?.reviews.length)
      const ahead = sessions.filter(({ state }) => state === 'confirmed')
      expect(
        ahead.every(({ startsAt }) => dayInLondon(startsAt) > dayInLondon(now)),
        at,
      ).toBe(true)
      expect(new Set(sessions.map(({ startsAt }) => startsAt.getTime())).size, at).toBe(sessions.length)
      const earned = sessions
        .filter(({ practitioner, state }) => practitioner === 0 && state === 'completed')
        .reduce((sum, { service }) => sum + service.feePence, 0)
      const paidOut = payouts.reduce((sum, { amountPence }) => sum + amountPence, 0)
      expect(earned - paidOut, at).toBeGreaterThan(0)
      expect(
        sessions.every(({ bookedAt, startsAt }) => bookedAt < startsAt && bookedAt <= now),
        at,
      ).toBe(true)
    }
  })

  test.each([240, 3])('has a series of ten weeks beside the sessions, with %i practitioners', (count) => {
    const people = practitioners.slice(0, count)
    for (const now of instants) {
      const { series, sessions } = planHistory(people, now)
      const at = now.toISOString()
      expect(
        series?.dates.map(({ state }) => state),
        at,
      ).toEqual(['planned', 'skipped', 'moved', ...Array<string>(7).fill('planned')])
      const taken = new Set(sessions.map(({ startsAt }) => startsAt.getTime()))
      for (const { startsAt } of series?.dates ?? []) {
        if (!startsAt) continue
        const start = inZone(startsAt, 'Europe/London')
        expect(startsAt.getTime(), at).toBeGreaterThan(later(now, days(3)).getTime())
        expect(taken.has(startsAt.getTime()), at).toBe(false)
        taken.add(startsAt.getTime())
        expect(
          people[0]?.schedule.some(({ weekday, hour }) => weekday === start.dayOfWeek && hour === start.hour),
          at,
        ).toBe(true)
      }
    }
  })

  test('lies in the weekly hours of each practitioner', () => {
    for (const now of instants) {
      for (const { practitioner, startsAt, service } of planHistory(practitioners, now).sessions) {
        const start = inZone(startsAt, 'Europe/London')
        const hours = practitioners[practitioner]?.schedule ?? []
        expect(
          hours.some(
            ({ weekday, hour, appointmentType }) =>
              weekday === start.dayOfWeek &&
              hour === start.hour &&
              appointmentType === service.appointmentType,
          ),
          startsAt.toISOString(),
        ).toBe(true)
      }
    }
  })
})

test('portraits become pictures', async () => {
  const keys = practitioners.slice(0, 12).map((person) => person.portrait!)
  for (const key of keys) {
    const picture = await sharp(Buffer.from(portraitSvg(key)))
      .resize(256, 256)
      .webp()
      .toBuffer({ resolveWithObject: true })
    expect(picture.info).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect(picture.data.length).toBeGreaterThan(1500)
  }
  const drawings = new Set(practitioners.map((person) => portraitSvg(person.portrait!)))
  expect(drawings.size).toBeGreaterThan(230)
})

test('five thousand are made one by one, each with a mail address of their own', () => {
  const emails = new Set<string>()
  for (const person of demoPractitioners({ count: 5000, seed: 3, today })) emails.add(person.email)
  expect(emails.size).toBe(5000)
})
