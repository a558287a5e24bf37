import { type Ref, useState } from 'react'
import { FieldSet, type FieldTexts } from './FieldFrame.tsx'

export type DateFieldProps = FieldTexts & {
  /** `YYYY-MM-DD`, or empty while it is not a whole date. */
  value: string
  onChange(value: string): void
  /** Such as `bday`: the browser then knows each of the three. */
  autoComplete?: 'bday'
  /** The day, which takes the focus when the date is wrong. */
  ref?: Ref<HTMLInputElement>
}

type Parts = { day: string; month: string; year: string }

const boxes = [
  { part: 'day', label: 'Day', size: 'w-20', digits: 2 },
  { part: 'month', label: 'Month', size: 'w-20', digits: 2 },
  { part: 'year', label: 'Year', size: 'w-28', digits: 4 },
] as const

/** A field for a date known by heart, such as a birthday: three numbers to type, without a calendar to leaf through. */
export function DateField({ value, onChange, autoComplete, ref, ...texts }: DateFieldProps) {
  const [parts, setParts] = useState<Parts>(() => partsOf(value))
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
                inputMode="numeric"
                maxLength={digits}
                autoComplete={autoComplete && `${autoComplete}-${part}`}
                value={parts[part]}
                onChange={(event) => {
                  const next = { ...parts, [part]: event.currentTarget.value.replaceAll(/\D/g, '') }
                  setParts(next)
                  onChange(dateOf(next))
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

function partsOf(value: string): Parts {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  return { day: day.replace(/^0/, ''), month: month.replace(/^0/, ''), year }
}

/** The date, if the three are one: the 30th of February is none. */
function dateOf({ day, month, year }: Parts): string {
  if (day === '' || month === '' || year.length !== 4) return ''
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : ''
}
