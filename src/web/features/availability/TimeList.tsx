import { useId } from 'react'
import type { Slot } from '#contract/availability/availability.ts'
import { formatTime } from '#web/lib/time.ts'

export type TimeListProps = {
  /** 'Free times on Wednesday 4 March'. */
  label: string
  slots: readonly Slot[]
  zone: string
  /** `starts_at` of the chosen one. */
  value: string | undefined
  onChange(slot: Slot): void
  /** Leads on at once, in place of choosing. */
  hrefFor?: ((slot: Slot) => string) | undefined
}

const look =
  'relative grid min-h-11 place-items-center rounded-md border border-edge bg-raised font-semibold text-ink tabular-nums no-underline transition-colors hover:border-ink has-checked:border-action has-checked:bg-action has-checked:text-on-action has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-checked:chosen-outline'

/** The free times of one day. */
export function TimeList({ label, slots, zone, value, onChange, hrefFor }: TimeListProps) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm text-soft">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(4.25rem,1fr))] gap-2">
        {slots.map((slot) => {
          const time = formatTime(slot.starts_at, zone)
          return hrefFor ? (
            <a key={slot.starts_at} href={hrefFor(slot)} className={look}>
              {time}
            </a>
          ) : (
            <label key={slot.starts_at} className={look}>
              <input
                type="radio"
                name={name}
                value={slot.starts_at}
                checked={sameInstant(slot.starts_at, value)}
                onChange={() => onChange(slot)}
                className="sr-only"
              />
              {time}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

/** Two texts may write one instant with different offsets. */
export function sameInstant(one: string, other: string | undefined): boolean {
  return other !== undefined && Date.parse(one) === Date.parse(other)
}
