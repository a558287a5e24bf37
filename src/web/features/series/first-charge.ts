import { takenAhead } from '#contract/money.ts'
import type { SeriesDate } from '#contract/series/series.ts'
import { formatPounds } from '#web/lib/money.ts'
import { choiceOf, type Choices } from './ConflictChoice.tsx'

type Planned = Pick<SeriesDate, 'on_date' | 'state' | 'conflict' | 'fee' | 'taken_at_once'>

/** What is taken on agreement, by what is chosen for each date. `now` in epoch milliseconds. */
export function firstChargeLabel(dates: readonly Planned[], choices: Choices, now: number): string {
  const pence = dates
    .filter((date) => isTakenAtOnce(date, choiceOf(date, choices), now))
    .reduce((sum, { fee }) => sum + Math.round(fee * 100), 0)
  if (pence === 0) return 'Nothing is charged now. Free until we take the payment.'
  return `${formatPounds(pence / 100)} is charged now, for what is less than two days away.`
}

function isTakenAtOnce(date: Planned, choice: string, now: number): boolean {
  if (choice === 'skip') return false
  return choice === 'keep' ? date.taken_at_once : Date.parse(choice) - now <= takenAhead
}
