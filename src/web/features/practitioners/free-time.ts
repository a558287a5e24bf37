import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { dayIn, formatDay, formatShortDay, formatTime, type InstantLike } from '#web/lib/time.ts'
import { sessionFormats } from '#web/lib/session-formats.ts'

/** The next free start and its format: the earliest, or that of the format asked for. */
export function nextFree(
  next: PractitionerCard['next_available'],
  type?: AppointmentType,
): { startsAt: string; type: AppointmentType } | undefined {
  const starts = sessionFormats
    .filter((known) => type === undefined || known === type)
    .flatMap((known) => (next[known] === null ? [] : [{ startsAt: next[known], type: known }]))
  return starts.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))[0]
}

/** How many wait for a practitioner without a free time; null while there is one, or while the waitlist is closed. */
export function waitingFor({
  next_available: next,
  waitlist,
}: Pick<PractitionerCard, 'next_available' | 'waitlist'>): number | null {
  return waitlist.open && nextFree(next) === undefined ? waitlist.waiting : null
}

/** 'Full. 3 are waiting' of a practitioner without free times. @param waiting null if the waitlist is closed */
export function noTimesLabel(waiting: number | null): string {
  if (waiting === null) return 'No free times in the coming weeks'
  if (waiting === 0) return 'Full. You can join the waitlist'
  return `Full. ${waiting === 1 ? '1 is' : `${waiting} are`} waiting`
}

/** The other way round, out of the words of a card. */
export function waitingIn(label: string): number | null {
  if (!label.startsWith('Full.')) return null
  return Number(/\d+/.exec(label)?.[0] ?? 0)
}

/** 'today at 14:00', 'tomorrow at 09:00', 'on Thursday at 10:00', 'on Thursday 12 June at 10:00'. */
export function whenLabel(startsAt: InstantLike, zone: string, now: InstantLike): string {
  const time = formatTime(startsAt, zone)
  const days = daysBetween(dayIn(now, zone), dayIn(startsAt, zone))
  if (days === 0) return `today at ${time}`
  if (days === 1) return `tomorrow at ${time}`
  const day = formatDay(startsAt, zone, now)
  return `on ${days < 7 ? day.split(' ')[0] : day} at ${time}`
}

/** 'Today 14:00', 'Thu 10:00', '12 Jun 10:00'. */
export function startLabel(startsAt: InstantLike, zone: string, now: InstantLike): string {
  const time = formatTime(startsAt, zone)
  const days = daysBetween(dayIn(now, zone), dayIn(startsAt, zone))
  if (days === 0) return `Today ${time}`
  const [weekday, ...date] = formatShortDay(startsAt, zone).split(' ')
  return `${days < 7 ? weekday : date.join(' ')} ${time}`
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
