import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { dayIn, formatDay, formatDayAndTime, type InstantLike, zoneNote } from '#web/lib/time.ts'
import { untilLabel } from '#web/lib/until-label.ts'
import { windowsLabel } from './windows.ts'

/** Minutes of notice that a client may ask for. */
export const leadTimes = [60, 240, 720, 1440, 2880, 4320]

/** '1 hour', '4 hours', '2 days'. */
export function leadTimeLabel(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** '1st', '2nd', '11th', '23rd'. */
function ordinal(place: number): string {
  const ends = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }
  return `${place}${ends[ordinals.select(place)]}`
}
const ordinals = new Intl.PluralRules('en-GB', { type: 'ordinal' })

/** '2nd of 3'. */
export const placeLabel = (place: number, waiting: number) => `${ordinal(place)} of ${waiting}`

/** 'Mon–Fri mornings, from Tuesday 1 December', 'Fri, 09:00 to 10:00, on Friday 27 November'. */
export function wishedTimesLabel(
  { windows, earliest, latest }: Pick<WaitlistEntry, 'windows' | 'earliest' | 'latest'>,
  now: InstantLike,
): string {
  const day = (text: string) => formatDay(`${text}T12:00:00Z`, 'UTC', now)
  const dates =
    earliest && earliest === latest
      ? `on ${day(earliest)}`
      : [earliest && `from ${day(earliest)}`, latest && `until ${day(latest)}`].filter(Boolean).join(' ')
  return [windowsLabel(windows), dates].filter(Boolean).join(', ')
}

/** The clock of a place's hours, `London time`; undefined where it shows the same as that of `zone`. */
export const otherClockOf = (
  { timezone }: Pick<WaitlistEntry, 'timezone'>,
  zone: string,
  now: InstantLike,
): string | undefined => (zoneNote(now, timezone, zone) === undefined ? undefined : zoneTime(timezone))

/** The last day of a place: that of its end, or an earlier one that the client named. */
export function lastDayLabel(
  { latest, ends_at }: Pick<WaitlistEntry, 'latest' | 'ends_at'>,
  zone: string,
  now: InstantLike,
): string {
  return latest && latest < dayIn(ends_at, zone)
    ? formatDay(`${latest}T12:00:00Z`, 'UTC', now)
    : formatDay(ends_at, zone, now)
}

/** Why a place brings no offers: the session that it would give up can no longer be cancelled. */
export function swapOverLabel(
  { starts_at }: NonNullable<WaitlistEntry['swaps']>,
  zone: string,
  now: InstantLike,
): string {
  const when =
    starts_at === null ? 'The session that you wanted to swap' : formatDayAndTime(starts_at, zone, now)
  return `${when} can no longer be cancelled, so we offer you no times in its place. Choose “Change” to wait for one more session instead, or leave the waitlist.`
}

type Leaving = Pick<WaitlistEntry, 'state' | 'offers'> & {
  practitioner: Pick<WaitlistEntry['practitioner'], 'full_name'>
}

/** What a client gives up with a place on a waitlist, and what they can do instead. */
export function leavingLabel({ practitioner, state, offers }: Leaving): string {
  const isHeld = offers.some(({ kind }) => kind === 'turn')
  const heldTime = isHeld ? ', and the time we are holding for you goes to the next person' : ''
  return [
    `You give up your place with ${practitioner.full_name}${heldTime}.`,
    'If you join again later, you start at the end.',
    ...(state === 'waiting' ? ['To keep your place for now, you can pause it instead.'] : []),
  ].join(' ')
}

/** For how long an offered time can be had. */
export function offerTermsLabel(
  { kind, expires_at }: WaitlistEntry['offers'][number],
  zone: string,
  now: InstantLike,
): string {
  if (kind === 'broadcast') return 'It starts soon, so others can book it too. The first to book it has it.'
  return expires_at ? `It is yours until ${untilLabel(expires_at, zone, now)}.` : 'We are holding it for you.'
}
