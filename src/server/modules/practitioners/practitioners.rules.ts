import type { PractitionerState } from '#contract/back-office/back-office.ts'
import type { RoomKind } from '#contract/common.ts'

/** The life of a practitioner's profile: each transition, the states it starts from and the one it leads to. */
export const transitions = {
  submit: { from: ['draft', 'rejected'], to: 'submitted' },
  approve: { from: ['submitted'], to: 'approved' },
  reject: { from: ['submitted'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
  reinstate: { from: ['suspended'], to: 'approved' },
  /** The practitioner left or died. Final. */
  close: { from: ['draft', 'submitted', 'approved', 'rejected', 'suspended'], to: 'closed' },
} as const satisfies Record<string, { from: readonly PractitionerState[]; to: PractitionerState }>

export type Transition = keyof typeof transitions

/** The state that a transition leads to, or nothing when it cannot be made from `state`. */
export function stateAfter(transition: Transition, state: PractitionerState): PractitionerState | undefined {
  const { from, to } = transitions[transition]
  return (from as readonly PractitionerState[]).includes(state) ? to : undefined
}

type Standing = { state: PractitionerState; subscribed_until: Date | null; vetted_until: Date | null }

/** Listed, bookable and matchable: approved, with a subscription and vetted facts that hold beyond `now`. */
export function isListed(practitioner: Standing, now: Date): boolean {
  const until = listedUntil(practitioner)
  return until !== null && until > now
}

/** Whether a caller reads a profile that is not listed: the practitioner themselves, and admins. */
export function readsUnlisted(
  caller: { role: string; accountId?: string; needsSecondFactor?: boolean },
  practitioner: { account_id: string },
): boolean {
  if (caller.role === 'admin') return caller.needsSecondFactor !== true
  return caller.accountId === practitioner.account_id
}

/** Since when the vetted facts of an approved practitioner have lapsed; null while they hold. */
export function lapsedAt({ state, vetted_until }: Standing, now: Date): Date | null {
  return state === 'approved' && vetted_until !== null && vetted_until <= now ? vetted_until : null
}

/** Until when a practitioner is listed, by subscription and vetting; null unless listed. */
export function listedUntil({ state, subscribed_until, vetted_until }: Standing): Date | null {
  if (state !== 'approved' || subscribed_until === null) return null
  return vetted_until !== null && vetted_until < subscribed_until ? vetted_until : subscribed_until
}

export const portraitSizes = [64, 256, 1024] as const
export type PortraitSize = (typeof portraitSizes)[number]

/** The path of a portrait on this server. */
export function portraitPath(key: string, size: PortraitSize): string {
  return `/media/portraits/${key}/${size}.webp`
}

/** The path of an uploaded introduction on this server, by its key in the object storage. */
export function videoPath(storageKey: string): string {
  return `/media/${storageKey}`
}

/** How many of the issues they treat stand on a card. */
export const issuesOnCard = 4

/** The newest reviews on a profile; `reviews_total` counts all. */
export const reviewsOnProfile = 50

/** Where a practitioner holds online sessions. With `hearth` a link may be kept for later. */
export type OnlineRoom = { kind: RoomKind; link: string | null }
