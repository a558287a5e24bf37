import type { PractitionerState } from '#contract/back-office/back-office.ts'
import { type DashboardTask, dashboardTasks } from '#contract/practitioners/dashboard.ts'
import { pathOfStep } from '#contract/practitioners/profile-steps.ts'
import { dayInLondon, days, later } from '../../../clock.ts'
import { isSpareLicence, stepOfFact } from '../vetting/vetting.rules.ts'

/** How long before a document or licence expires the dashboard warns its practitioner. */
export const expiryWarningMs = days(60)

/** A document or licence that can expire or be refused. */
export type VettedFact = {
  kind: 'identity' | 'dbs' | 'insurance_certificate' | 'licence'
  /** Of a licence: its body and number. */
  name: string | null
  state: 'waiting' | 'accepted' | 'refused' | 'replaced'
  reason: string | null
  /** `YYYY-MM-DD` */
  expires_on: string | null
}

const names: Record<VettedFact['kind'], string> = {
  identity: 'identity document',
  dbs: 'DBS check',
  insurance_certificate: 'insurance certificate',
  licence: 'licence',
}

const pathOfFact = (kind: VettedFact['kind']) => pathOfStep(stepOfFact[kind], { returnTo: 'dashboard' })

/** The tasks of a practitioner to be found and booked by clients, by the state of the profile. */
export function profileTasks(profile: {
  state: PractitionerState
  reason: string | null
  /** By step, of a profile that has not been handed in. */
  missing: readonly { missing: readonly string[] }[]
}): DashboardTask[] {
  switch (profile.state) {
    case 'draft':
      return [completing(profile.missing)]
    case 'rejected':
      return [
        {
          code: 'profile_refused',
          urgency: 'now',
          title: 'Your profile needs a change',
          message: profile.reason ?? 'We could not approve it as it is.',
          action: { label: 'Change your profile', path: '/therapist/profile-preview' },
          due: null,
        },
      ]
    default:
      return []
  }
}

function completing(missing: readonly { missing: readonly string[] }[]): DashboardTask {
  const task = { code: 'complete_profile', urgency: 'now', due: null } as const
  const [first] = missing
  if (!first) {
    return {
      ...task,
      title: 'Your profile is ready to submit',
      message: 'See it as clients will, and submit it. We will then check it.',
      action: { label: 'See your profile', path: '/therapist/profile-preview' },
    }
  }
  const next = first.missing[0] ?? ''
  return {
    ...task,
    title: 'Complete your profile',
    message: `It is not finished yet. Next: ${next.charAt(0).toLowerCase()}${next.slice(1)} What you have saved is kept.`,
    action: { label: 'Continue with your profile', path: '/therapist/personal-info' },
  }
}

/**
 * The tasks for refused documents that were not sent again, and for those that soon expire, unless a newer one waits. One
 * that has expired hides the profile until the newer one is accepted, and is named without an action meanwhile.
 */
export function factTasks(all: readonly VettedFact[], now: Date): DashboardTask[] {
  const today = dayInLondon(now)
  const soon = dayInLondon(later(now, expiryWarningMs))
  const isSentAnew = ({ kind, name }: VettedFact) =>
    all.some((fact) => fact.kind === kind && fact.name === name && fact.state === 'waiting')
  const refused = all.filter(
    (fact, index) =>
      fact.state === 'refused' &&
      !isSentAnew(fact) &&
      // The newest comes first: a newer document of the kind replaces an older refusal.
      (fact.kind === 'licence' || all.findIndex(({ kind }) => kind === fact.kind) === index),
  )
  const licences = all.filter(({ kind }) => kind === 'licence')
  const expiring = all.flatMap((fact) => {
    const { kind, state, expires_on: day } = fact
    // The vetting does not end with an identity document.
    if (kind === 'identity' || state !== 'accepted' || day === null || day > soon) return []
    const isOver = day < today
    const isSpare = kind === 'licence' && isSpareLicence(day, licences, today)
    const isChecked = isSentAnew(fact)
    return isChecked && (!isOver || isSpare) ? [] : [{ fact, day, isOver, isSpare, isChecked }]
  })
  const undated = all.filter(
    (fact) => fact.kind === 'insurance_certificate' && fact.state === 'waiting' && fact.expires_on === null,
  )
  return [
    ...undated.map(
      (fact): DashboardTask => ({
        code: 'document_undated',
        urgency: 'soon',
        title: 'When does your insurance end?',
        message: 'We need the last day on your insurance certificate to check it.',
        action: { label: 'Enter the day', path: pathOfFact(fact.kind) },
        due: null,
      }),
    ),
    ...refused.map((fact): DashboardTask => {
      const name = names[fact.kind]
      return {
        code: 'document_refused',
        urgency: 'now',
        title: `Your ${named(fact)} was not accepted`,
        message: fact.reason ?? 'Please send it again.',
        action: { label: `Send your ${name} again`, path: pathOfFact(fact.kind) },
        due: null,
      }
    }),
    ...expiring.map(({ fact, day, isOver, isSpare, isChecked }): DashboardTask => {
      const name = names[fact.kind]
      return {
        code: 'document_expires',
        urgency: isSpare ? 'soon' : 'now',
        title: isOver ? `Your ${named(fact)} has expired` : `Your ${named(fact)} expires soon`,
        message: isSpare
          ? 'Clients can go on finding you, because another licence of yours is valid for longer.'
          : isChecked
            ? 'We are checking the new one. Clients cannot find you until then.'
            : isOver
              ? 'Clients cannot find you until we have checked a new one.'
              : 'Send the new one before that day, so that clients can go on finding you while we check it.',
        action: isChecked ? null : { label: `Send a new ${name}`, path: pathOfFact(fact.kind) },
        due: isChecked ? null : day,
      }
    }),
  ]
}

/** The task to caption the introduction, once vetting has asked for it. */
export function captionsTasks(areMissing: boolean): DashboardTask[] {
  if (!areMissing) return []
  return [
    {
      code: 'captions_asked',
      urgency: 'soon',
      title: 'Your introduction needs captions or a transcript',
      message: 'People who are deaf or hard of hearing cannot follow your video yet.',
      action: { label: 'Add them', path: pathOfStep('video', { returnTo: 'dashboard' }) },
      due: null,
    },
  ]
}

const named = (fact: VettedFact) => names[fact.kind] + (fact.name ? ` (${fact.name})` : '')

/** How many months the dashboard looks back on, this one among them. */
export const monthsShown = 12

/** What is urgent first, and then by the order of the contract. */
export function inOrder(tasks: readonly DashboardTask[]): DashboardTask[] {
  const rank = ({ urgency, code }: DashboardTask) =>
    (urgency === 'now' ? 0 : dashboardTasks.length) + dashboardTasks.indexOf(code)
  return tasks.toSorted((one, other) => rank(one) - rank(other))
}
