import { useWatch } from 'react-hook-form'
import type { Series } from '#contract/series/series.ts'
import { serverNow } from '#web/lib/clock.ts'
import { fieldOf, fromTodayOn, useForm } from '#web/lib/form.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { dayLabel, dayOfDate } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

/** Skips every date of some days at once, such as of a holiday. */
export function AwayDialog({ series, onClose, onSaid }: Props) {
  const zone = viewerZone()
  const today = dayIn(serverNow(), zone)
  const form = useForm({ defaultValues: { from: '', to: '' } })
  const [from, to] = useWatch({ control: form.control, name: ['from', 'to'] })
  const away = useAction('POST /series/{series_id}/away', { invalidates: everything })
  const touched = series.dates
    .filter(({ can }) => can.skip)
    .map(({ starts_at }) => dayIn(starts_at, zone))
    .filter((day) => from !== '' && to !== '' && from <= day && day <= to)
  return (
    <FormDialog
      form={form}
      title="When will you be away?"
      submitLabel="Skip these days"
      pendingLabel="Skipping"
      failureTitle="Nothing is skipped"
      onClose={onClose}
      onSubmit={async (values) => {
        // As the rows showed them: the answer names dates by their day in the rhythm.
        const named = (onDate: string) => dayLabel(dayOfDate(series, onDate, zone))
        const { data, skipped, refused } = await away.send({
          params: { series_id: series.series_id },
          body: { ...values, timezone: zone },
        })
        onSaid({
          title:
            skipped.length === 0
              ? 'No date falls on these days'
              : `Skipped: ${skipped.map(named).join(', ')}`,
          text: [
            skipped.length > 0 && 'Nothing is charged for them.',
            // Sessions of an hour that has changed since are on no card.
            skipped.some((day) => data.dates.some((date) => date.on_date === day && date.can.restore)) &&
              'You can take up again those that are listed below.',
            ...refused.map(({ on_date, message }) => `${named(on_date)} stays: ${message}`),
          ]
            .filter(Boolean)
            .join(' '),
        })
      }}
    >
      <p>Every date with {series.practitioner.full_name} on these days is skipped. Nothing is charged.</p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          min={today}
          {...fieldOf(form, 'from', { validate: fromTodayOn(today) })}
        />
        <TextField
          label="Last day"
          type="date"
          min={from || today}
          {...fieldOf(form, 'to', {
            validate: (day, values) =>
              day === '' ? 'Choose a day.' : day >= values.from || 'The last day is before the first.',
          })}
        />
      </div>
      <p aria-live="polite" className="text-sm text-soft empty:sr-only">
        {touched.length > 0 && `Skips ${touched.map(dayLabel).join(', ')}.`}
      </p>
    </FormDialog>
  )
}
