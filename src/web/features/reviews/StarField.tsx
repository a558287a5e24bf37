import type { ComponentProps } from 'react'
import { FieldSet, type FieldTexts } from '#web/ui/FieldFrame.tsx'

const star = 'M10 1.6l2.5 5.3 5.8.8-4.2 4 1 5.8L10 14.7l-5.1 2.8 1-5.8-4.2-4 5.8-.8z'

/** What each number of stars says. */
export const starLabels = ['', 'Poor', 'Not quite right', 'Fair', 'Good', 'Very good'] as const

type Props = FieldTexts & {
  /** 0 while nothing is chosen. */
  value: number
  /** The result of react-hook-form's `register`. */
  inputProps: Omit<ComponentProps<'input'>, 'type' | 'className' | 'style' | 'value'>
}

/** One to five stars. Native radios: arrows choose, and each says in words what it means. */
export function StarField({ value, inputProps, ...texts }: Props) {
  return (
    <FieldSet {...texts}>
      {({ 'aria-describedby': describedBy }) => (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <div className="-ml-1.5 flex">
            {[1, 2, 3, 4, 5].map((stars) => (
              <label
                key={stars}
                className="target grid cursor-pointer place-items-center rounded-full text-ember transition-colors hover:bg-ember-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus"
              >
                <input
                  {...inputProps}
                  type="radio"
                  value={stars}
                  aria-describedby={describedBy}
                  className="sr-only"
                />
                <svg
                  aria-hidden
                  viewBox="0 0 20 20"
                  width={32}
                  height={32}
                  fill={stars <= value ? 'currentColor' : 'none'}
                  stroke="currentColor"
                  strokeWidth={1.2}
                  strokeLinejoin="round"
                >
                  <path d={star} />
                </svg>
                <span className="sr-only">{`${stars} ${stars === 1 ? 'star' : 'stars'}, ${starLabels[stars]}`}</span>
              </label>
            ))}
          </div>
          <span aria-hidden className="text-soft">
            {value > 0 ? starLabels[value] : 'Choose 1 to 5 stars'}
          </span>
        </div>
      )}
    </FieldSet>
  )
}
