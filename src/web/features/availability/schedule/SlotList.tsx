import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { FieldSet } from '#web/ui/FieldFrame.tsx'
import { Select } from '#web/ui/Select.tsx'
import { addSlots, rangeAround, removeSlots, setPlace, slotsOf, slotTimes } from './schedule-draft.ts'
import type { EditorView } from './use-editor-view.ts'
import { dayNames, slotLabel } from './schedule-labels.ts'
import type { ScheduleDraft } from './use-schedule-draft.ts'
import { formatNames } from '#web/lib/session-formats.ts'

type Props = {
  schedule: ScheduleDraft
  view: EditorView
  /** Where a slot that is added takes place. */
  place: number | null
}

/** The hours of a range on one day and in one format, each to be ticked, with the place of those face to face. */
export function SlotList({ schedule, view, place }: Props) {
  const { draft, change, locations } = schedule
  const { day, format, range } = view
  const times = slotTimes(range)
  const slots = slotsOf(draft, day, format)
  const chosen = new Map(slots.map((slot) => [slot.timeslot, slot.location_id]))
  const isAll = times.length > 0 && times.every((time) => chosen.has(time))
  const unseen = slots.filter((slot) => !times.includes(slot.timeslot))
  // Of one place too, once an hour was at none or at one that was given up.
  const [isAsked, setAsked] = useState(false)
  const isPlaceless =
    format === 'face_to_face' && slots.some((slot) => knownPlace(slot.location_id, locations) === '')
  if (isPlaceless && !isAsked) setAsked(true)
  const asksForPlace = format === 'face_to_face' && locations.length > 0 && (locations.length > 1 || isAsked)
  const shown = slots.filter((slot) => times.includes(slot.timeslot))

  const toggle = (wanted: readonly string[], isOn: boolean) =>
    change(isOn ? addSlots(draft, day, format, wanted, place) : removeSlots(draft, day, format, wanted))

  return (
    <div className="flex flex-col gap-3">
      {times.length === 0 ? (
        <p className="text-soft">There is no full hour between From and To. Choose a later To.</p>
      ) : (
        <FieldSet label={`Work timeslots, ${dayNames[day].long}, ${formatNames[format]}`} isLabelHidden>
          <div className="border-b border-line pb-1">
            <Checkbox checked={isAll} onChange={(event) => toggle(times, event.currentTarget.checked)}>
              <span className="font-semibold">Select all timeslots</span>
            </Checkbox>
          </div>
          {asksForPlace && shown.length > 1 && (
            <Select
              label="Place of all timeslots"
              className="mt-3"
              value={commonPlace(shown.map((slot) => knownPlace(slot.location_id, locations)))}
              onChange={(event) => change(setPlace(draft, day, idOf(event.currentTarget.value), times))}
              options={[
                {
                  value: '',
                  label: shown.every((slot) => knownPlace(slot.location_id, locations) === '')
                    ? 'Choose a place'
                    : 'Different places',
                  isDisabled: true,
                },
                ...placeOptions(locations),
              ]}
            />
          )}
          <ul
            className={classes(
              'mt-2 grid gap-x-6',
              asksForPlace
                ? 'gap-y-1'
                : 'grid-cols-[repeat(auto-fill,minmax(min(max(8.5rem,45%),100%),1fr))]',
            )}
          >
            {times.map((time) => (
              <li
                key={time}
                className={classes(
                  asksForPlace &&
                    'flex flex-wrap items-center gap-x-4 border-b border-line/60 py-0.5 last:border-0',
                )}
              >
                <Checkbox
                  className="grow tabular-nums"
                  checked={chosen.has(time)}
                  onChange={(event) => toggle([time], event.currentTarget.checked)}
                >
                  {slotLabel(time)}
                </Checkbox>
                {asksForPlace && chosen.has(time) && (
                  <Select
                    label={`Place, ${slotLabel(time)}`}
                    isLabelHidden
                    className="w-full max-w-60"
                    value={knownPlace(chosen.get(time), locations)}
                    error={
                      knownPlace(chosen.get(time), locations) === '' ? missingPlace(schedule) : undefined
                    }
                    onChange={(event) =>
                      change(setPlace(draft, day, idOf(event.currentTarget.value), [time]))
                    }
                    options={[
                      { value: '', label: 'Choose a place', isDisabled: true },
                      ...placeOptions(locations),
                    ]}
                  />
                )}
              </li>
            ))}
          </ul>
        </FieldSet>
      )}
      {format === 'face_to_face' && !asksForPlace && locations[0] && (
        <p className="text-sm text-soft">You see people at {locations[0].location_name}.</p>
      )}
      {unseen.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          <p>Also chosen: {unseen.map((slot) => slotLabel(slot.timeslot)).join(', ')}</p>
          <Button variant="quiet" size="small" onPress={() => view.setRange(rangeAround(draft))}>
            Show them
          </Button>
        </div>
      )}
    </div>
  )
}

type Places = ScheduleDraft['locations']

const placeOptions = (places: Places) =>
  places.map((place) => ({ value: String(place.location_id), label: place.location_name }))

const idOf = (value: string) => (value === '' ? null : Number(value))

/** The value of the selector: empty for no place, or one that was given up. */
function knownPlace(id: number | null | undefined, places: Places): string {
  return places.some((place) => place.location_id === id) ? String(id) : ''
}

/** The one value of all, or empty where they differ. */
function commonPlace(values: readonly string[]): string {
  const [first = '', another] = [...new Set(values)]
  return another === undefined ? first : ''
}

/** The message for face-to-face slots without a place; shown once the practitioner has tried to save. */
function missingPlace({ problem }: ScheduleDraft): string | undefined {
  return problem?.kind === 'places' ? 'Choose where you see people.' : undefined
}
