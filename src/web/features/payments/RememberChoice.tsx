import type { UseFormRegisterReturn } from 'react-hook-form'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

const rememberLabel = 'Remember the card for the next sessions'

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
export function RememberChoice({
  remember,
  use,
  mayBeOnce,
  note,
}: {
  remember: UseFormRegisterReturn
  use: UseFormRegisterReturn
  mayBeOnce: boolean
  note: string
}) {
  if (!mayBeOnce) {
    return (
      <Checkbox description={note} {...remember}>
        {rememberLabel}
      </Checkbox>
    )
  }
  return (
    <RadioGroup
      label="After this session"
      options={[
        {
          value: 'always',
          label: rememberLabel,
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
