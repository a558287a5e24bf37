import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Slot } from '#contract/availability/availability.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { addDays, dayIn, type InstantLike, zoneNote } from '#web/lib/time.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { DayStrip } from './DayStrip.tsx'
import { JumpControl } from './JumpControl.tsx'
import { NextFreeJump } from './NextFreeJump.tsx'
import { type FreeTimes, type SlotQuestion, weekQuery } from './queries.ts'
import { sameInstant, TimeList } from './TimeList.tsx'
import { useSwipe } from './use-swipe.ts'
import { dayLabel, firstDayOf, mondayOf, slotsByDay, stripDays } from './weeks.ts'

/** A week that the server has read already, by the page's zone. */
export type InitialWeek = FreeTimes & {
  monday: string
  /** Whether it was asked for, and is not only the first with days ahead. */
  isAsked?: boolean
  /** The day that was asked for. */
  day?: string
  /** When the week is empty: `starts_at` of the first free time after it, null for none. */
  nextFreeAt?: string | null
  /** What it was read for; anything else is asked anew. */
  serviceId?: number
  appointmentType: SlotQuestion['appointmentType']
}

export type SlotPickerProps = Omit<SlotQuestion, 'zone'> & {
  /** Whose hours these are: the zone is named where the reader's clock shows another time. */
  practitionerZone: string
  /** `starts_at` of the chosen time; kept by the caller. */
  value: string | undefined
  /** Gets the chosen slot; `undefined` when the chosen slot was taken meanwhile, which the picker then says. */
  onChange(slot: Slot | undefined): void
  /** The present, the same on the server and in the browser. */
  now: InstantLike
  initial?: InitialWeek
  /** The picker opens at the week and, where that has free times, the day of this; at the present week otherwise. */
  opensAt?: InstantLike | undefined
  /** For reading without JavaScript: where a day of a week is shown, and where a time leads. */
  links?: { day(day: string): string; week(monday: string): string; slot(slot: Slot): string }
}

/** How far ahead times are offered, in days. */
const horizonDays = 61

/**
 * Free times of a practitioner, a week at a time: five days from Monday, seven where the weekend has free times. Days
 * and times are radio groups, so arrow keys move; drawing across is a shortcut and never needed. Times are in the
 * reader's zone.
 */
