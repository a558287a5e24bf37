import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Series } from '#contract/series/series.ts'
import { ApiError, BrowserError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { useForm } from '#web/lib/form.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showIfChangedElsewhere } from '#web/ui/Toast.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { type Choices, resolved } from './ConflictChoice.tsx'
import { HourFields, valuesOf } from './HourFields.tsx'
import { PlannedDates } from './PlannedDates.tsx'
import { everyWeeksOf } from './series-labels.ts'
import { type ChangedHour, changePreviewQuery, everything } from './series-queries.ts'
import { skippedAgain } from './skipped-again.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

/** Another weekday, time or rhythm from a day on, with the dates that it brings before anything changes. */
export function ChangeRhythm({ series, onClose, onSaid }: Props) {
  const { rhythm, practitioner } = series
  const zone = viewerZone()
  const today = dayIn(serverNow(), rhythm.timezone)
  const form = useForm({ defaultValues: valuesOf(rhythm, firstOpenDay(series, today)) })
  const [from, weekday, start, every] = useWatch({
    control: form.control,
    name: ['from', 'weekday', 'start', 'every'],
  })
  const hour: ChangedHour = { from, weekday: Number(weekday), start, everyWeeks: everyWeeksOf(every) }
  const isOther =
    hour.weekday !== rhythm.weekday || hour.start !== rhythm.start || hour.everyWeeks !== rhythm.every_weeks
  const isWhole = isOther && from >= today && start !== ''
  const change = useAction('POST /series/{series_id}/change', {
    invalidates: everything,
    // A series that was changed meanwhile leaves the page with this dialog.
    onRefused: showIfChangedElsewhere,
  })
  const preview = useQuery({
    ...changePreviewQuery(series.series_id, hour),
    // Once it is changed, there is nothing left to ask about this series.
    enabled: isWhole && !change.isPending && !change.isDone,
    placeholderData: keepPreviousData,
  })
  const [chosen, setChosen] = useState<Choices>({})
  const planned = preview.data?.dates ?? []
  const choices = { ...skippedAgain(series.dates, planned), ...chosen }
  return (
    <FormDialog
      form={form}
      title="Change the hour"
      submitLabel="Change it"
      pendingLabel="Changing"
      failureTitle="Nothing has changed"
      onClose={onClose}
      onSubmit={async () => {
        // What is skipped or moved is chosen among the dates of this hour, not of the one before.
        if (preview.isPlaceholderData || preview.data === undefined) {
          throw new BrowserError('Please look at the new dates first. They are not here yet.')
        }
        const { data } = await change.send({
          params: { series_id: series.series_id },
          body: {
            from,
            weekday: hour.weekday,
            start,
            every_weeks: hour.everyWeeks,
            dates: resolved(planned, choices),
          },
        })
        onSaid({
          title: 'Your hour has changed',
          text: `${rhythmLabel(data.rhythm, zone, data.dates[0]?.starts_at ?? 0)} with ${practitioner.full_name}. Sessions before it stay as they are.`,
        })
      }}
    >
      <HourFields
        form={form}
        timezone={rhythm.timezone}
        today={today}
        check={() => isOther || 'Choose another day, time or rhythm first.'}
      />
      <section
        aria-label="Your new dates"
        aria-live="polite"
        aria-busy={preview.isFetching}
        className={preview.isPlaceholderData ? 'opacity-60' : undefined}
      >
        {!isWhole ? (
          <p className="text-sm text-soft">Choose another day, time or rhythm to see the dates.</p>
        ) : preview.data ? (
          <PlannedDates
            dates={planned}
            theirZone={practitioner.timezone}
            choices={choices}
            onChoose={(day, choice) => setChosen({ ...chosen, [day]: choice })}
          />
        ) : preview.error ? (
          <QueryErrorAlert
            title={
              isRefused(preview.error) ? 'The hour cannot change like this' : 'The new dates did not load'
            }
            query={preview}
          />
        ) : (
          <Loading label="Loading the new dates" skeleton="h-40" />
        )}
      </section>
    </FormDialog>
  )
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 409

/** The day after the last session that is paid, or today. */
function firstOpenDay(series: Series, today: string): string {
  const next = series.dates.find(
    ({ on_date, payment, state }) => on_date >= today && payment !== 'paid' && state !== 'released',
  )
  return next?.on_date ?? today
}
