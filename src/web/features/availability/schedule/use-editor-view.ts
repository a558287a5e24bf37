import { useState } from 'react'
import type { AppointmentType } from '#contract/common.ts'
import type { WeekName } from '#contract/common.ts'
import { type HourRange, rangeAround, slotTimes } from './schedule-draft.ts'
import type { ScheduleDraft } from './use-schedule-draft.ts'

/** Which part of the week is on the screen: the same on the page and in the modal. */
export type EditorView = ReturnType<typeof useEditorView>

export function useEditorView(schedule: ScheduleDraft) {
  const [day, setDay] = useState<WeekName>('Mon')
  const [format, setFormat] = useState<AppointmentType>('online')
  const [range, setRange] = useState<HourRange>(() => rangeAround(schedule.draft))
  return {
    day,
    setDay,
    format,
    setFormat,
    range,
    setRange,
    /** Brings a face-to-face hour that needs attention onto the screen. */
    showPlaceOf(at: { day: WeekName; timeslot: string }): void {
      setDay(at.day)
      setFormat('face_to_face')
      if (!slotTimes(range).includes(at.timeslot)) setRange(rangeAround(schedule.draft))
    },
  }
}
