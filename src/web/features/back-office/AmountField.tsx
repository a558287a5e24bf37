import type { fieldOf } from '#web/lib/form.ts'
import { formatPounds } from '#web/lib/money.ts'
import { TextField } from '#web/ui/TextField.tsx'

/** `most` in pounds, and the result of `fieldOf` with `amountRule`. */
type Props = { most: number } & ReturnType<typeof fieldOf>

/** The pounds that a text means: '12.50' or '£12.50'. Not a number for any other. */
export function amountOf(text: string): number {
  const digits = /^£?\s?(\d+(?:\.\d{1,2})?)$/.exec(text.trim())?.[1]
  return digits === undefined ? Number.NaN : Number(digits)
}

/** What the text of an amount has to look like. */
export const amountRule = {
  validate: (text: string) => !Number.isNaN(amountOf(text)) || 'Enter pounds and pence, such as 12.50.',
}

/** An amount of money up to what there is. */
export function AmountField({ most, ...field }: Props) {
  return (
    <TextField
      label="Amount"
      prefix="£"
      inputMode="decimal"
      autoComplete="off"
      description={`At most ${formatPounds(most)}.`}
      className="max-w-48"
      {...field}
    />
  )
}
