import { createContext, use } from 'react'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import type { ProfileStep, Walk } from '#contract/practitioners/profile-steps.ts'
import { useKeepProfile, versionOf, versionTag } from './therapist-profile.ts'

type OwnVersion = { from: string; to: string }

/** Where a step stands in the wizard. */
export type StepPlace = {
  step: ProfileStep
  profile: TherapistProfile
  walk: Walk
  nextPath: string
  backPath: string | undefined
  /** Fills the form anew with what is saved. */
  restart(): void
  /** Remembers that an upload of this window has saved one version over another, by their tags; another window saves others. */
  noteOwn(saved: OwnVersion): void
  isOwn(saved: OwnVersion): boolean
  /** Whether a file of this step is on its way. Saved meanwhile, the step would refuse it as an older version. */
  isSending: boolean
  noteSending(isSending: boolean): void
}

/** Why nothing else of the step is saved while `isSending`. */
export const fileOnItsWay = 'A file is still on its way. Please wait until it has arrived.'

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
  const { step, ifMatch, noteOwn } = useStepPlace()
  const keep = useKeepProfile()
  return (profile) => {
    noteOwn({ from: ifMatch, to: versionTag(step, versionOf(profile, step)) })
    keep(profile)
  }
}
