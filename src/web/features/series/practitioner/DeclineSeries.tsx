import type { Series } from '#contract/series/series.ts'
import { useKeptText } from '#web/lib/kept-text.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { hourLabel } from '../series-labels.ts'
import { everything } from '../series-queries.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

/** Declines what a client has asked for, or withdraws an offer. */
export function DeclineSeries({ series, onClose, onSaid }: Props) {
  const { client_name: client } = series
  const [reason, setReason] = useKeptText(`decline-${series.series_id}`)
  const isOwn = series.proposed_by === 'practitioner'
  const decline = useAction('POST /therapist/series/{series_id}/decline', { invalidates: everything })
  return (
    <ActionDialog
      onClose={onClose}
      title={isOwn ? 'Withdraw this offer?' : 'Decline this request?'}
      confirmLabel={isOwn ? 'Withdraw it' : 'Decline'}
      cancelLabel="Go back"
      failureTitle="Nothing has changed"
      onConfirm={async () => {
        await decline.send({
          params: { series_id: series.series_id },
          body: { reason: reason.trim() || null },
        })
        setReason('')
        onSaid({
          title: isOwn ? 'Your offer is withdrawn' : 'You have declined',
          text: `${client} gets an email about it.`,
        })
      }}
    >
      <p>{`${client}, ${hourLabel(series)}. Sessions that are booked stay booked, and they can still book single ones.`}</p>
      <TextArea
        label="A message to your client"
        isOptional
        description="A few kind words help. They read it in My Sessions."
        rows={3}
        maxLength={limitsOf('POST /therapist/series/{series_id}/decline', 'reason').maxLength?.value}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  )
}
