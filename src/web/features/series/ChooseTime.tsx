import { useId, useState } from 'react'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { conflictLabels } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; date: SeriesDate; onClose(): void }

/** Another time of the same week, or none, for a date whose hour cannot be had. */
export function ChooseTime({ series, date, onClose }: Props) {
  const zone = viewerZone()
  const name = useId()
  const alternatives = date.conflict?.alternatives ?? []
  const [choice, setChoice] = useState(alternatives[0]?.starts_at ?? 'skip')
  const move = useAction('POST /series/{series_id}/dates/{on_date}/move', { invalidates: everything })
  const skip = useAction('POST /series/{series_id}/dates/{on_date}/skip', { invalidates: everything })
  const params = { series_id: series.series_id, on_date: date.on_date }
  const named = formatDayAndTime(date.rhythm_starts_at, zone)

  async function save(): Promise<void> {
    if (choice === 'skip') await skip.send({ params, body: { starts_at: date.starts_at } })
    else await move.send({ params, body: { starts_at: choice } })
    showToast(
      choice === 'skip' ? `${named} is skipped.` : `${formatDayAndTime(choice, zone)} is reserved for you.`,
    )
  }

  return (
    <ActionDialog
      onClose={onClose}
      title="Choose another time"
      confirmLabel="Save"
      cancelLabel="Go back"
      failureTitle="Nothing has changed"
      onConfirm={save}
    >
      <p>{`${named} cannot be had${date.conflict ? `: ${conflictLabels[date.conflict.cause].toLowerCase()}` : ''}.`}</p>
      <RadioGroup
        label={
          alternatives.length > 0
            ? `Free that week with ${series.practitioner.full_name}`
            : 'No other time is free that week'
        }
        name={name}
        value={choice}
        onChange={setChoice}
        options={[
          ...alternatives.map(({ starts_at }) => ({
            value: starts_at,
            label: formatDayAndTime(starts_at, zone),
          })),
          { value: 'skip', label: 'Skip this date' },
        ]}
      />
    </ActionDialog>
  )
}
