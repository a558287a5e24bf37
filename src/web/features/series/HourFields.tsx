import type { UseFormReturn } from 'react-hook-form'
import type { Rhythm } from '#contract/series/series.ts'
import { zoneCity, zoneNameOfToday } from '#contract/zone-names.ts'
import { fieldOf, fromTodayOn } from '#web/lib/form.ts'
import { viewerZone } from '#web/lib/time.ts'
import { Select } from '#web/ui/Select.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { everyWeeksOptions, weekdayOptions } from './series-labels.ts'

/** A regular hour as it is typed. */
export type HourValues = { weekday: string; start: string; every: string; from: string }

/** The fields of a rhythm, and of the day from which it is to be. */
export const valuesOf = (rhythm: Rhythm, from: string): HourValues => ({
  weekday: String(rhythm.weekday),
  start: rhythm.start,
  every: String(rhythm.every_weeks),
  from,
})

type Props = {
  form: UseFormReturn<HourValues>
  /** Whose clocks the hour goes by. */
  timezone: string
  today: string
  /** Why the hour as a whole is not good; true where it is. */
  check?(): true | string
  onWeekday?(): void
  onFrom?(): void
}

/** When, how often and from which day a regular hour is. */
export function HourFields({ form, timezone, today, check, onWeekday, onFrom }: Props) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Select label="Day" options={weekdayOptions} {...form.register('weekday', { onChange: onWeekday })} />
      <TextField
        label="Time"
        type="time"
        description={
          zoneNameOfToday(viewerZone()) === timezone ? undefined : `On the clocks of ${zoneCity(timezone)}.`
        }
        {...fieldOf(form, 'start', { required: 'Choose a time.', validate: check })}
      />
      <Select label="How often" options={everyWeeksOptions} {...form.register('every')} />
      <TextField
        label="From"
        type="date"
        min={today}
        {...fieldOf(form, 'from', { onChange: onFrom, validate: fromTodayOn(today) })}
      />
    </div>
  )
}
