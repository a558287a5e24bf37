import type { FactKind, PractitionerState } from '#contract/back-office/back-office.ts'
import type { ProfileStep } from '#contract/practitioners/profile-steps.ts'
import { dayInLondon } from '../../../clock.ts'
import { stepOfDocument } from '../onboarding/onboarding.rules.ts'

export type FactState = 'waiting' | 'accepted' | 'refused' | 'replaced'

/** The life of a document or licence: each decision, the state it starts from and the one it leads to. */
export const factTransitions = {
  accept: { from: 'waiting', to: 'accepted' },
  refuse: { from: 'waiting', to: 'refused' },
  /** One that was accepted by mistake, until the profile is approved. */
  reopen: { from: 'accepted', to: 'waiting' },
  /** By a newer one that is accepted. */
  replace: { from: 'accepted', to: 'replaced' },
} as const satisfies Record<string, { from: FactState; to: FactState }>

export type FactDecision = Exclude<keyof typeof factTransitions, 'replace'>

/** States in which a profile is looked at by the back office. A draft is still being written. */
export const vettedStates: readonly PractitionerState[] = ['submitted', 'approved', 'rejected', 'suspended']

/** What a fact is called in sentences: 'the DBS certificate'. */
const factNames: Record<FactKind, string> = {
  identity: 'identity document',
  dbs: 'DBS certificate',
  insurance_certificate: 'insurance certificate',
  licence: 'licence',
}

/** 'DBS certificate', or 'licence (HCPC PYL12345)'. */
export function factName(kind: FactKind, licence: string | null): string {
  return licence ? `${factNames[kind]} (${licence})` : factNames[kind]
}

/** The step of the wizard in which a fact is sent. */
export const stepOfFact: Record<FactKind, ProfileStep> = { ...stepOfDocument, licence: 'licences' }

/** `expires_on` is the last good day, `YYYY-MM-DD`. */
type Fact = { state: FactState; expires_on: string | null }
type Facts = {
  has_indemnity: boolean | null
  documents: readonly (Fact & { kind: FactKind })[]
  licences: readonly Fact[]
}

/** Whether an accepted fact is good on a day. */
export const holdsOn = ({ state, expires_on }: Fact, day: string) =>
  state === 'accepted' && (expires_on === null || expires_on >= day)

/** Whether a licence that is good until `expiresOn` can run out without hiding the profile: another one holds longer. */
export function isSpareLicence(expiresOn: string, licences: readonly Fact[], today: string): boolean {
  return licences.some(
    (other) => holdsOn(other, today) && (other.expires_on === null || other.expires_on > expiresOn),
  )
}

/** Whether newer facts wait in the place of all these. One licence suffices, as the one that holds longest counts. */
export function areRenewed(facts: readonly { kind: FactKind; is_renewed: boolean }[]): boolean {
  const kinds = new Set(facts.map(({ kind }) => kind))
  return (
    kinds.size > 0 && [...kinds].every((kind) => facts.some((fact) => fact.kind === kind && fact.is_renewed))
  )
}

/** What keeps a profile from being approved, as sentences; none when every fact that is required is accepted and still good. */
export function missingFacts({ has_indemnity, documents, licences }: Facts, now: Date): string[] {
  const today = dayInLondon(now)
  const factsOf = (kind: FactKind): readonly Fact[] =>
    kind === 'licence' ? licences : documents.filter((document) => document.kind === kind)
  const required: FactKind[] = [
    'identity',
    'dbs',
    'licence',
    ...(has_indemnity === true ? (['insurance_certificate'] as const) : []),
  ]
  return required.flatMap((kind) => {
    const facts = factsOf(kind)
    const states = facts.map(({ state }) => state)
    // An identity document does not run out.
    if (kind === 'identity' ? states.includes('accepted') : facts.some((fact) => holdsOn(fact, today)))
      return []
    const name = kind === 'licence' ? 'A licence' : `The ${factNames[kind]}`
    if (states.includes('waiting')) return [`${name} is waiting for your decision.`]
    if (states.includes('accepted')) return [`${name} has run out.`]
    if (states.includes('refused')) return [`${name} was refused, and no other has been sent.`]
    return [kind === 'licence' ? 'There is no licence.' : `There is no ${factNames[kind]}.`]
  })
}

/** Days before a fact expires on which its owner is reminded; at 0 it has expired. */
export const reminderDays = [30, 7, 1, 0] as const

/**
 * Which reminder is due for a fact whose last good day is `expiresOn`, on the day `today` (both `YYYY-MM-DD`); of several
 * that were missed, the last.
 */
export function reminderDue(expiresOn: string, today: string): (typeof reminderDays)[number] | undefined {
  const left = Math.round((Date.parse(expiresOn) - Date.parse(today)) / 86_400_000)
  if (left < 0) return 0
  return reminderDays.findLast((days) => days > 0 && left <= days)
}

type NumberedLicence = { provider_type: string; body: string; license_number: string }

/** Whether two licences have one number: one of them is the renewal of the other. */
export function isSameLicence(one: NumberedLicence, other: NumberedLicence): boolean {
  return (
    one.provider_type === other.provider_type &&
    one.body === other.body &&
    one.license_number === other.license_number
  )
}
