import { type ReactNode, useState } from 'react'
import type { AppointmentType } from '#contract/common.ts'
import type { WeekName } from '#contract/common.ts'
import { formatOption, sessionFormats } from '#web/lib/session-formats.ts'
import { EntryButton } from '#web/ui/EntryButton.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import {
  copyDay,
  duplicateFromOnline,
  hourOptions,
  hoursIn,
  placeFor,
  slotsOf,
  timeText,
  weekNames,
} from './schedule-draft.ts'
import { dayNames } from './schedule-labels.ts'
import { SlotList } from './SlotList.tsx'
import type { EditorView } from './use-editor-view.ts'
import type { ScheduleDraft } from './use-schedule-draft.ts'

type Props = {
  schedule: ScheduleDraft
  view: EditorView
  /** Of the headings of its three parts. */
  level: 2 | 3
  /** What to do where there is no place to see people at. */
  placesHint: ReactNode
}

/** The weekly schedule in three parts: which day, how and between which hours, and the hours themselves. */
export function ScheduleEditor({ schedule, view, level, placesHint }: Props) {
  const { draft, change, placeIds } = schedule
  const { day, format, range, setRange } = view
  const [announcement, setAnnouncement] = useState('')
  const Part = `h${level}` as const
  const place = placeFor(format, placeIds)
  const isWithoutPlace = format === 'face_to_face' && placeIds.length === 0
  // Hours at places that were given up can be taken out without a new place.
  const [hasLostHours, setLostHours] = useState(false)
  if (isWithoutPlace && !hasLostHours && slotsOf(draft, day, format).length > 0) setLostHours(true)
  const weekdays: WeekName[] = weekNames.slice(0, 5)
  const long = dayNames[day].long

  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-4">
        <PartHeading as={Part} number={1}>
          Day
        </PartHeading>
        <Tabs
          label="Weekday"
          value={day}
          onChange={(name) => view.setDay(name)}
          tabs={weekNames.map((name) => {
            const count = hoursIn(draft.filter((record) => record.week_name === name))
            return {
              value: name,
              name: `${dayNames[name].long}, ${count === 0 ? 'no' : count} ${count === 1 ? 'hour' : 'hours'}`,
              label: (
                <>
                  <span>{dayNames[name].short}</span>
                  <span className="text-xs font-normal tabular-nums">{count === 0 ? '–' : count}</span>
                </>
              ),
            }
          })}
        >
          <div className="flex flex-col gap-7 pt-4">
            <section className="flex flex-col gap-4">
              <PartHeading as={Part} number={2}>
                Format and hours
              </PartHeading>
              <SegmentedToggle
                label="How you meet"
                isLabelHidden
                name={`format-${level}`}
                value={format}
                onChange={(value) => view.setFormat(value as AppointmentType)}
                options={sessionFormats.map(formatOption)}
              />
              <div className="grid grid-cols-[repeat(auto-fit,minmax(min(7rem,100%),1fr))] gap-4">
                {(['from', 'to'] as const).map((end) => (
                  <Select
                    key={end}
                    label={end === 'from' ? 'From' : 'To'}
                    value={range[end]}
                    onChange={(event) => setRange({ ...range, [end]: Number(event.currentTarget.value) })}
                    options={hourOptions.map((hour) => ({
                      value: String(hour),
                      label: timeText(hour),
                      isDisabled: end === 'from' ? hour > range.to : hour < range.from,
                    }))}
                  />
                ))}
              </div>
            </section>
            <section className="flex flex-col gap-4">
              <PartHeading as={Part} number={3}>
                Work timeslots
              </PartHeading>
              {isWithoutPlace && placesHint}
              {(!isWithoutPlace || hasLostHours) && (
                <SlotList schedule={schedule} view={view} place={place} />
              )}
              <div className="flex flex-wrap gap-x-3 gap-y-2">
                {format === 'face_to_face' && placeIds.length > 0 && (
                  <EntryButton
                    variant="secondary"
                    size="small"
                    onPress={() => {
                      const count = slotsOf(draft, day, 'online').length
                      change(duplicateFromOnline(draft, day, place))
                      setAnnouncement(
                        count === 0
                          ? `There are no online hours on ${long}.`
                          : `The online hours of ${long} are offered face-to-face as well.`,
                      )
                    }}
                  >
                    Duplicate from online
                  </EntryButton>
                )}
                <EntryButton
                  variant="secondary"
                  size="small"
                  onPress={() => {
                    change(
                      copyDay(
                        draft,
                        day,
                        weekdays.filter((name) => name !== day),
                      ),
                    )
                    setAnnouncement(`The hours of ${long} are now those of Monday to Friday.`)
                  }}
                >
                  Copy {long} to {weekdays.includes(day) ? 'the other weekdays' : 'all weekdays'}
                </EntryButton>
              </div>
              <output className="text-sm text-soft empty:sr-only">{announcement}</output>
            </section>
          </div>
        </Tabs>
      </section>
    </div>
  )
}

function PartHeading({
  as: Heading,
  number,
  children,
}: {
  as: 'h2' | 'h3'
  number: number
  children: ReactNode
}) {
  return (
    <Heading className="flex items-baseline gap-2.5 text-xl">
      <span aria-hidden className="text-base text-faint tabular-nums">
        {number}
      </span>
      {children}
    </Heading>
  )
}
