import { hours, minutes, seconds } from '#server/clock.ts'
import type { Day, Visit } from './help-day.ts'

/** What a simulated day has come to, in lines for a terminal. */
export function reportOf(day: Day): string {
  const { visits } = day
  const paid = visits.filter((visit) => visit.paid)
  const matched = visits.filter((visit) => visit.outcome === 'matched')
  const ready = visits.filter((visit) => visit.outcome !== 'did not pay' && visit.outcome !== 'card declined')
  const waits = matched.map((visit) => visit.waited ?? 0)
  const ways = matched.map((visit) => visit.wholeWay ?? 0)
  const count = (outcome: Visit['outcome']) => visits.filter((visit) => visit.outcome === outcome).length
  return [
    `${visits.length} clients asked for help, ${paid.length} paid, ${matched.length} had a session.`,
    '',
    row('matched, of those who paid', percent(matched.length, paid.length)),
    row('matched, of all who would have paid', percent(matched.length, ready.length)),
    row('nobody was free when they came', String(count('nobody free'))),
    row('nobody of those asked accepted', String(count('nobody accepted'))),
    row('gave up waiting', String(count('gave up waiting'))),
    row('left without paying, or card declined', String(count('did not pay') + count('card declined'))),
    row('waiting after paying, median', duration(quantile(waits, 0.5))),
    row('waiting after paying, 90th percentile', duration(quantile(waits, 0.9))),
    row('from the first page to the session, median', duration(quantile(ways, 0.5))),
    row('practitioners asked for a session, mean', mean(matched.map((visit) => visit.asked)).toFixed(2)),
    row('money released', `${day.released.count} times, £${(day.released.pence / 100).toFixed(2)}`),
    row('neither paid session nor no charge', String(day.wrong)),
    '',
    'Clients by the hour they came: # matched, . not',
    ...plotHours(visits),
    '',
    'Waiting after paying',
    ...plotWaits(waits),
  ].join('\n')
}

const row = (label: string, value: string) => `${label.padEnd(44)} ${value}`

const percent = (part: number, whole: number) =>
  whole === 0 ? 'nobody' : `${Math.round((100 * part) / whole)}%`

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** By the nearest rank. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / seconds(1))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

function plotHours(visits: readonly Visit[]): string[] {
  const byHour = Map.groupBy(visits, (visit) => Math.floor(visit.arrived / hours(1)))
  const present = [...byHour.keys()]
  const lines: string[] = []
  for (let hour = Math.min(...present); hour <= Math.max(...present); hour++) {
    const all = byHour.get(hour) ?? []
    const matched = all.filter((visit) => visit.outcome === 'matched').length
    const marks = '#'.repeat(matched) + '.'.repeat(all.length - matched)
    lines.push(`${String(hour).padStart(2, '0')}:00 ${marks}`.trimEnd())
  }
  return lines
}

function plotWaits(waits: readonly number[]): string[] {
  const step = seconds(30)
  const steps = 8
  return Array.from({ length: steps + 1 }, (_, index) => {
    const isLast = index === steps
    const count = waits.filter((wait) => Math.min(steps, Math.floor(wait / step)) === index).length
    const label = isLast ? `over ${minutes(4) / minutes(1)} min` : `up to ${duration((index + 1) * step)}`
    return `${label.padEnd(18)} ${'#'.repeat(count)} ${count || ''}`.trimEnd()
  })
}
