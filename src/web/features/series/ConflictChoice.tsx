import { useId } from 'react'
import type { Agreement, SeriesDate } from '#contract/series/series.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { conflictLabels } from './series-labels.ts'

/** By day in the rhythm: `keep`, `skip`, or the start of another time. */
export type Choices = Readonly<Record<string, string>>

type Planned = Pick<SeriesDate, 'on_date' | 'state' | 'conflict'>

/** What can be chosen for a date, its default first. */
function choicesFor({ state, conflict }: Planned): readonly [string, ...string[]] {
  if (!conflict || state === 'later') return ['keep', 'skip']
  return ['skip', ...conflict.alternatives.map(({ starts_at }) => starts_at)]
}

/**
 * What becomes of a date: kept, or skipped where its hour cannot be had, unless another time is chosen. Such a choice
 * lasts as long as the time is offered.
 */
export function choiceOf(date: Planned, choices: Choices): string {
  const offered = choicesFor(date)
  const chosen = choices[date.on_date]
  return chosen !== undefined && offered.includes(chosen) ? chosen : offered[0]
}

/** The choices as the contract has them. */
export function resolved(dates: readonly SeriesDate[], choices: Choices): NonNullable<Agreement['dates']> {
  return dates.map((date) => {
    const choice = choiceOf(date, choices)
    if (choice === 'keep' || choice === 'skip') return { on_date: date.on_date, action: choice }
    return { on_date: date.on_date, action: 'move', starts_at: choice }
  })
}

/** Asks what becomes of a date whose hour cannot be had. */
export function ConflictChoice({
  date,
  value,
  onChange,
}: {
  date: SeriesDate
  value: string
  onChange(value: string): void
}) {
  const name = useId()
  const zone = viewerZone()
  if (!date.conflict) return null
  const { alternatives, cause } = date.conflict
  return (
    <div className="mt-1 rounded-lg bg-warning-soft px-4 py-3">
      <RadioGroup
        label={
          <>
            {conflictLabels[cause]}
            <span className="sr-only">{` on ${formatDayAndTime(date.rhythm_starts_at, zone)}`}</span>
          </>
        }
        name={name}
        value={value}
        onChange={onChange}
        options={[
          ...(date.state === 'later'
            ? [
                {
                  value: 'keep',
                  label: 'Wait and see',
                  description: 'If it is still not free when we reserve it, you hear from us.',
                },
              ]
            : []),
          { value: 'skip', label: 'Skip this date' },
          ...(date.state === 'later'
            ? []
            : alternatives.map(({ starts_at }) => ({
                value: starts_at,
                label: formatDayAndTime(starts_at, zone),
              }))),
        ]}
      />
    </div>
  )
}
