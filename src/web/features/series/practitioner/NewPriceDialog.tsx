import type { Series } from '#contract/series/series.ts'
import { serverNow } from '#web/lib/clock.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { dayIn } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { dayLabel } from '../series-labels.ts'
import { everything } from '../series-queries.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

/** How long before it applies a new price is announced. Days. */
const noticeDays = 28

/** Asks a client for another price, from a day at least 28 days ahead. */
export function NewPriceDialog({ series, onClose, onSaid }: Props) {
  const { client_name: client, fee } = series
  // A day more than the shortest, which ends at an hour of its day.
  const earliest = dayIn(serverNow() + (noticeDays + 1) * 86_400_000, series.rhythm.timezone)
  const form = useForm({ defaultValues: { fee: '', from: earliest } })
  const ask = useAction('POST /therapist/series/{series_id}/new-price', { invalidates: everything })
  return (
    <FormDialog
      form={form}
      title={`A new price for ${client}`}
      submitLabel="Ask for it"
      failureTitle="Nothing has changed"
      onClose={onClose}
      onSubmit={async (values) => {
        const { data } = await ask.send({
          params: { series_id: series.series_id },
          body: { fee: Number(values.fee), from: values.from },
        })
        onSaid({
          title: `We have asked ${client}`,
          // The first session from the chosen day on.
          text: `${formatPounds(Number(values.fee))} from ${dayLabel(data.price_change?.from_date ?? values.from)}. You hear from us when they reply.`,
        })
      }}
    >
      <p>
        {`Now ${formatPounds(fee)} each session. ${client} is told at once and decides whether to go on. Sessions before the day keep the old price; if they decline or do not reply, the hour ends there.`}
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="New price"
          prefix="£"
          inputMode="decimal"
          autoComplete="off"
          {...fieldOf(form, 'fee', {
            validate: (text) =>
              (/^\d+(\.\d{1,2})?$/.test(text.trim()) && Number(text) > 0) ||
              'Enter pounds and pence, such as 65 or 62.50.',
          })}
        />
        <TextField
          label="From"
          type="date"
          min={earliest}
          description={`At least ${noticeDays} days from now.`}
          {...fieldOf(form, 'from', {
            validate: (day) =>
              day === ''
                ? 'Choose a day.'
                : day >= earliest || `Choose ${dayLabel(earliest)} or later: clients get four weeks’ notice.`,
          })}
        />
      </div>
    </FormDialog>
  )
}
