import { createContext, use } from 'react'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import type { ProfileStep, Walk } from '#contract/practitioners/profile-steps.ts'
import { useKeepProfile, versionOf, versionTag } from './therapist-profile.ts'

/** Where a step stands in the wizard. */
export type StepPlace = {
  step: ProfileStep
  profile: TherapistProfile
  walk: Walk
  nextPath: string
  backPath: string | undefined
  /** Fills the form anew with what is saved. */
  restart(): void
  /** Remembers the tag of a version that an upload of this window has saved; another window saves others. */
  noteOwn(tag: string): void
  isOwn(tag: string): boolean
}

const Place = createContext<StepPlace | undefined>(undefined)
export const StepPlaceProvider = Place.Provider

/** The step that is on the screen. */
export function useStepPlace(): StepPlace & { version: number; ifMatch: string } {
  const place = use(Place)
  if (!place) throw new Error('This belongs into a step of the wizard.')
  const { profile, step } = place
  const version = versionOf(profile, step)
  return { ...place, version, ifMatch: versionTag(step, version) }
}

/** Keeps the profile that a part of the step has answered with: an upload, which leaves what is typed beside it as it is. */
export function useKeepPart(): (profile: TherapistProfile) => void {
  const { step, noteOwn } = useStepPlace()
  const keep = useKeepProfile()
  return (profile) => {
    noteOwn(versionTag(step, versionOf(profile, step)))
    keep(profile)
  }
}
