import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import {
  addressOf,
  pathOfStep,
  type ProfileStep,
  returnPaths,
  type ReturnPage,
  type Stage,
  stages,
  type Walk,
} from '#contract/practitioners/profile-steps.ts'

/** What a step is called, on its page and where it is missing. */
export const stepTitles: Record<ProfileStep, string> = {
  about_you: 'About you',
  languages: 'Languages you work in',
  licences: 'Your licences and registrations',
  identity: 'Who you are',
  dbs: 'Your DBS check',
  approaches: 'How you work',
  issues: 'What you help with',
  photo: 'Your photo',
  bio: 'Your bio',
  video: 'An introduction on video',
  insurance: 'Your professional insurance',
  services: 'What you offer',
  locations: 'Where you see people',
  insurers: 'Insurers',
}

/** How the wizard is walked through, by the address. */
export function walkOf(search: URLSearchParams): Walk {
  const page = search.get('return')
  return {
    isEditing: search.get('isEditing') === 'true',
    returnTo: page !== null && Object.hasOwn(returnPaths, page) ? (page as ReturnPage) : undefined,
  }
}

/** Where a step of a stage leads once it is saved: to the one after it, in the end to the preview or the profile. */
export function pathAfter(stage: Stage, at: number, walk: Walk): string {
  if (walk.returnTo) return returnPaths[walk.returnTo]
  if (at + 1 < stage.steps.length) return addressOf(stage.path, at + 1, walk)
  const next = stages[stages.indexOf(stage) + 1]
  if (next) return addressOf(next.path, 0, walk)
  return walk.isEditing ? returnPaths.view : returnPaths.preview
}

/** Where 'Back' leads; nothing at the very first step. */
export function pathBefore(stage: Stage, at: number, walk: Walk): string | undefined {
  if (walk.returnTo) return returnPaths[walk.returnTo]
  if (at > 0) return addressOf(stage.path, at - 1, walk)
  const before = stages[stages.indexOf(stage) - 1]
  return before && addressOf(before.path, before.steps.length - 1, walk)
}

/** The step that an address names, from 0; undefined where it names none. */
export function stepInAddress(text: string | null, stage: Stage): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= stage.steps.length ? number - 1 : undefined
}

/** 'Your bio, step 4 of 6, Professional info': the title of a page of the wizard. */
export function stepPageTitle(stage: Stage, search: string): string {
  const at = stepInAddress(new URLSearchParams(search).get('step'), stage)
  const step = at === undefined ? undefined : stage.steps[at]
  if (at === undefined || step === undefined) return stage.title
  return `${stepTitles[step]}, step ${at + 1} of ${stage.steps.length}, ${stage.title}`
}

/** Where to go on with a profile that was left: at the first step that misses something, else at the preview. */
export function resumePath(profile: Pick<TherapistProfile, 'steps'>): string {
  for (const { steps } of stages) {
    for (const step of steps) {
      const state = profile.steps.find((each) => each.step === step)
      // The last two can be complete without ever being seen.
      if (state && (state.missing.length > 0 || state.version === 0)) return pathOfStep(step)
    }
  }
  return returnPaths.preview
}

export type StepMark = 'done' | 'refused' | 'unsaved' | 'open'

/**
 * How a step stands in the list of steps: `unsaved` has input in this tab that the server does not have, `refused` has a
 * document or licence to send again.
 */
export function markOf(
  step: ProfileStep,
  profile: Pick<TherapistProfile, 'status' | 'steps' | 'documents' | 'license_list' | 'has_insurance'>,
  drafted: readonly ProfileStep[],
): StepMark {
  if (drafted.includes(step)) return 'unsaved'
  if (isRefused(step, profile)) return 'refused'
  const state = profile.steps.find((each) => each.step === step)
  // The last two can be complete without ever being seen, until the profile is submitted.
  const isSeen = profile.status !== 'draft' || (state?.version ?? 0) > 0
  return isSeen && state?.missing.length === 0 ? 'done' : 'open'
}

const documentOfStep: Partial<Record<ProfileStep, string>> = {
  identity: 'identity',
  dbs: 'dbs',
  insurance: 'insurance_certificate',
}

/** What the back office did not accept of a step, and no newer one has been sent for; no insurance that is not claimed. */
export function refusedOf(
  step: ProfileStep,
  {
    documents,
    license_list,
    has_insurance,
  }: Pick<TherapistProfile, 'documents' | 'license_list' | 'has_insurance'>,
) {
  const kind = step === 'insurance' && has_insurance === false ? undefined : documentOfStep[step]
  return [
    ...documents.filter((each) => each.kind === kind),
    ...(step === 'licences' ? license_list : []),
  ].filter((each) => each.status === 'refused')
}

const isRefused = (step: ProfileStep, profile: Parameters<typeof refusedOf>[1]) =>
  refusedOf(step, profile).length > 0

/** How many words a text has. */
export function countWords(text: string): number {
  return text.trim() === '' ? 0 : text.trim().split(/\s+/).length
}
