import type { UseFormReturn } from 'react-hook-form'
import { fieldOf } from '#web/lib/form.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

/** What is chosen about remembering a card: nothing at first. */
export type Remembering = { remember: boolean; use: 'always' | 'once' | null }
export const nothingChosen: Remembering = { remember: false, use: null }

/** What follows from the choice: whether the card is remembered; undefined while nothing is chosen. */
export function isRemembered(
  { remember, use }: Partial<Remembering>,
  mayBeOnce: boolean,
): boolean | undefined {
  if (!mayBeOnce) return remember || undefined
  return use ? use === 'always' : undefined
}

/** Whether a card is remembered: a tick, or one of two choices where it may pay one session only. */
export function RememberChoice<Values extends Remembering>({
  form,
  mayBeOnce,
  label,
  note,
}: {
  form: UseFormReturn<Values>
  mayBeOnce: boolean
  label: string
  note: string
}) {
  // A form with more fields has these two.
  const ours = form as unknown as UseFormReturn<Remembering>
  if (!mayBeOnce) {
    return (
      <Checkbox
        description={note}
        {...fieldOf(ours, 'remember', { required: 'Tick this to save the card.' })}
      >
        {label}
      </Checkbox>
    )
  }
  const { error, ...use } = fieldOf(ours, 'use', { required: 'Choose what happens to the card.' })
  return (
    <RadioGroup
      label="After this session"
      error={error}
      options={[
        {
          value: 'always',
          label,
          description: 'You can remove it at any time under Saved cards.',
        },
        {
          value: 'once',
          label: 'Only for this session',
          description: 'It is removed once the session is paid. Refunds can still reach it.',
        },
      ]}
      inputProps={use}
    />
  )
}
