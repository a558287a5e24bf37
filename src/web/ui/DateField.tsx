import { type Ref, use, useState } from 'react'
import { type DateParts, partsOfDate, textOfDate } from '../lib/typed-date.ts'
import { FieldSet, type FieldTexts } from './FieldFrame.tsx'
import { Submitting } from './submitting.ts'

export type DateFieldProps = FieldTexts & {
  /** `YYYY-MM-DD`, empty, or the numbers as typed while they are no date: see `isDate`. */
  value: string
  onChange(value: string): void
  /** Such as `bday`: the browser then knows each of the three. */
  autoComplete?: 'bday'
  /** The day, which takes the focus when the date is wrong. */
  ref?: Ref<HTMLInputElement>
}

const boxes = [
  { part: 'day', label: 'Day', size: 'w-20', digits: 2 },
  { part: 'month', label: 'Month', size: 'w-20', digits: 2 },
  { part: 'year', label: 'Year', size: 'w-28', digits: 4 },
] as const

/** A field for a date known by heart, such as a birthday: three numbers to type, without a calendar to leaf through. */
export function DateField({ value, onChange, autoComplete, ref, ...texts }: DateFieldProps) {
  const isSending = use(Submitting)
  const [parts, setParts] = useState<DateParts>(() => partsOfDate(value))
  return (
    <FieldSet {...texts}>
      {(attributes) => (
        <div className="flex flex-wrap gap-3">
          {boxes.map(({ part, label, size, digits }) => (
            <label key={part} className="flex flex-col gap-1 text-sm">
              {label}
              <input
                {...attributes}
                ref={part === 'day' ? ref : undefined}
                type="text"
                readOnly={isSending}
                inputMode="numeric"
                maxLength={digits}
                autoComplete={autoComplete && `${autoComplete}-${part}`}
                value={parts[part]}
                onChange={(event) => {
                  const next = { ...parts, [part]: event.currentTarget.value.replaceAll(/\D/g, '') }
                  setParts(next)
                  onChange(textOfDate(next))
                }}
                className={`field ${size}`}
              />
            </label>
          ))}
        </div>
      )}
    </FieldSet>
  )
}
