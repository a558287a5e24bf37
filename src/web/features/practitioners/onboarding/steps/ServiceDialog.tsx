import { Controller } from 'react-hook-form'
import type { AppointmentType } from '#contract/common.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { formatOption, sessionFormats } from '#web/lib/session-formats.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Slider } from '#web/ui/Slider.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import {
  durationFault,
  feeFault,
  numberOf,
  type Service,
  type ServiceEntry,
  usual,
} from './service-entries.ts'

type Values = Omit<ServiceEntry, 'format'> & { format: AppointmentType | '' }

/** Adds a service to the list, or changes one of it. */
export function ServiceDialog({
  names,
  entry,
  others,
  onSave,
  onClose,
}: {
  names: readonly Service[]
  /** Absent for a new one. */
  entry: ServiceEntry | undefined
  /** The rest of the list: each service is offered once in a format. */
  others: readonly ServiceEntry[]
  onSave(entry: ServiceEntry): void
  onClose(): void
}) {
  const form = useForm<Values>({
    defaultValues: entry ?? { service_id: '', format: '', ...usual },
  })
  const isTwice = (service_id: string, format: string) =>
    others.some((other) => other.service_id === service_id && other.format === format)
  return (
    <FormDialog
      form={form}
      title={entry ? 'Edit this service' : 'Add a service'}
      submitLabel={entry ? 'Save service' : 'Add service'}
      backLabel="Cancel"
      onSubmit={async ({ service_id, format, duration, fee }) => {
        if (format === '') return
        onSave({ service_id, format, duration: duration.trim(), fee: fee.trim().replace(',', '.') })
      }}
      onClose={onClose}
    >
      <Select
        label="Type"
        {...fieldOf(form, 'service_id', {
          validate: (id, { format }) =>
            id === ''
              ? 'Choose the type of service.'
              : !isTwice(id, format) ||
                'You already offer this in this format. Change that one, or choose another.',
        })}
      >
        <option value="">Choose one</option>
        {names.map(({ service_id, name }) => (
          <option key={service_id} value={service_id}>
            {name}
          </option>
        ))}
      </Select>
      <RadioGroup
        label="How you meet"
        error={form.formState.errors.format?.message}
        options={sessionFormats.map(formatOption)}
        inputProps={form.register('format', { required: 'Choose online or face-to-face.' })}
      />
      <Controller
        control={form.control}
        name="duration"
        rules={{ validate: (text) => durationFault(text.trim()) ?? true }}
        render={({ field, fieldState }) => (
          <div>
            <Slider
              label="Length"
              min={0}
              max={240}
              step={5}
              value={numberOf(field.value)}
              onChange={(minutes) => field.onChange(String(minutes))}
              text={`${field.value} minutes`}
            />
            <TextField
              label="Minutes"
              isLabelHidden
              inputMode="numeric"
              autoComplete="off"
              className="max-w-28"
              error={fieldState.error?.message}
              {...field}
            />
          </div>
        )}
      />
      <Controller
        control={form.control}
        name="fee"
        rules={{ validate: (text) => feeFault(text.trim()) ?? true }}
        render={({ field, fieldState }) => (
          <div>
            <Slider
              label="Price"
              min={0}
              max={1000}
              step={5}
              value={numberOf(field.value)}
              onChange={(pounds) => field.onChange(String(pounds))}
              text={`£${field.value}`}
            />
            <TextField
              label="Pounds"
              isLabelHidden
              inputMode="decimal"
              autoComplete="off"
              prefix="£"
              className="max-w-32"
              error={fieldState.error?.message}
              {...field}
            />
          </div>
        )}
      />
    </FormDialog>
  )
}
