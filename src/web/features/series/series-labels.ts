import type { ConflictCause, EveryWeeks, Rhythm, Series, SeriesDate } from '#contract/series/series.ts'
import { isExpired } from '#web/lib/card-names.ts'
import { serverNow } from '#web/lib/clock.ts'
import { duePaymentLabel } from '#web/lib/due-payment.ts'
import { formatPounds } from '#web/lib/money.ts'
import { weekdayNames, withClock } from '#web/lib/rhythm-label.ts'
import { dayIn, formatDay, formatDayAndTime, formatTime, instantAt, viewerZone } from '#web/lib/time.ts'

export const weekdayOptions = weekdayNames.map((label, index) => ({ value: String(index + 1), label }))

export const everyWeeksOptions = [
  { value: '1', label: 'Every week' },
  { value: '2', label: 'Every second week' },
  { value: '4', label: 'Every fourth week' },
] as const

export const everyWeeksOf = (value: string): EveryWeeks => (value === '2' ? 2 : value === '4' ? 4 : 1)

/** `Tuesdays 10:00`; with the clock where the reader's shows another time. */
export function hourLabel(
  { rhythm, dates }: Pick<Series, 'rhythm'> & { dates: readonly Pick<SeriesDate, 'starts_at'>[] },
  zone = viewerZone(),
): string {
  const { weekday, start, timezone } = rhythm
  return withClock(
    `${weekdayNames[weekday - 1]}s ${start}`,
    timezone,
    zone,
    dates[0]?.starts_at ?? serverNow(),
  )
}

/** A start of the rhythm on the clocks of another zone: `07:00`, or `Wednesdays 07:00` where the weekday differs. */
export function newHourLabel(startsAt: string, { timezone }: Pick<Rhythm, 'timezone'>, zone: string): string {
  const time = formatTime(startsAt, zone)
  if (dayIn(startsAt, zone) === dayIn(startsAt, timezone)) return time
  return `${formatDay(startsAt, zone).split(' ')[0]}s ${time}`
}

/** Why an hour cannot be had, as the client reads it. */
export const conflictLabels: Record<ConflictCause, string> = {
  taken: 'Already booked',
  time_off: 'Your practitioner is away',
  blocked: 'Your practitioner is not free',
  busy_elsewhere: 'Your practitioner is not free',
  own_session: 'You have another session then',
  past: 'Too close to its start',
}

/** The same for the practitioner. */
export const ownConflictLabels: Record<ConflictCause, string> = {
  taken: 'You have another session then',
  time_off: 'You have time off',
  blocked: 'You have blocked this time',
  busy_elsewhere: 'Busy in your own calendar',
  own_session: 'The client has another session then',
  past: 'Too close to its start',
}

/** Of a series: who reads, whether it is paused, a price that is not answered, and the client's card. */
type Reading = Pick<Series, 'you'> & Partial<Pick<Series, 'paused' | 'price_change' | 'card'>>

/** Where a date stands, and what is paid for it when. */
export function dateLabel(date: SeriesDate, zone: string, reading: Reading = { you: 'client' }): string {
  const { you } = reading
  const causes = you === 'client' ? conflictLabels : ownConflictLabels
  switch (date.state) {
    case 'free':
      return 'Free.'
    case 'skipped':
      return 'Skipped. Nothing is charged.'
    case 'conflict':
      return date.conflict ? `${causes[date.conflict.cause]}. Not reserved.` : 'Not reserved.'
    case 'released':
      if (date.payment === 'refunded') return 'Cancelled, the money is on its way back.'
      if (date.payment !== 'missed') return 'Cancelled.'
      return you === 'client'
        ? 'Not paid in time, so it was cancelled. Nothing was charged.'
        : 'Not paid in time, so it was cancelled.'
    case 'later': {
      if (dependsOnAnswer(date, reading)) return `Depends on ${answerOf(you)}.`
      const from = date.reserved_from && formatDay(`${date.reserved_from}T12:00:00Z`, 'UTC')
      return from ? `Reserved from ${from}.` : 'Reserved later.'
    }
    default:
      return paymentLabel(date, zone, reading)
  }
}

/** Whether a date costs another price, or goes, once the client has answered. */
function dependsOnAnswer({ on_date }: SeriesDate, { price_change: price }: Reading): boolean {
  return price?.answer === null && on_date >= price.from_date
}

const answerOf = (you: Series['you']) => (you === 'client' ? 'your answer' : 'the client’s answer')

