import { useEffect, useRef } from 'react'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { focusDate } from './DateRow.tsx'
import { everything } from './series-queries.ts'

type Props = { series: Series; date: SeriesDate; onClose(): void }

/** Asks before one date is skipped. */
export function SkipDate({ series, date, onClose }: Props) {
  const named = formatDayAndTime(date.starts_at, viewerZone())
  const isSkipped = useRef(false)
  // Once the dialog has closed: the button that opened it has left with the date.
  useEffect(
    () => () => {
      if (isSkipped.current) requestAnimationFrame(() => focusDate(series, date))
    },
    [series, date],
  )
  const skip = useAction('POST /series/{series_id}/dates/{on_date}/skip', { invalidates: everything })
  return (
    <ActionDialog
      onClose={onClose}
      title="Skip this date?"
      confirmLabel="Skip it"
      cancelLabel="Keep it"
      failureTitle="It is not skipped"
      onConfirm={async () => {
        await skip.send({
          params: { series_id: series.series_id, on_date: date.on_date },
          body: { starts_at: date.starts_at },
        })
        isSkipped.current = true
        showToast(`${named} is skipped. Nothing is charged for it.`)
      }}
    >
      <p>
        {`${named}, with ${series.practitioner.full_name}. Nothing is charged, and all your other dates stay.`}
      </p>
      <p>The time becomes free for others. You can take it up again as long as it is still free.</p>
    </ActionDialog>
  )
}
