import { createBioWriter } from './demo/bio/compose.ts'
import { makePractitioner, practicePack, type Given, type Workshop } from './demo/practitioner.ts'
import { createDeck, createRandom } from './demo/random.ts'
import { createReviewWriter } from './demo/reviews.ts'
import { host } from './demo/host.ts'
import type { DemoAccount, DemoDirectory, DemoOptions, DemoPractitioner } from './demo/types.ts'

/** The accounts whose names are printed at the start; the therapist's practitioner is the first of the directory. */
export const demoAccounts: readonly DemoAccount[] = [
  { email: 'client@demo.test', role: 'client', firstName: 'Alex', lastName: 'Morgan' },
  { email: host.email, role: 'therapist', firstName: host.name[0], lastName: host.name[1] },
  { email: 'admin@demo.test', role: 'admin', firstName: 'Robin', lastName: 'Ellery' },
]

function openWorkshop({ seed, today }: DemoOptions): Workshop {
  return {
    seed,
    today,
    practices: createDeck(createRandom(seed, 'practices'), practicePack),
    bios: createBioWriter(createRandom(seed, 'bios')),
    reviews: createReviewWriter(createRandom(seed, 'reviews')),
    names: new Set([host.name.join(' ')]),
    shorts: new Set(),
  }
}

const unlistedStates: readonly Pick<DemoPractitioner, 'state' | 'stateReason' | 'subscription'>[] = [
  { state: 'submitted', stateReason: null, subscription: null },
  { state: 'submitted', stateReason: null, subscription: null },
  { state: 'submitted', stateReason: null, subscription: null },
  { state: 'submitted', stateReason: null, subscription: null },
  { state: 'draft', stateReason: null, subscription: null },
  { state: 'draft', stateReason: null, subscription: null },
  {
    state: 'rejected',
    stateReason: 'The registration number could not be found on the public register.',
    subscription: null,
  },
  {
    state: 'rejected',
    stateReason: 'The indemnity insurance certificate has run out; please upload the current one.',
    subscription: null,
  },
  {
    state: 'suspended',
    stateReason: 'A complaint is being looked into; listed again once it is settled.',
    subscription: 'active',
  },
  {
    state: 'suspended',
    stateReason: 'The registration lapsed in the spring and has not been renewed.',
    subscription: 'active',
  },
  { state: 'approved', stateReason: null, subscription: 'lapsed' },
  { state: 'approved', stateReason: null, subscription: null },
  // Last, so that the others stay who they were.
  { state: 'submitted', stateReason: null, subscription: null },
]

/** Removes from a record what a practitioner in this state does not have yet. */
function unlist(made: DemoPractitioner, at: (typeof unlistedStates)[number]): DemoPractitioner {
  const wasListed = at.state === 'suspended' || at.subscription === 'lapsed'
  const person = {
    ...made,
    ...at,
    availableNow: false,
    reviews: wasListed ? made.reviews : [],
    createdDaysAgo: wasListed ? made.createdDaysAgo : (made.createdDaysAgo % 21) + 1,
  }
  if (at.state !== 'draft') return person
  return {
    ...person,
    about: '',
    shortDescription: '',
    services: [],
    schedule: [],
    licenses: [],
    locations: [],
    meetingLink: null,
    room: 'hearth',
    videoUrl: null,
    insuranceCertificateExpires: null,
    portrait: null,
  }
}

/**
 * The listed practitioners one by one, for a directory too large to keep in memory. The same options give the same
 * people on every machine, and a larger `count` begins with those of a smaller one.
 */
export function* demoPractitioners(options: DemoOptions): Generator<DemoPractitioner, void, undefined> {
  const workshop = openWorkshop(options)
  for (let index = 0; index < options.count; index++) {
    const given: Given = index === 0 ? host : {}
    yield makePractitioner(index, workshop, given)
  }
}

/** Generates the whole demo directory: all listed practitioners and a handful of unlisted ones. */
export function generateDemoDirectory(options: DemoOptions): DemoDirectory {
  const practitioners = [...demoPractitioners(options)]
  const workshop = openWorkshop({ ...options, seed: options.seed + 1 })
  for (const person of practitioners) workshop.names.add(`${person.firstName} ${person.lastName}`)
  const unlisted = unlistedStates.map((at, position) =>
    unlist(makePractitioner(options.count + position, workshop), at),
  )
  return { practitioners, unlisted }
}