function paymentLabel(date: SeriesDate, zone: string, reading: Reading): string {
  const { you, paused } = reading
  if (date.frozen && date.payment !== 'paid') return 'Being checked. Nothing is charged meanwhile.'
  switch (date.payment) {
    case 'paid':
      return `Paid: ${formatPounds(date.fee)}.`
    case 'refunded':
      return 'Refunded.'
    case 'checking':
      return you === 'client'
        ? duePaymentLabel({ ...date, stage: 'checking' }, zone)
        : 'The payment is being checked.'
    case 'due':
      return you === 'client'
        ? duePaymentLabel({ ...date, stage: 'failed' }, zone)
        : `Not paid: the client has until ${formatDayAndTime(date.pay_by, zone)}.`
    default:
      if (dependsOnAnswer(date, reading)) return `Not paid yet: the price depends on ${answerOf(you)}.`
      if (Date.parse(date.pay_at) <= serverNow())
        return duePaymentLabel({ ...date, stage: 'open', ...(date.can.pay ? {} : { pay_by: null }) }, zone)
      // Nothing is taken while the series waits for a payment, nor after that before it goes on.
      if (paused && (paused.cause === 'unpaid' || date.card_set === false))
        return duePaymentLabel({ ...date, stage: 'planned', pay_at: null }, zone)
      return duePaymentLabel({ ...date, stage: lacksCard(date, reading) ? 'no_card' : 'planned' }, zone)
  }
}

/** Whether the client has no card that could pay a date. The practitioner does not see the card. */
function lacksCard({ pay_at }: SeriesDate, { you, card }: Reading): boolean {
  if (you !== 'client' || card === undefined) return false
  return card === null || isExpired(card, Date.parse(pay_at))
}

/** What a date costs and when, before the client agrees. */
export function chargeLabel(date: SeriesDate, zone: string): string {
  const amount = formatPounds(date.fee)
  return date.taken_at_once
    ? `${amount}, taken when you agree`
    : `${amount}, taken ${formatDayAndTime(date.pay_at, zone)}`
}

/** `Tuesday 3 March`, of a day in the rhythm. */
export function dayLabel(day: string): string {
  return formatDay(`${day}T12:00:00Z`, 'UTC')
}

/** The day in a zone on which a date takes place, also one that is not among the dates shown. */
export function dayOfDate(
  { dates, rhythm }: Pick<Series, 'rhythm'> & { dates: readonly Pick<SeriesDate, 'on_date' | 'starts_at'>[] },
  onDate: string,
  zone: string,
): string {
  const startsAt =
    dates.find(({ on_date }) => on_date === onDate)?.starts_at ??
    instantAt(`${onDate}T${rhythm.start}`, rhythm.timezone)
  return startsAt ? dayIn(startsAt, zone) : onDate
}

/** With which session a series that has a last day ends. */
export function endsLabel(
  { last_on: lastDay, first_on, rhythm, dates }: Pick<Series, 'last_on' | 'first_on' | 'rhythm' | 'dates'>,
  zone: string,
): string | undefined {
  if (lastDay === null) return undefined
  const stepMs = rhythm.every_weeks * 7 * 86_400_000
  const steps = Math.floor((Date.parse(lastDay) - Date.parse(first_on)) / stepMs)
  const lastOn = new Date(Date.parse(first_on) + steps * stepMs).toISOString().slice(0, 10)
  // The next dates may stop before the last one.
  if (lastOn > (dates.at(-1)?.on_date ?? lastOn)) return `Ends with the session on ${dayLabel(lastOn)}.`
  const ahead = dates.filter(
    ({ on_date, state, session_status: status }) =>
      on_date <= lastDay && (state === 'later' || status === 'reserved' || status === 'confirmed'),
  )
  const last = ahead.map(({ starts_at }) => Date.parse(starts_at)).reduce((a, b) => Math.max(a, b), 0)
  return last > 0
    ? `Ends with the session on ${formatDayAndTime(last, zone)}.`
    : 'No further session takes place.'
}

/** Why a series has ended, as the reader of a list sees it. */
export function endedLabel({
  ended,
  you,
  proposed_by,
}: Pick<Series, 'ended' | 'you' | 'proposed_by'>): string {
  if (!ended) return 'Ended'
  const byYou = ended.by === you
  const other = you === 'client' ? 'your practitioner' : 'the client'
  switch (ended.cause) {
    case 'declined':
      if (ended.by === proposed_by) {
        const what = proposed_by === 'practitioner' ? 'offer' : 'request'
        if (byYou) return `You withdrew your ${what}`
        return `${you === 'client' ? 'Your practitioner' : 'The client'} withdrew the ${what}`
      }
      return byYou ? 'You declined it' : `Declined by ${other}`
    case 'not_answered':
      return 'Not answered in time'
    case 'changed':
      return 'Changed to another rhythm'
    case 'price_declined':
      return 'Ended instead of a new price'
    case 'unpaid':
      return 'Ended because sessions were not paid'
    case 'suspension':
      return 'Ended after a pause'
    case 'closed':
    case 'unlisted':
      return you === 'client' ? 'Your practitioner is no longer available' : 'Ended with your listing'
    case 'account_deleted':
      return 'The account was closed'
    default:
      return byYou ? 'You ended it' : ended.by === 'system' ? 'Ended' : `Ended by ${other}`
  }
}

/** `3 sessions`, `1 session`. */
export const sessionsCount = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'}`
