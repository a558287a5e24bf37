import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import { classes } from '#web/ui/classes.ts'
import { useSwipe } from './use-swipe.ts'
import { dayLabel, freeTimesLabel, shortWeekday, weekAnnouncement, weekLabel } from './weeks.ts'
import { addDays } from '#web/lib/time.ts'

export type DayStripProps = {
  /** Five days from a Monday, or all seven. */
  days: readonly string[]
  selected: string
  today: string
  /** No week after this Monday has anything to offer. */
  lastMonday: string
  /** Free times by day; nothing while they are loading. */
  counts: ReadonlyMap<string, number> | undefined
  onDay(day: string): void
  onWeek(monday: string): void
  /** Addresses of days and weeks, in place of buttons. */
  links?: { day(day: string): string; week(monday: string): string } | undefined
  /** The chosen day's input. */
  dayRef?: RefObject<HTMLInputElement | null>
}

const arrowLook =
  'target grid place-items-center rounded-full text-soft transition-colors hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 aria-disabled:hover:bg-transparent'

/** A week of days to choose from, and the way to the weeks before and after. */
export function DayStrip({
  days,
  selected,
  today,
  lastMonday,
  counts,
  onDay,
  onWeek,
  links,
  dayRef,
}: DayStripProps) {
  const name = useId()
  const monday = days[0] ?? today
  const before = addDays(monday, -7)
  const after = addDays(monday, 7)
  const isFirst = monday <= today
  const isLast = monday >= lastMonday
  const [announced, setAnnounced] = useState({ monday, text: '' })
  // Once a week, with its free times; not the week that the page opens at.
  if (counts && announced.monday !== monday) setAnnounced({ monday, text: weekAnnouncement(days, counts) })
  const swipe = useSwipe((direction) => {
    if (direction === 'left' && !isLast) onWeek(after)
    if (direction === 'right' && !isFirst) onWeek(before)
  })
  const arrow = (label: string, target: string, isOff: boolean, icon: ReactNode) =>
    links ? (
      <a
        href={isOff ? undefined : links.week(target)}
        aria-disabled={isOff || undefined}
        className={arrowLook}
      >
        <span className="sr-only">{label}</span>
        {icon}
      </a>
    ) : (
      <button
        type="button"
        aria-label={label}
        // It stays in the order of focus where it would otherwise vanish under the finger.
        aria-disabled={isOff || undefined}
        onClick={() => !isOff && onWeek(target)}
        className={arrowLook}
      >
        {icon}
      </button>
    )
  return (
    <div className="touch-pan-y touch-pinch-zoom select-none" {...swipe}>
      <div className="flex items-center justify-between gap-2">
        {arrow('Previous week', before, isFirst, <IconChevronLeft aria-hidden size={22} />)}
        <p className="text-center font-semibold">{weekLabel(days)}</p>
        {arrow('Next week', after, isLast, <IconChevronRight aria-hidden size={22} />)}
      </div>
      <p aria-live="polite" className="sr-only">
        {announced.text}
      </p>
      <fieldset className="mt-1 min-w-0">
        <legend className="sr-only">Day</legend>
        <div className={classes('grid gap-1', days.length > 5 ? 'grid-cols-7' : 'grid-cols-5')}>
          {days.map((day) => {
            const isPast = day < today
            const isChosen = day === selected && !isPast
            const face = (
              <DayFace day={day} today={today} isPast={isPast} count={counts?.get(day) ?? (counts && 0)} />
            )
            if (links) {
              return (
                <a
                  key={day}
                  href={isPast ? undefined : links.day(day)}
                  aria-current={isChosen ? 'date' : undefined}
                  data-chosen={isChosen || undefined}
                  className={dayLook}
                >
                  {face}
                </a>
              )
            }
            return (
              <label key={day} data-chosen={isChosen || undefined} className={dayLook}>
                <input
                  ref={isChosen ? dayRef : undefined}
                  type="radio"
                  name={name}
                  value={day}
                  checked={isChosen}
                  disabled={isPast}
                  onChange={() => onDay(day)}
                  className="sr-only"
                />
                {face}
              </label>
            )
          })}
        </div>
      </fieldset>
    </div>
  )
}

const dayLook =
  'relative flex min-h-16 min-w-0 flex-col items-center justify-center rounded-md border border-transparent py-1.5 leading-tight text-ink no-underline transition-colors hover:bg-sunken has-disabled:cursor-default has-disabled:hover:bg-transparent has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus data-chosen:border-action data-chosen:bg-action-soft data-chosen:text-on-action-soft data-chosen:chosen-outline'

type FaceProps = { day: string; today: string; isPast: boolean; count: number | undefined }

function DayFace({ day, today, isPast, count }: FaceProps) {
  return (
    <>
      <span aria-hidden className={classes('text-xs', isPast && 'text-faint')}>
        {day === today ? 'Today' : shortWeekday(day)}
      </span>
      <span
        aria-hidden
        className={classes('text-lg tabular-nums', isPast ? 'text-faint line-through' : 'font-semibold')}
      >
        {Number(day.slice(8))}
      </span>
      <span
        aria-hidden
        className={classes(
          'mt-0.5 size-1.5 rounded-full',
          count ? 'bg-action forced-colors:bg-[CanvasText]' : 'bg-transparent',
        )}
      />
      <span className="sr-only">
        {dayLabel(day, today)}
        {isPast && ', past'}
        {!isPast && count !== undefined && `, ${freeTimesLabel(count)}`}
      </span>
    </>
  )
}
