import { type ReactNode, useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import type { TimeOff } from '#contract/availability/schedule.ts'
import type { SessionInTimeOff } from '#contract/series/therapist-series.ts'
import { fieldOf, fromTodayOn } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { classes } from '#web/ui/classes.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { keptNames } from './kept-names.ts'
import { scheduleKeys } from './schedule-queries.ts'

type Values = {
  first_day: string
  last_day: string
  hasHours: boolean
  from_time: string
  to_time: string
}

const nothing: Values = { first_day: '', last_day: '', hasHours: false, from_time: '', to_time: '' }

/** Days, or hours of them, as they are sent. */
export type WantedTimeOff = {
  first_day: string
  last_day: string | null
  from_time: string | null
  to_time: string | null
}

/** The regular sessions within time off, as another part of the page knows them. */
export type RegularSessions = {
  /** Lists those within the days that are wanted, and passes them on. */
  renderInside(
    wanted: WantedTimeOff | undefined,
    children: (sessions: readonly SessionInTimeOff[]) => ReactNode,
  ): ReactNode
  /** Skips those that were shown within time off that is saved. Undefined if that failed. */
  skip(timeOff: TimeOff, shown: readonly SessionInTimeOff[]): Promise<Skipped | undefined>
  /** Shows what is for time off with regular sessions in it. */
  renderIfAny(timeOff: TimeOff, children: ReactNode): ReactNode
  /** The dialog that asks before those within it are skipped. */
  renderSkip(timeOff: TimeOff, onClose: () => void, onSkipped: (skipped: Skipped) => void): ReactNode
}

/** How many regular sessions are skipped, and how many are left since they were agreed or moved after the list was read. */
export type Skipped = { count: number; left: number }

export type TimeOffFormProps = {
  today: string
  regular: RegularSessions
  /** `skipped`: the regular sessions that were skipped with it; undefined if that failed, null if it was not wanted. */
  onAdded(timeOff: TimeOff, skipped: Skipped | undefined | null): void
  /** Called with whether something is entered that is not added. */
  onUnsaved(isUnsaved: boolean): void
}

/** Takes days, or hours of them, off, together with the regular sessions within them where that is wanted. */
export function TimeOffForm({ today, regular, onAdded, onUnsaved }: TimeOffFormProps) {
  const { form, isUnsaved } = useKeptForm<Values>(keptNames.timeOff, nothing)
  const values = useWatch({ control: form.control })
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved])
  const { first_day: firstDay = '', last_day: lastDay = '', hasHours } = values
  const isWhole = firstDay >= today && (!lastDay || lastDay >= firstDay)
  const isOneDay = !lastDay || lastDay === firstDay
  /** The regular sessions that were shown as the button was pressed that skips them as well. */
  const toSkip = useRef<readonly SessionInTimeOff[]>(undefined)

  const add = useAction('POST /therapist/time-off', {
    invalidates: scheduleKeys(),
    async onDone(added) {
      form.reset(nothing)
      onAdded(added, toSkip.current ? await regular.skip(added, toSkip.current) : null)
    },
  })

  return (
    <Form
      form={form}
      className="flex flex-col gap-4"
      failureTitle="Your time off was not saved"
      onSubmit={(values) => add.send({ body: wantedOf(values) })}
    >
      <h3 className="font-sans text-base font-semibold tracking-normal">Take time off</h3>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          min={today}
          {...fieldOf(form, 'first_day', { validate: fromTodayOn(today) })}
        />
        <TextField
          label="Last day"
          isOptional
          type="date"
          min={firstDay || today}
          {...fieldOf(form, 'last_day', {
            validate: (day, { first_day }) =>
              day === '' || day >= first_day || 'The last day is before the first.',
          })}
        />
      </div>
      <Checkbox {...form.register('hasHours')}>Only some hours</Checkbox>
      {hasHours && (
        <div className={classes('grid gap-4', isOneDay ? 'grid-cols-2' : 'sm:grid-cols-2')}>
          <TextField
            label={isOneDay ? 'From' : 'From, on the first day'}
            type="time"
            {...fieldOf(form, 'from_time', {
              // Without either time it would be whole days.
              validate: (from, { to_time }) =>
                from !== '' || to_time !== '' || 'Enter a time, or untick “Only some hours”.',
            })}
          />
          <TextField
            label={isOneDay ? 'Until' : 'Until, on the last day'}
            type="time"
            {...fieldOf(form, 'to_time', { deps: 'from_time' })}
          />
        </div>
      )}
      {regular.renderInside(isWhole ? wantedOf({ ...nothing, ...values }) : undefined, (sessions) => (
        <div className="flex flex-wrap gap-3">
          {/* First, as Enter in a field presses the first one: it skips nothing. */}
          <SubmitButton
            variant="secondary"
            pendingLabel="Saving"
            onPress={() => (toSkip.current = undefined)}
          >
            {sessions.length > 0 ? 'Add time off only' : 'Add time off'}
          </SubmitButton>
          {sessions.length > 0 && (
            <SubmitButton pendingLabel="Saving" onPress={() => (toSkip.current = sessions)}>
              {`Add time off and skip ${sessions.length === 1 ? 'it' : 'them'}`}
            </SubmitButton>
          )}
        </div>
      ))}
    </Form>
  )
}

function wantedOf(values: Values): WantedTimeOff {
  return {
    first_day: values.first_day,
    last_day: values.last_day || null,
    from_time: values.hasHours ? values.from_time || null : null,
    to_time: values.hasHours ? values.to_time || null : null,
  }
}
