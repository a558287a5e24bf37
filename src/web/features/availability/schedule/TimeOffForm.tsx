import { useForm, useWatch } from 'react-hook-form'
import type { TimeOff } from '#contract/availability/schedule.ts'
import { callApi } from '#web/lib/api.ts'
import { showApiError } from '#web/lib/form.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'

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
  const { errors, isSubmitting } = form.formState
  const [firstDay, hasHours] = useWatch({ control: form.control, name: ['first_day', 'hasHours'] })

  const add = form.handleSubmit(async (values) => {
    try {
      const added = await callApi('POST /therapist/time-off', {
        body: {
          first_day: values.first_day,
          last_day: values.last_day || null,
          from_time: values.hasHours ? values.from_time || null : null,
          to_time: values.hasHours ? values.to_time || null : null,
        },
      })
      form.reset(nothing)
      onAdded(added)
    } catch (error) {
      showApiError(form, error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void add(event)} className="flex flex-col gap-4">
      <h3 className="font-sans text-base font-semibold tracking-normal">Take time off</h3>
      {errors.root?.server && (
        <Alert tone="danger" live="assertive" title="Your time off is not saved">
          {errors.root.server.message}
        </Alert>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          min={today}
          error={errors.first_day?.message}
          {...form.register('first_day', { validate: (day) => day !== '' || 'Choose a day.' })}
        />
        <TextField
          label="Last day"
          isOptional
          type="date"
          min={firstDay || today}
          error={errors.last_day?.message}
          {...form.register('last_day')}
        />
      </div>
      <Checkbox {...form.register('hasHours')}>Only some hours</Checkbox>
      {hasHours && (
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="From"
            type="time"
            error={errors.from_time?.message}
            {...form.register('from_time')}
          />
          <TextField
            label="Until"
            type="time"
            error={errors.to_time?.message}
            {...form.register('to_time')}
          />
        </div>
      )}
      <div>
        <SubmitButton variant="secondary" isPending={isSubmitting} pendingLabel="Saving">
          Add time off
        </SubmitButton>
      </div>
    </form>
  )
}
