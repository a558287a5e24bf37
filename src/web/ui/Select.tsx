import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useHydrated } from '../lib/hydrated.ts'
import { classes } from './classes.ts'
import { framed, FieldFrame, type FieldTexts } from './FieldFrame.tsx'

export type SelectProps = FieldTexts &
  Omit<ComponentProps<'select'>, 'className' | 'style'> & {
    /** In place of `children`. */
    options?: readonly { value: string; label: string; isDisabled?: boolean }[]
    /** The chosen option takes as many lines as it needs, which the browser's own box does not give it. Takes `options` and `value`. */
    isWrapping?: boolean
  }

/** One choice out of a list: the browser's own, which every phone and screen reader knows, and a plain form sends. */
export function Select({ options, children, isWrapping, ...props }: SelectProps) {
  const [frame, select] = framed(props)
  // Before the page is alive nothing would follow a change.
  const isHydrated = useHydrated()
  const whole =
    isWrapping && isHydrated
      ? options?.find((option) => option.value === String(select.value))?.label
      : undefined
  return (
    <FieldFrame {...frame}>
      {(attributes) => (
        <div className="relative grid grid-cols-1">
          <select
            {...select}
            {...attributes}
            className={classes(
              'field col-start-1 row-start-1 appearance-none pr-10',
              whole && 'text-transparent',
            )}
          >
            {options?.map((option) => (
              <option
                key={option.value}
                value={option.value}
                disabled={option.isDisabled}
                className={whole && 'text-ink'}
              >
                {option.label}
              </option>
            )) ?? children}
          </select>
          {whole && (
            <span
              aria-hidden
              className="pointer-events-none col-start-1 row-start-1 self-center py-2 pr-10 pl-3.5 forced-colors:hidden"
            >
              {whole}
            </span>
          )}
          <IconChevronDown
            aria-hidden
            size={20}
            className="pointer-events-none absolute inset-y-0 right-3 my-auto text-soft"
          />
        </div>
      )}
    </FieldFrame>
  )
}
