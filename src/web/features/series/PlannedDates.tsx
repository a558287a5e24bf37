import type { SeriesDate } from '#contract/series/series.ts'
import { formatDay, formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'
import { choiceOf, type Choices, ConflictChoice } from './ConflictChoice.tsx'
import { chargeLabel, dateLabel } from './series-labels.ts'

type Props = {
  dates: readonly SeriesDate[]
  theirZone: string
  /** A date without a conflict is asked about only if it has one. */
  choices?: Choices
  /** Absent where nothing is agreed yet. */
  onChoose?(day: string, choice: string): void
}

const none: Choices = {}

/** The first dates before they are agreed: each with its price, when that is taken, and what to do where it cannot be had. */
export function PlannedDates({ dates, theirZone, choices = none, onChoose }: Props) {
  const zone = viewerZone()
  return (
    <ol className="flex flex-col divide-y divide-line">
      {dates.map((date) => {
        const choice = onChoose ? choiceOf(date, choices) : 'keep'
        const startsAt = choice === 'keep' || choice === 'skip' ? date.starts_at : choice
        return (
          <li key={date.on_date} className="flex flex-col gap-1 py-3">
            <p className={choice === 'skip' ? 'text-soft line-through' : 'font-semibold'}>
              {formatDay(startsAt, zone)}
              <span className="tabular-nums">{`, ${formatTime(startsAt, zone)}`}</span>
            </p>
            <PractitionerClock startsAt={startsAt} zone={theirZone} />
            <p className="text-sm text-soft">{wordsOf(date, choice, zone)}</p>
            {onChoose && !date.conflict && choices[date.on_date] !== undefined && (
              <Button
                variant="quiet"
                size="small"
                className="-ml-4 self-start"
                onPress={() => onChoose(date.on_date, choice === 'skip' ? 'keep' : 'skip')}
              >
                {choice === 'skip' ? 'Keep this date' : 'Skip this date'}
                <span className="sr-only">{` on ${formatDayAndTime(date.rhythm_starts_at, zone)}`}</span>
              </Button>
            )}
            {onChoose && date.conflict && (
              <ConflictChoice
                date={date}
                value={choice}
                onChange={(value) => onChoose(date.on_date, value)}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}

function wordsOf(date: SeriesDate, choice: string, zone: string): string {
  if (choice === 'skip') return 'Skipped. Nothing is charged.'
  if (choice !== 'keep') return `In place of ${formatDayAndTime(date.rhythm_starts_at, zone)}.`
  if (date.state === 'conflict') return dateLabel(date, zone)
  const charge = `${chargeLabel(date, zone)}.`
  return date.state === 'later' ? `${dateLabel(date, zone)} ${charge}` : charge
}
