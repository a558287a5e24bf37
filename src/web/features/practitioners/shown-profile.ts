import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'

/** A profile to show; its owner sees it without free times. */
export type ShownProfile = Omit<PractitionerProfile, 'next_available'> &
  Partial<Pick<PractitionerProfile, 'next_available'>>
