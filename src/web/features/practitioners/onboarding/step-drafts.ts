import { type ProfileStep, profileSteps } from '#contract/practitioners/profile-steps.ts'
import { forgetTextsBeside, keepTabText, readTabText } from '#web/lib/tab-texts.ts'

/*
 * What a practitioner has typed into a step and not saved: kept in this tab until it is saved, undone, or they sign out.
 */

const kind = 'profile-'
const nameOf = (practitionerId: number, step: ProfileStep) => `${kind}${practitionerId}-${step}`

export type StepDraft = {
  /** Of the step, when it was typed: a later one was saved elsewhere. */
  version: number
  values: Record<string, unknown>
}

export function readStepDraft(practitionerId: number, step: ProfileStep): StepDraft | undefined {
  try {
    const kept: unknown = JSON.parse(readTabText(nameOf(practitionerId, step)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { version, values } = kept as Partial<StepDraft>
    return typeof version === 'number' && typeof values === 'object' && values !== null
      ? { version, values }
      : undefined
  } catch {
    return undefined
  }
}

/** `undefined` removes it. */
export function keepStepDraft(practitionerId: number, step: ProfileStep, draft: StepDraft | undefined): void {
  keepTabText(nameOf(practitionerId, step), draft && JSON.stringify(draft))
}

/** The steps with input that is not saved. */
export function draftedSteps(practitionerId: number): ProfileStep[] {
  return profileSteps.filter((step) => readTabText(nameOf(practitionerId, step)) !== null)
}

/** Removes what another practitioner has typed in this tab, whose sign-in has run out. */
export function forgetDraftsOfOthers(practitionerId: number): void {
  forgetTextsBeside(kind, `${kind}${practitionerId}-`)
}
