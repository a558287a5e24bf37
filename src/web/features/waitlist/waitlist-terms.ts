import type { AppointmentType } from '#contract/common.ts'
import type { WaitlistEntry, WaitlistWindow } from '#contract/waitlist/waitlist.ts'
import { windowsOf } from './windows.ts'

/** What a client waits for, as the form holds it. */
export type WaitlistValues = {
  appointment_type: AppointmentType
  service_id: string
  usual: string[]
  own: WaitlistWindow[]
  earliest: string
  latest: string
  lead_minutes: string
  swaps_appointment_id: string
}

/** The same as it is sent. */
export function termsOf(values: WaitlistValues) {
  return {
    service_id: Number(values.service_id),
    appointment_type: values.appointment_type,
    windows: windowsOf(values),
    earliest: values.earliest || null,
    latest: values.latest || null,
    lead_minutes: Number(values.lead_minutes),
    swaps_appointment_id: values.swaps_appointment_id || null,
  }
}

type Terms = ReturnType<typeof termsOf>

/**
 * What is different from a place, so that one changed in another window meanwhile keeps the rest. Hours and days that the
 * client has changed are on the clocks of `zone`; otherwise those of the place stay on its own.
 * @param saved the values that the form began with
 */
export function changesOf(
  entry: WaitlistEntry,
  saved: WaitlistValues,
  values: WaitlistValues,
  zone: string,
): Partial<Terms> & { timezone?: string } {
  const terms = termsOf(values)
  const { windows, earliest, latest } = changedFrom(termsOf(saved), terms)
  const hasNewTimes = windows !== undefined || earliest !== undefined || latest !== undefined
  return { ...changedFrom(termsOfEntry(entry, saved), terms), ...(hasNewTimes && { timezone: zone }) }
}

/** What a place waits for, as it would be sent; what can no longer be had of it is then different. */
function termsOfEntry(entry: WaitlistEntry, saved: WaitlistValues): Terms {
  const { service_id, appointment_type, earliest, latest, swaps } = entry
  const swapped = swaps?.appointment_id ?? null
  return { ...termsOf(saved), service_id, appointment_type, earliest, latest, swaps_appointment_id: swapped }
}

function changedFrom<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
  )
  return Object.fromEntries(changed) as Partial<T>
}
