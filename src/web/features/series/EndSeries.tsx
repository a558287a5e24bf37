import type { Series } from '#contract/series/series.ts'
import { useKeptText } from '#web/lib/kept-text.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { hourLabel, sessionsCount } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

/** Ends a series in one step: which sessions stay, and which go. */
export function EndSeries({ series, onClose, onSaid }: Props) {
  const zone = viewerZone()
  const [reason, setReason] = useKeptText(`end-${series.series_id}`)
  const { stays, goes } = series.on_end
  const end = useAction('POST /series/{series_id}/end', { invalidates: everything })
  const staying = stays.map((startsAt) => formatDayAndTime(startsAt, zone))
  return (
    <ActionDialog
      onClose={onClose}
      title={`End ${hourLabel(series)}?`}
      confirmLabel="End it"
      cancelLabel="Keep it"
      isDangerous
      failureTitle="It has not ended"
      onConfirm={async () => {
        await end.send({
          params: { series_id: series.series_id },
          body: { reason: reason.trim() || null },
        })
        setReason('')
        onSaid({
          title: `${hourLabel(series)} has ended`,
          text:
            staying.length > 0
              ? `What you have paid for stays: ${staying.join('; ')}. Nothing more is charged.`
              : 'Nothing more is charged.',
        })
      }}
    >
      <dl className="flex flex-col gap-3 rounded-lg bg-action-soft p-4 text-on-action-soft">
        <div>
          <dt className="text-sm">What stays</dt>
          <dd className="font-semibold">
            {staying.length > 0 ? `Paid: ${staying.join('; ')}` : 'Nothing is paid ahead'}
          </dd>
        </div>
        <div>
          <dt className="text-sm">What goes</dt>
          <dd className="font-semibold">
            {goes > 0 ? `${sessionsCount(goes)} reserved, not paid` : 'Nothing is reserved'}
          </dd>
        </div>
      </dl>
      <p>
        {`It ends at once and nothing more is charged. Others can then book the hour. You can still book single sessions with ${series.practitioner.first_name}.`}
      </p>
      <TextArea
        label="Reason"
        isOptional
        description="Only if you want to give one."
        rows={2}
        maxLength={limitsOf('POST /series/{series_id}/end', 'reason').maxLength?.value}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  )
}
