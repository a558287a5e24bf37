import { createContext, use } from 'react'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import type { ProfileStep, Walk } from '#contract/practitioners/profile-steps.ts'
import { versionOf, versionTag } from './therapist-profile.ts'

/** Where a step stands in the wizard. */
export type StepPlace = {
  step: ProfileStep
  profile: TherapistProfile
  walk: Walk
  nextPath: string
  backPath: string | undefined
  /** Fills the form anew with what is saved. */
  restart(): void
}

const Place = createContext<StepPlace | undefined>(undefined)
export const StepPlaceProvider = Place.Provider

/** The step that is on the screen. */
export function useStepPlace(): StepPlace & { version: number; ifMatch: string } {
  const place = use(Place)
  if (!place) throw new Error('This belongs into a step of the wizard.')
  const { profile, step } = place
  return { ...place, version: versionOf(profile, step), ifMatch: versionTag(profile, step) }
}