export function SlotPicker({
  practitionerId,
  serviceId,
  minutes,
  appointmentType,
  practitionerZone,
  value,
  onChange,
  now,
  initial,
  opensAt,
  links,
}: SlotPickerProps) {
  const isHydrated = useHydrated()
  const zone = useViewerZone()
  const today = dayIn(now, zone)
  /** What was read for this service. */
  const own =
    initial && initial.serviceId === serviceId && initial.appointmentType === appointmentType
      ? initial
      : undefined
  const [openingDay] = useState(() => (opensAt === undefined ? undefined : dayIn(opensAt, zone)))
  const [wanted, setWanted] = useState(() => ({
    monday: firstMonday(initial?.isAsked ? initial : own, openingDay, now),
    day: initial?.day,
    /** How often the reader has jumped to another day; the focus then goes along. */
    jumps: 0,
  }))
  const monday = wanted.monday ?? mondayOf(today)
  const question: SlotQuestion = { practitionerId, serviceId, minutes, appointmentType, zone }
  const known = own?.monday === monday && zone === pageZone ? own : undefined
  const week = useQuery({
    ...weekQuery(question, monday),
    initialData: known && { slots: known.slots, fresh_until: known.fresh_until },
  })

  const byDay = slotsByDay(week.data?.slots ?? [], zone)
  const days = stripDays(monday, byDay.keys())
  const isShown = wanted.day !== undefined && wanted.day >= today && days.includes(wanted.day)
  const preferred = isShown ? wanted.day : openingDay && byDay.has(openingDay) ? openingDay : undefined
  const day = preferred ?? firstDayOf(days, new Set(byDay.keys()), today)
  const slots = byDay.get(day) ?? []

  const dayRef = useRef<HTMLInputElement>(null)
  const jumpsSeen = useRef(0)
  useEffect(() => {
    if (!week.data || jumpsSeen.current === wanted.jumps) return
    jumpsSeen.current = wanted.jumps
    dayRef.current?.focus()
  }, [week.data, wanted.jumps])

  const [lastValue, setLastValue] = useState(value)
  if (value !== undefined && value !== lastValue) setLastValue(value)
  const hasGone = value === undefined && lastValue !== undefined
  const letGoOf = useEffectEvent((free: readonly Slot[]) => {
    if (!value || mondayOf(dayIn(value, zone)) !== monday) return
    if (!free.some((slot) => sameInstant(slot.starts_at, value))) onChange(undefined)
  })
  useEffect(() => {
    if (week.data) letGoOf(week.data.slots)
  }, [week.data])

  const goTo = (target: string) => {
    setWanted({ monday: mondayOf(target), day: target, jumps: wanted.jumps + 1 })
  }
  const swipe = useSwipe((direction) => {
    const free = days.filter((known) => byDay.has(known))
    const target =
      direction === 'left' ? free.find((known) => known > day) : free.findLast((known) => known < day)
    if (target) setWanted({ ...wanted, monday, day: target })
  })
  const deadLinks = isHydrated ? undefined : links
  const shownAt = slots[0]?.starts_at ?? now
  const note = zoneNote(shownAt, zone, practitionerZone)

  return (
    <div className="flex flex-col gap-4">
      <DayStrip
        days={days}
        selected={day}
        today={today}
        lastMonday={mondayOf(addDays(today, horizonDays))}
        counts={week.data && new Map([...byDay].map(([known, free]) => [known, free.length]))}
        onDay={(chosen) => setWanted({ ...wanted, monday, day: chosen })}
        onWeek={(target) => setWanted({ ...wanted, monday: target, day: undefined })}
        links={deadLinks}
        dayRef={dayRef}
      />
      {hasGone && (
        <Alert tone="warning" live="polite">
          The time you chose is no longer free. Please choose another.
        </Alert>
      )}
      <div className="min-h-24 touch-pan-y touch-pinch-zoom" {...swipe}>
        {week.isPending ? (
          <TimesLoading />
        ) : week.isError ? (
          <QueryErrorAlert query={week} live="polite" title="The free times did not load" />
        ) : byDay.size === 0 ? (
          <NextFreeJump
            question={question}
            from={addDays(monday, 7)}
            today={today}
            known={known?.nextFreeAt}
            onJump={goTo}
            linkTo={deadLinks?.day}
          />
        ) : slots.length === 0 ? (
          <EmptyDay
            day={day}
            today={today}
            other={nearest(days, byDay, day)}
            onJump={goTo}
            linkTo={deadLinks?.day}
          />
        ) : (
          <TimeList
            label={`Free times on ${dayLabel(day, today)}`}
            slots={slots}
            zone={zone}
            value={value}
            onChange={onChange}
            hrefFor={deadLinks?.slot}
          />
        )}
      </div>
      {note && <p className="text-sm text-soft">Times are in {note}.</p>}
    </div>
  )
}

/** The week to open at; nothing for the present one, which stays that in the reader's zone. */
function firstMonday(
  initial: InitialWeek | undefined,
  openingDay: string | undefined,
  now: InstantLike,
): string | undefined {
  if (openingDay) return mondayOf(openingDay)
  return initial && initial.monday !== mondayOf(dayIn(now, pageZone)) ? initial.monday : undefined
}

function nearest(
  days: readonly string[],
  byDay: ReadonlyMap<string, unknown>,
  day: string,
): string | undefined {
  return days.find((known) => known > day && byDay.has(known)) ?? days.findLast((known) => byDay.has(known))
}

type EmptyDayProps = {
  day: string
  today: string
  other: string | undefined
  onJump(day: string): void
  linkTo?: ((day: string) => string) | undefined
}

function EmptyDay({ day, today, other, onJump, linkTo }: EmptyDayProps) {
  return (
    <div className="flex flex-col items-start gap-2">
      <p>No free times on {dayLabel(day, today)}.</p>
      {other && (
        <JumpControl day={other} label={`Go to ${dayLabel(other, today)}`} onJump={onJump} linkTo={linkTo} />
      )}
    </div>
  )
}

function TimesLoading() {
  return (
    <Loading label="Loading free times">
      <Skeleton className="mb-3 h-5 w-44" />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(4.25rem,1fr))] gap-2">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((at) => (
          <Skeleton key={at} className="h-11" />
        ))}
      </div>
    </Loading>
  )
}
