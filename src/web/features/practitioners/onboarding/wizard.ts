import type { ProfileStep, TherapistProfile } from '#contract/practitioners/onboarding.ts'

/** The three pages of the wizard, each with its steps in order and how much is done on it. */
export const stages = [
  {
    path: '/therapist/personal-info',
    title: 'Personal info',
    percent: 25,
    steps: ['about_you', 'languages', 'licences', 'identity', 'dbs'],
  },
  {
    path: '/therapist/professional-info',
    title: 'Professional info',
    percent: 60,
    steps: ['approaches', 'issues', 'photo', 'bio', 'video', 'insurance'],
  },
  {
    path: '/therapist/service-info',
    title: 'Service info',
    percent: 100,
    steps: ['services', 'locations', 'insurers'],
  },
] as const satisfies readonly {
  path: string
  title: string
  percent: number
  steps: readonly ProfileStep[]
}[]

export type Stage = (typeof stages)[number]

/** What a step is called, on its page and where it is missing. */
export const stepTitles: Record<ProfileStep, string> = {
  about_you: 'About you',
  languages: 'Languages that you work in',
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

export const previewPath = '/therapist/profile-preview'
export const viewPath = '/therapist/profile-view'

/** The address of a step; `isEditing` where the profile was complete before. */
export function pathOfStep(step: ProfileStep, isEditing = false): string {
  for (const { path, steps } of stages) {
    const at = (steps as readonly ProfileStep[]).indexOf(step)
    if (at >= 0) return addressOf(path, at, isEditing)
  }
  return previewPath
}

function addressOf(path: string, at: number, isEditing: boolean): string {
  const query = new URLSearchParams({ step: String(at + 1), ...(isEditing && { isEditing: 'true' }) })
  return `${path}?${query}`
}

/** Where one goes from a step of a stage: to the one after it, in the end to the preview, or back to the profile. */
export function pathAfter(stage: Stage, at: number, isEditing: boolean): string {
  if (at + 1 < stage.steps.length) return addressOf(stage.path, at + 1, isEditing)
  const next = stages[stages.indexOf(stage) + 1]
  if (next) return addressOf(next.path, 0, isEditing)
  return isEditing ? viewPath : previewPath
}

/** Where one goes back to; nothing at the very first step. */
export function pathBefore(stage: Stage, at: number, isEditing: boolean): string | undefined {
  if (at > 0) return addressOf(stage.path, at - 1, isEditing)
  const before = stages[stages.indexOf(stage) - 1]
  return before && addressOf(before.path, before.steps.length - 1, isEditing)
}

/** The step that an address names, from 0; undefined where it names none. */
export function stepInAddress(text: string | null, stage: Stage): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= stage.steps.length ? number - 1 : undefined
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
  return previewPath
}

/** How many words a text has. */
export function countWords(text: string): number {
  return text.trim() === '' ? 0 : text.trim().split(/\s+/).length
}
