import type { FactKind, PractitionerState } from '#contract/back-office/back-office.ts'
import type { ProfileStep } from '#contract/practitioners/profile-steps.ts'
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
export const factNames: Record<FactKind, string> = {
  identity: 'identity document',
  dbs: 'DBS certificate',
  insurance_certificate: 'insurance certificate',
  licence: 'licence',
}

/** The step of the wizard in which a fact is sent. */
export const stepOfFact: Record<FactKind, ProfileStep> = { ...stepOfDocument, licence: 'licences' }

type Facts = {
  has_indemnity: boolean | null
  documents: readonly { kind: FactKind; state: FactState }[]
  licences: readonly { state: FactState }[]
}

/** What keeps a profile from being approved, as sentences; none when every fact that is required is accepted. */
export function missingFacts({ has_indemnity, documents, licences }: Facts): string[] {
  const statesOf = (kind: FactKind): FactState[] =>
    kind === 'licence'
      ? licences.map((licence) => licence.state)
      : documents.filter((document) => document.kind === kind).map((document) => document.state)
  const required: FactKind[] = [
    'identity',
    'dbs',
    'licence',
    ...(has_indemnity === true ? (['insurance_certificate'] as const) : []),
  ]
  return required.flatMap((kind) => {
    const states = statesOf(kind)
    if (states.includes('accepted')) return []
    const name = kind === 'licence' ? 'A licence' : `The ${factNames[kind]}`
    if (states.includes('waiting')) return [`${name} is waiting for your decision.`]
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
