import { type ReactNode, useState } from 'react'
import { zoneTime } from '#contract/zone-names.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { InputLock } from '#web/ui/InputLock.tsx'
import { SaveOutcome } from './SaveOutcome.tsx'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { type EditorView } from './use-editor-view.ts'
import type { ScheduleDraft } from './use-schedule-draft.ts'

type Props = {
  schedule: ScheduleDraft
  view: EditorView
  placesHint: ReactNode
  onClose(): void
  /** After it is saved. Leads to another page. */
  onSaved(): void
}

/** The same editor by itself. Closing it keeps what was chosen, on the page behind it. */
export function ScheduleModal({ schedule, view, placesHint, onClose, onSaved }: Props) {
  const [isLeaving, setLeaving] = useState(false)
  const isUnderWay = schedule.isSaving || isLeaving
  const leave = () => {
    setLeaving(true)
    onSaved()
  }
  return (
    <Dialog
      isStubborn={schedule.isSaving}
      onClose={onClose}
      look="side"
      title="Your weekly schedule"
      footer={
        <>
          <Button
            isPending={isUnderWay}
            pendingLabel="Saving"
            onPress={() => void schedule.save(view.showPlaceOf).then((isSaved) => isSaved && leave())}
          >
            Save schedule
          </Button>
          <Button variant="secondary" onPress={onClose} isDisabled={schedule.isSaving}>
            Back to the calendar
          </Button>
        </>
      }
    >
      <InputLock isLocked={isLeaving}>
        <div className="flex flex-col gap-6">
          <p className="text-soft">
            It repeats every week. Times are in <strong>{zoneTime(schedule.timezone)}</strong>.
          </p>
          <ScheduleEditor schedule={schedule} view={view} level={3} placesHint={placesHint} />
          <SaveOutcome schedule={schedule} onSaved={leave} />
        </div>
      </InputLock>
    </Dialog>
  )
}
