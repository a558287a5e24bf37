/*
 * The steps of a practitioner's profile and where each is edited. Browser and server load this file, so it knows no zod.
 */

/** In the order of the wizard. Each is saved on its own. */
export const profileSteps = [
  'about_you',
  'languages',
  'licences',
  'identity',
  'dbs',
  'approaches',
  'issues',
  'photo',
  'bio',
  'video',
  'insurance',
  'services',
  'locations',
  'insurers',
] as const
export type ProfileStep = (typeof profileSteps)[number]

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

/** Pages to which a step that is changed alone leads back. */
export const returnPaths = {
  preview: '/therapist/profile-preview',
  view: '/therapist/profile-view',
  dashboard: '/therapist/dashboard',
  calendar: '/therapist/calendar',
  suspended: '/therapist/suspended',
} as const
export type ReturnPage = keyof typeof returnPaths

/** How the wizard is walked through. */
export type Walk = {
  /** The profile was complete before. */
  isEditing?: boolean
  /** One step alone is changed, and saving it leads back to this page. */
  returnTo?: ReturnPage | undefined
}

/** The address of the step at an index of a page of the wizard, from 0. */
export function addressOf(path: string, at: number, { isEditing, returnTo }: Walk = {}): string {
  const query = new URLSearchParams({
    step: String(at + 1),
    ...(isEditing && { isEditing: 'true' }),
    ...(returnTo && { return: returnTo }),
  })
  return `${path}?${query.toString()}`
}

/** The address of a step. */
export function pathOfStep(step: ProfileStep, walk: Walk = {}): string {
  for (const { path, steps } of stages) {
    const at = (steps as readonly ProfileStep[]).indexOf(step)
    if (at >= 0) return addressOf(path, at, walk)
  }
  return returnPaths.preview
}
