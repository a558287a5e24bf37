import { useWatch } from 'react-hook-form'
import { useForm } from '#web/lib/form.ts'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import { serverNow } from '#web/lib/clock.ts'
import { dayIn, formatDayAndTime, instantAt, zoneNote } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { adminZone } from './admin-labels.ts'

const hour = 3_600_000
const fields = ['first', 'second', 'third'] as const
const labels: Record<(typeof fields)[number], string> = {
  first: 'First date',
  second: 'Second date',
  third: 'Third date',
}
type Values = Record<(typeof fields)[number], string>

/** Proposes up to three dates for a video call. The back office enters them by its own clock. */
export function ProposeDatesDialog({ order, onClose }: { order: VideoOrder; onClose(): void }) {
  const propose = useAction('POST /admin/video-orders/{id}/dates', {
    invalidates: [['admin', 'video-orders']],
    onDone: () => showToast(`${order.full_name} can now choose one of the dates.`),
  })
  const form = useForm<Values>({ defaultValues: { first: '', second: '', third: '' } })
  const typed = useWatch({ control: form.control })
  const { errors } = form.formState

  function problemOf(local: string, values: Values, field: keyof Values): string | true {
    if (local === '') return field === 'first' ? 'Enter a day and a time.' : true
    const instant = instantAt(local, adminZone)
    if (!instant) return 'Enter a day and a time.'
    const ahead = instant.getTime() - serverNow()
    if (ahead < 24 * hour) return 'Enter a time that is at least 24 hours from now.'
    if (ahead > 90 * 24 * hour) return 'Enter a time within the next 90 days.'
    const isTwice = fields.some((other) => other !== field && values[other] === local)
    return isTwice ? 'Enter different dates.' : true
  }

  return (
    <FormDialog
      form={form}
      title={`Propose dates to ${order.full_name}`}
      submitLabel="Propose these dates"
      pendingLabel="Sending"
      failureTitle="No dates were proposed"
      onSubmit={(values) => {
        const dates = fields.flatMap((field) => instantAt(values[field], adminZone)?.toISOString() ?? [])
        return propose.send({
          params: { id: order.practitioner_id },
          body: { dates, version: order.version },
        })
      }}
      onClose={onClose}
    >
      <p>
        Enter up to three dates for the call, in London time. They get an email and choose one, or ask for
        others.
        {order.agreed_date && ' This cancels the date that is agreed now.'}
      </p>
      {fields.map((field) => (
        <TextField
          key={field}
          type="datetime-local"
          label={labels[field]}
          isOptional={field !== 'first'}
          min={`${dayIn(serverNow() + 24 * hour, adminZone)}T00:00`}
          max={`${dayIn(serverNow() + 90 * 24 * hour, adminZone)}T23:59`}
          description={forThem(typed[field] ?? '', order.timezone)}
          error={errors[field]?.message}
          {...form.register(field, { validate: (local, values) => problemOf(local, values, field) })}
        />
      ))}
    </FormDialog>
  )
}

/** The same time by the practitioner's clock, where that shows another. */
function forThem(local: string, zone: string): string | undefined {
  const instant = instantAt(local, adminZone)
  const note = instant && zoneNote(instant, zone, adminZone)
  return note ? `For them: ${formatDayAndTime(instant, zone)}, ${note}` : undefined
}
