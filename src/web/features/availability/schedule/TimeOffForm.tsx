import { useForm, useWatch } from 'react-hook-form'
import type { TimeOff } from '#contract/availability/schedule.ts'
import { fieldOf } from '#web/lib/form.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { scheduleKeys } from './schedule-queries.ts'

type Values = {
  first_day: string
  last_day: string
  hasHours: boolean
  from_time: string
  to_time: string
}

const nothing: Values = { first_day: '', last_day: '', hasHours: false, from_time: '', to_time: '' }

/** Takes days, or hours of them, off. */
export function TimeOffForm({ today, onAdded }: { today: string; onAdded(timeOff: TimeOff): void }) {
  const form = useForm<Values>({ defaultValues: nothing })
  const [firstDay, hasHours] = useWatch({ control: form.control, name: ['first_day', 'hasHours'] })

  const add = useAction('POST /therapist/time-off', {
    invalidates: scheduleKeys(),
    onDone(added) {
      form.reset(nothing)
      onAdded(added)
    },
  })

  return (
    <Form
      form={form}
      className="flex flex-col gap-4"
      failureTitle="Your time off was not saved"
      onSubmit={(values) =>
        add.send({
          body: {
            first_day: values.first_day,
            last_day: values.last_day || null,
            from_time: values.hasHours ? values.from_time || null : null,
            to_time: values.hasHours ? values.to_time || null : null,
          },
        })
      }
    >
      <h3 className="font-sans text-base font-semibold tracking-normal">Take time off</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          min={today}
          {...fieldOf(form, 'first_day', {
            validate: (day) =>
              day === '' ? 'Choose a day.' : day >= today || 'This day has passed. Choose today or later.',
          })}
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
        <div className="grid grid-cols-2 gap-4">
          <TextField label="From" type="time" {...fieldOf(form, 'from_time')} />
          <TextField label="Until" type="time" {...fieldOf(form, 'to_time')} />
        </div>
      )}
      <div>
        <SubmitButton variant="secondary" pendingLabel="Saving">
          Add time off
        </SubmitButton>
      </div>
    </Form>
  )
}
